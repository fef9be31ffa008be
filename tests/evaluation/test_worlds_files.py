"""A world is kept as a seed and readable files; questions go to a file and back, and people can write such files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.evaluation.trial import Expected, Moment
from robot_memory.evaluation.worlds import commands
from robot_memory.evaluation.worlds.files import WorldUnreadable, load, save
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.questions import questions
from robot_memory.evaluation.worlds.trials import trial
from robot_memory.evaluation.worlds.truths import truth as truth_of
from robot_memory.streams.media import SECOND

START = 1_772_443_800 * SECOND  # 2 March 2026, 09:30 UTC
BY_HAND = """
version: 1
questions:
  - text: Who was in the kitchen?
    at: 95.5
    type: place
    expected: {form: names, values: [Grace, Xiu], traps: [Ann]}
    evidence: [{from: 61, to: 64.5, stream: seen}]
    sight: true
  - text: "When did she come?"
    at: 2026-03-02T10:31:00.25+01:00
    type: time
    expected: {form: time, span: [60, 2026-03-02T09:31:30Z]}
    asker: Grace
  - {id: last, text: Where does Ann live?, at: 200, type: person, expected: {form: none}, swap: person}
"""


def test_a_saved_world_comes_back_and_its_files_can_be_read(tmp_path: Path) -> None:
    world = make(2, days=1, people=4, rooms=2)
    save(world, tmp_path / "world")
    assert load(tmp_path / "world") == world
    assert truth.read(tmp_path / "world" / truth.FILE) == truth_of(world)
    assert questionfile.read(tmp_path / "world" / questionfile.FILE, 0) == questions(world)
    lines = [json.loads(line) for line in (tmp_path / "world/stream.jsonl").read_text().splitlines()]
    said = [turn["text"] for line in lines for turn in line["turns"]]
    assert said == [line.text for line in truth_of(world).lines]
    assert {track["who"] for line in lines for track in line["tracks"]} == {p.name for p in world.people if p.seen}


def test_a_broken_world_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldUnreadable, match=r"world make` writes such a folder"):
        load(tmp_path)
    (tmp_path / "world.json").write_text('{"version": 0}')
    with pytest.raises(WorldUnreadable, match="make it again from its seed"):
        load(tmp_path)
    (tmp_path / "world.json").write_text('{"version": 1, "seed": 1, "options": {"days": 1}}')
    with pytest.raises(WorldUnreadable, match="'people' is missing"):
        load(tmp_path)


def test_a_trial_bundles_stream_questions_and_truth() -> None:
    made = trial(2, days=1, people=4, rooms=2, count=40)
    assert len(made.questions) == 40
    assert made.models["face_embedding"] == "oracle"
    assert [clip.key for clip in made.clips()] == [clip.key for clip in made.clips()]


def test_the_command_writes_a_world_and_sums_it_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    commands.register(parser.add_subparsers())
    args = parser.parse_args(["make", "--seed", "2", "--days", "1", "--people", "4", str(tmp_path / "out")])
    assert args.func(args) == 0
    told = capsys.readouterr().out
    assert "people     4" in told and "nobody can answer" in told
    assert load(tmp_path / "out") == make(2, days=1, people=4)


def test_questions_written_by_hand() -> None:
    first, second, third = questionfile.parse(BY_HAND, START)
    assert (second.text, second.id, second.asker) == ("Who was in the kitchen?", "1", "")
    assert second.at_ns == START + 95_500_000_000
    assert second.expected == Expected("names", ("Grace", "Xiu"), traps=("Ann",))
    assert second.evidence == (Moment(START + 61 * SECOND, START + 64_500_000_000, "seen"),) and second.sight
    assert first.at_ns == START + 60_250_000_000, "a date with another zone"
    assert first.expected.span_ns == (START + 60 * SECOND, START + 90 * SECOND)
    assert not third.answerable and third.swap == "person" and third.id == "last"


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("version: 1", "version: 2", "line 2: version is 2 — this program reads version 1"),
        ("type: place", "type: hearsay", r"line 6: questions\[0\].type is 'hearsay' — choose one of multi-detail"),
        ("at: 95.5", "at: noon", "line 5: .* is 'noon' — write seconds from the start"),
        ("at: 95.5", "at: 2026-03-02T09:31:35", "with its zone"),
        ("at: 95.5", "at: 2026-13-02T09:31:35Z", "is no date"),
        ("values: [Grace, Xiu]", "values: []", "has form names and 0 values — give all the names"),
        ("form: none", "form: none, values: [Rome]", "nobody can know: give neither values"),
        ("span: [60, 2", "span: [62.5, 60, 2", "has 3 times"),
        ("span: [60, ", "span: [95, ", "ends before it begins"),
        ("span: [60, 2026-03-02T09:31:30Z]", "values: [soon]", "has form time and 1 values"),
        ("sight: true", "sight: maybe", "choose one of true, false"),
        ("sight: true", "sight: true\n    swap: person", "is given for a question with an answer"),
        ("stream: seen", "stream: smelt", "choose one of seen, heard"),
        ("id: last", "id: 1", "has the id '1' of another question"),
        ("asker: Grace", "ask: Grace", "is not a known field"),
    ],
)
def test_mistakes_are_named_with_their_line(wrong: str, right: str, message: str) -> None:
    assert wrong in BY_HAND
    with pytest.raises(ScriptInvalid, match=message):
        questionfile.parse(BY_HAND.replace(wrong, right, 1), START)
