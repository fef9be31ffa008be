"""A mistake in a script is reported with its line, what is wrong and what to do; a right one says what was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from robot_memory.evaluation.story.script import Placing, Script
from robot_memory.evaluation.story.scriptfile import load, parse
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid

GOOD = """\
name: visit
start: 2026-03-02T09:30:00+01:00
duration: 20
people:
  anna: {picture: anna.jpg, voice: slt}
  bert: {voice: rms}
scenes:
  - who: anna
    path:
      - {at: 1, x: -0.3, size: 0.8}
      - {at: 4, x: 0.5, size: 0.9, light: 1.1}
says:
  - {at: 2, who: anna, text: "Hello."}
  - {at: 6, who: bert, text: "Hello, Anna.", pace: 1.2, level: -6}
odometry:
  - {at: 0, x: 1, y: 2, yaw: 0.5}
empty:
  - {from: 10, to: 20}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "anna.jpg").write_bytes(b"looked at when rendering")
    return tmp_path


def test_a_right_script_says_what_was_written(folder: Path) -> None:
    script = parse(GOOD, folder)
    assert script.start_ns == 1772440200_000_000_000  # 08:30 UTC
    assert [person.name for person in script.people] == ["anna", "bert"]
    (episode,) = script.episodes
    assert episode.scenes[0].path[1] == Placing(4, 0.5, 0.9, 1.0, 1.1)
    assert (episode.scenes[0].start_s, episode.scenes[0].end_s) == (1, 4)
    assert episode.lines[1].pace == 1.2 and episode.lines[1].level_db == -6
    assert (script.frames_per_second, script.quality, script.seed) == (5.0, 75, 0)
    assert episode.empty[0].end_s == 20


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ("duration: 20", "duration: 0", 3, "between 0.1 and 3600"),
        ("duration: 20", "duration: .nan", 3, "duration"),
        ("duration: 20", 'duration: "20"', 3, "must be a number"),
        ("duration: 20", "duratoin: 20", 3, "duratoin is not a known field"),
        ("duration: 20\n", "", 1, "add 'duration: …'"),
        ("duration: 20", "duration: 20\nduration: 30", 4, "given twice"),
        ("+01:00", "", 2, "no zone"),
        ("2026-03-02T09:30:00+01:00", "tomorrow", 2, "2026-03-02T09:30:00Z"),
        ("name: visit", "name: ../visit", 1, "letters, digits"),
        ("anna.jpg", "nobody.jpg", 5, "not a file"),
        ("voice: rms", "voice: elvis", 6, "slt, rms, awb"),
        ("who: anna\n", "who: clara\n", 8, "not among the people"),
        ("who: anna\n", "who: bert\n", 8, "no picture"),
        ("{at: 4, x: 0.5", "{at: 1, x: 0.5", 11, "order of time"),
        ("      - {at: 4, x: 0.5, size: 0.9, light: 1.1}\n", "", 10, "has 1 points"),
        ("size: 0.9", "size: big", 11, "must be a number"),
        ("{at: 6, who: bert", "{at: 26, who: bert", 14, "between 0 and 20"),
        ("{at: 6, who: bert", "{at: 1, who: bert", 14, "order of time"),
        ('text: "Hello."', 'text: ""', 13, "must be text"),
        ("yaw: 0.5", "yaw: [1]", 16, "must be a number"),
        ("{from: 10, to: 20}", "{from: 3, to: 5}", 18, "anna is in view from 1 to 4 s"),
        ("{from: 10, to: 20}", "{from: 5, to: 7}", 18, "bert speaks at 6 s"),
        ("{from: 10, to: 20}", "{from: 12, to: 11}", 18, "ends before it begins"),
        ("empty:", "empty: {", 18, "not YAML"),
        ("{picture: anna.jpg,", "{picture: anna.jpg, looks: anna,", 5, "has looks and picture"),
        ("{picture: anna.jpg,", "{picture: anna.jpg, face: [0, 1],", 5, "has 2 numbers"),
        ("{voice: rms}", "{voice: rms, name: anna}", 5, "calls both anna and bert 'anna'"),
        ("size: 0.9", "size: 0.9, y: 0.4", 10, "has 'y' on some points only"),
        ("- who: anna\n", "- who: anna\n    picture: 2\n", 9, "between 1 and 1"),
        ('text: "Hello."', 'text: "Hello.", sound: hello.wav', 13, "not a file"),
        ('text: "Hello."', 'text: "Hello.", far: maybe', 13, "write true or false"),
        ("duration: 20", "duration: 20\nroom: {light: 9}", 4, "between 0.05 and 2"),
        ("duration: 20", "duration: 20\nzone: Mars/Olympus", 4, "IANA zone"),
        ("duration: 20", "episodes: []", 2, "start is not a known field"),
    ],
)
def test_a_mistake_names_its_line_and_the_remedy(folder: Path, right: str, wrong: str, line: int, said: str) -> None:
    assert right in GOOD
    with pytest.raises(ScriptInvalid) as caught:
        parse(GOOD.replace(right, wrong, 1), folder, "visit.yaml")
    message = str(caught.value)
    assert message.startswith(f"visit.yaml, line {line}:"), message
    assert said in message and " — " in message


def test_nobody_stands_in_two_places_at_once(folder: Path) -> None:
    again = "  - who: anna\n    path: [{at: 3, x: 0, size: 1}, {at: 9, x: 1, size: 1}]\nsays:"
    with pytest.raises(ScriptInvalid, match=r"line 12.*anna twice at once"):
        parse(GOOD.replace("says:", again), folder)


def test_someone_without_a_voice_does_not_speak(folder: Path) -> None:
    with pytest.raises(ScriptInvalid, match=r"line 14.*no voice"):
        parse(GOOD.replace("bert: {voice: rms}", "bert: {}"), folder)


@pytest.mark.parametrize("text", ["", "# nothing\n", "just words\n", "- a\n- list\n"])
def test_what_is_no_script_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ScriptInvalid):
        parse(text, tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptInvalid, match=r"gone\.yaml.*cannot be read"):
        load(tmp_path / "gone.yaml")


def test_parts_that_may_be_left_out_may_be_empty(tmp_path: Path) -> None:
    text = "name: night\nstart: 2026-03-02T09:30:00Z\nduration: 5\npeople:\nscenes:\nsays: []\n"
    script: Script = parse(text, tmp_path)
    (episode,) = script.episodes
    assert not (script.people or episode.scenes or episode.lines or episode.stands or episode.empty)
