"""The product as a memory under test: real store, real agent, the small trial."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest
import small_trial

from robot_memory.errors import ModelMissing
from robot_memory.evaluation import subjects
from robot_memory.evaluation.scoring import commands
from robot_memory.evaluation.scoring.many import Evaluation
from robot_memory.evaluation.scoring.run import Result, run
from robot_memory.evaluation.scoring.score import score
from robot_memory.evaluation.scoring.sources import SOURCES
from robot_memory.evaluation.scoring.summary import summarise
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.language.embedder import TextEmbedder

pytestmark = pytest.mark.usefixtures("embedder")


def result(folder: Path) -> Result:
    folder.mkdir(exist_ok=True)
    memory = MemorySubject(folder)
    try:
        return run(small_trial.trial(), memory)
    finally:
        memory.close()


def test_it_labels_every_track_and_turn(tmp_path: Path) -> None:
    done = result(tmp_path)
    assert done.problems == () and done.clips == small_trial.CLIPS
    assert len(done.items) == sum(len(c.faces) + len(c.voices) for c in small_trial.clips())
    assert all(item.label and item.label.startswith("person_") for item in done.items)
    assert {"Anna", "Clara"} <= set(done.called.values())
    tallies = score(small_trial.trial(), done).tallies
    assert tallies["persons.fused"].value == 0 and tallies["persons.split"].value == 0


def test_it_finds_evidence_and_answers_at_the_time_of_the_question(tmp_path: Path) -> None:
    done = result(tmp_path)
    first = done.askings[0]  # asked in the middle, after two clips
    assert first.found and max(one.end_ns for one in first.found) <= first.question.at_ns
    assert {one.stream for asking in done.askings for one in asking.found} <= {"seen", "heard", "inferred"}
    came = next(asking for asking in done.askings if asking.question.text == "When did Clara come?")
    assert came.reply and came.reply.latency_s > 0
    assert score(small_trial.trial(), done).tallies["recall@20"].value > 0.5


def test_its_claims_are_of_persons(tmp_path: Path) -> None:
    done = result(tmp_path)
    assert ("name", "Clara") in {(claim.attribute, claim.value) for claim in done.claims}
    assert all(claim.subject.startswith("person_") for claim in done.claims if claim.attribute == "name")
    assert ("job", "nurse") in {(claim.attribute, claim.value) for claim in done.claims}
    assert done.bytes_used > 0 and done.models["policy"] == "ReflexPolicy"


def test_twice_gives_the_same_json_apart_from_timings(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        own = score(small_trial.trial(), result(tmp_path / name))
        summary = summarise(Evaluation(("small",), (own.subject,), (own,), (), "normalised", (1, 5, 10, 20)), "small")
        summary.pop("made"), summary.pop("timings")
        texts.append(json.dumps(summary))
    assert texts[0] == texts[1]


class Small:
    name = "small"
    open = staticmethod(small_trial.trial)


def evaluate(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    commands.register(parser.add_subparsers())
    args = parser.parse_args(["evaluate", *argv])
    return int(args.func(args))


def test_the_command_prints_a_table_or_json_and_writes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, embedder: TextEmbedder
) -> None:
    monkeypatch.setitem(SOURCES, "small", lambda what, data: [Small()])
    assert evaluate("small", "--report", str(tmp_path / "r.html"), "--k", "5", "3") == 0
    shown = capsys.readouterr()
    assert "recall@3" in shown.out and "recall@20" not in shown.out and embedder.name in shown.out
    assert "measuring 100 %" in shown.err
    assert "<svg" in (tmp_path / "r.html").read_text()
    assert evaluate("small", "--json") == 0
    known: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(known["subjects"]) == {"memory"} and len(known["questions"]) == len(small_trial.QUESTIONS)


@pytest.mark.parametrize("name", subjects.names())
def test_each_memory_that_can_be_named_runs_the_small_trial(name: str, tmp_path: Path) -> None:
    trial = small_trial.trial()
    try:
        memory = subjects.make(name, tmp_path, trial)
    except ModelMissing as error:
        pytest.skip(str(error))
    try:
        done = run(trial, memory)
    finally:
        memory.close()
    assert done.problems == () and not [one.error for one in done.askings if one.error]
    assert score(trial, done).tallies["recall@20"].value > 0.3
