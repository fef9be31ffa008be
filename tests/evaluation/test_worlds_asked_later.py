"""A world's questions long after its end: only those that mean the same by then, and the memory knows the time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import small_trial

from robot_memory import cli
from robot_memory.evaluation.scoring.ages import age
from robot_memory.evaluation.scoring.run import run
from robot_memory.evaluation.scoring.sources import WorldFolder, WorldSource, sources
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Expected, Question, Trial
from robot_memory.evaluation.worlds import files
from robot_memory.evaluation.worlds.later import DAY_NS, asked_later
from robot_memory.evaluation.worlds.make import make
from told import at

END_S = 30 * small_trial.CLIPS


def posed(*texts: str, at_s: float = END_S + 60) -> Trial:
    """The small trial with these questions, asked when all is over."""
    questions = [Question(f"q{n}", text, at(at_s), "general", Expected("none")) for n, text in enumerate(texts)]
    return replace(small_trial.trial(), questions=tuple(questions))


@pytest.mark.parametrize(
    "text",
    [
        "What does Anna take in her tea?",
        "Where are the keys?",
        "Who plays chess on the phone?",
        "When did Clara mention the station?",
        "How many cats does Ben have?",
        "Who else was there with Clara?",
    ],
)
def test_what_names_no_time_is_asked_again(text: str) -> None:
    (question,) = asked_later(posed(text), 90).questions
    assert question.text == text and question.at_ns == small_trial.TRUTH.end_ns + 90 * DAY_NS


@pytest.mark.parametrize(
    "text",
    [
        "What did Anna say yesterday?",
        "Who was here this morning?",
        "What about this afternoon, who was there then?",
        "Who came in the last ten minutes?",
        "Who was here on Monday?",
        "What did Anna do at 9:30?",
        "Who was here recently?",
        "Where were the keys before Anna came?",
        "Who talked while Ben was in the kitchen?",
        "Does Ben come every morning?",
        "Where was Clara last?",
        "Who was the first to come?",
        "Does Anna still live in Bonn?",
        "What is Anna's job now?",
        "What did Anna do previously?",
        "Who was here yesterday or today?",
    ],
)
def test_what_means_something_else_by_then_is_left_out(text: str) -> None:
    assert asked_later(posed(text), 90).questions == ()


def test_what_was_asked_before_the_end_is_left_out() -> None:
    assert asked_later(posed("Where are the keys?", at_s=END_S - 1), 90).questions == ()
    assert len(asked_later(posed("Where are the keys?", at_s=END_S), 90).questions) == 1


def test_a_world_keeps_its_stream_and_truth_and_its_evidence_grows_old() -> None:
    trial, later = WorldSource(3).open(), WorldSource(3, later=90).open()
    assert (later.name, later.truth, later.models) == (trial.name, trial.truth, trial.models)
    assert next(later.clips()).key == next(trial.clips()).key
    asked = {one.id: one for one in trial.questions}
    assert 10 <= len(later.questions) < len(trial.questions) / 2
    assert all(replace(asked[one.id], at_ns=one.at_ns) == one for one in later.questions)
    assert {age(one) for one in later.questions if one.answerable} == {"months"}
    assert 0 < sum(one.answerable for one in later.questions) < len(later.questions)
    assert {age(one) for one in WorldSource(3, later=2).open().questions if one.answerable} == {"days"}


def test_the_option_reaches_seeds_and_folders(tmp_path: Path) -> None:
    assert sources("1-2", later=9.0) == [WorldSource(1, None, 9.0), WorldSource(2, None, 9.0)]
    over = replace(small_trial.QUESTIONS[1], at_ns=10**18 * 2)
    files.save(make(3, days=1, people=3), tmp_path / "w", (over,))
    (source,) = sources(str(tmp_path / "w"), later=9.0)
    assert isinstance(source, WorldFolder)
    (question,) = source.open().questions
    assert question == replace(over, at_ns=source.open().truth.end_ns + 9 * DAY_NS)


def test_the_run_says_when_it_was_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", "3", "--subject", "bm25", "--later", "90", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["what"] == "3, asked 90 days later"
    figures = summary["subjects"]["bm25"]["figures"]
    assert figures["age:months.recall@10"] == figures["recall@10"]
    assert [key for key in figures if key.startswith("age:") and "months" not in key] == []


@pytest.mark.parametrize("days", ["0", "-3", "soon", "nan", "inf", "40000", ""])
def test_what_is_no_number_of_days_is_refused(days: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["evaluate", "3", f"--later={days}"])
    assert "is no number of days: write one above 0, to 36,500" in capsys.readouterr().err


def test_only_worlds_are_asked_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.mcap").touch()
    assert cli.main(["evaluate", str(tmp_path), "--later", "9"]) == 1
    assert "--later is for seeds of worlds and a world's folder" in capsys.readouterr().err


@pytest.mark.usefixtures("embedder")
def test_the_product_takes_the_later_moment_for_now(tmp_path: Path) -> None:
    """ "Today" is empty three months later; on the day itself it is not."""
    today = posed("Who was here today?")
    months = replace(today, questions=(replace(today.questions[0], at_ns=at(END_S) + 90 * DAY_NS),))
    answers = []
    for number, trial in enumerate((today, months)):
        (tmp_path / str(number)).mkdir()
        subject = MemorySubject(tmp_path / str(number))
        (asking,) = run(trial, subject).askings
        subject.close()
        assert asking.reply is not None
        answers.append(asking.reply.outcome)
    assert answers == ["ANSWERED", "ABSTAINED"]
