"""Whatever is wrong with somebody's file is one line that names the file and the place, before anything is measured."""

from __future__ import annotations

import json
import wave
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import small_trial

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import questionfile, truth
from robot_memory.evaluation.public import locomofile, questionsets, speechsets
from robot_memory.evaluation.public.watched import ResultsUnusable, read_results
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid
from robot_memory.evaluation.terminal import shown
from robot_memory.evaluation.truth import TruthUnreadable
from robot_memory.evaluation.worlds import files
from robot_memory.evaluation.worlds.files import WorldUnreadable

Known = dict[str, Any]
DEEP = "[" * 100_000


def open_world(path: Path) -> object:
    path.rename(path.with_name(files.FILE))
    return files.load(path.parent)


@pytest.mark.parametrize("read", [truth.read, questionsets.load, locomofile.load, open_world])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"\xff\xfe{}", "is no text in UTF-8 (byte 1)"),
        (b"{", "is no JSON"),
        (DEEP.encode(), "is no JSON (it is nested too deep)"),
        (b"[" + b"9" * 5000 + b"]", "is no JSON (a number of 5,000 digits)"),
    ],
)
def test_a_file_that_is_no_json(
    read: Callable[[Path], object], content: bytes | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(content or b"")
    if content is None:
        path = tmp_path / "folder" / "data.json"
        read = files.load if read is open_world else read
        path = path.parent if read is files.load else path
    with pytest.raises(RobotMemoryError) as error:
        read(path)
    assert told in str(error.value) and str(path.parent) in str(error.value)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    truth.write(small_trial.TRUTH, path := tmp_path / truth.FILE)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert truth.read(path) == small_trial.TRUTH


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t.pop("people"), "people is missing, not a list"),
        (lambda t: t.update(people="Anna"), "people is text, not a list"),
        (lambda t: t["people"].append("Anna"), "'Anna', is there twice"),
        (lambda t: t.update(zone="Mars/Base"), "'zone' is 'Mars/Base'"),
        (lambda t: t.update(start_ns="now"), "'start_ns' is text, not a whole number"),
        (lambda t: t.update(end_ns=0), "the file ends before it begins"),
        (lambda t: t.update(end_ns=10**30), "not between 0 and"),
        (lambda t: t.update(weather="fine"), "'weather' is not a known field"),
        (lambda t: t["lines"][1].update(who="Nobody"), "lines[1]: 'who' is 'Nobody', who is not among the 'people'"),
        (lambda t: t["lines"][1].update(end_ns=1), "lines[1] ends before it begins"),
        (lambda t: t["lines"][1].update(text=None), "lines[1]: 'text' is missing"),
        (lambda t: t["lines"].append("Hello."), "is text, not an object"),
        (lambda t: t["appearances"][0].update(who="Nobody"), "appearances[0]: 'who' is 'Nobody'"),
        (lambda t: t["appearances"][0].update(path=[]), "appearances[0]: 'path' is empty"),
        (lambda t: t["appearances"][0]["path"].reverse(), "appearances[0].path[1] is not later than the one before"),
        (lambda t: t["appearances"][0]["path"][0].update(x=float("nan")), "path[0]: 'x' is nan, not a finite number"),
        (lambda t: t["appearances"][0]["path"][0].update(width=0), "appearances[0].path[0] is 0 wide"),
        (lambda t: t["facts"][0].update(attribute="mood"), "facts[0]: 'attribute' is 'mood'"),
        (lambda t: t["facts"][0].update(told=["soon"]), "facts[0].told[0]"),
        (lambda t: t["facts"][0].update(polarity=0), "'polarity' is 0, not 1 or -1"),
    ],
)
def test_a_truth_is_checked_all_through(change: Callable[[Known], object], told: str, tmp_path: Path) -> None:
    truth.write(small_trial.TRUTH, path := tmp_path / truth.FILE)
    known = json.loads(path.read_text("utf-8"))
    change(known)
    path.write_text(json.dumps(known), "utf-8")
    with pytest.raises(TruthUnreadable) as error:
        truth.read(path)
    assert told in str(error.value) and str(path) in str(error.value)


@pytest.mark.parametrize("seed", [-1, "7", 1.5, True, 2**40, None])
def test_a_worlds_seed_is_a_whole_number(seed: object, tmp_path: Path) -> None:
    known = {"version": 1, "seed": seed, "options": {"days": 1, "people": 3, "rooms": 1}}
    (tmp_path / files.FILE).write_text(json.dumps(known))
    with pytest.raises(WorldUnreadable, match="'seed' is"):
        files.load(tmp_path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({}, "holds no questions"),
        ({"v": {"qa_list": []}}, "holds no questions"),
        ({"v": {"qa_list": [{"question": "?", "answer": "!", "timestamp": "9" * 5000 + ":00:00"}]}}, "not MM:SS"),
        ({"v": {"qa_list": [{"question": "?", "answer": "!", "before_clip": 10**30}]}}, "not between -1 and"),
    ],
)
def test_a_question_set_has_questions_at_possible_times(content: object, told: str, tmp_path: Path) -> None:
    (path := tmp_path / "set.json").write_text(json.dumps(content))
    with pytest.raises(questionsets.QuestionsUnreadable, match=told):
        questionsets.load(path)


def test_ids_of_any_length_are_read(tmp_path: Path) -> None:
    turn = {"speaker": "A", "dia_id": "D1:1", "text": "Hi."}
    talk = {"session_01": [turn], "session_01_date_time": "1:56 pm on 8 May, 2023", f"session_{'9' * 5000}": [turn]}
    asked = {"question": "?", "answer": "!", "category": 1, "evidence": [f"D{'9' * 5000}:1", "D01:001"]}
    (path := tmp_path / "locomo.json").write_text(json.dumps([{"sample_id": "c", "conversation": talk, "qa": [asked]}]))
    (one,) = locomofile.load(path)
    assert (one.askings[0].evidence, one.askings[0].lost, len(one.turns)) == (("D1:1",), 1, 1)


def test_a_question_file_says_what_it_is_and_where_to_read_on(tmp_path: Path) -> None:
    for text, told in [
        ("", "the file is empty"),
        ("version: 1", "the question file has no 'questions'"),
        ('{"version": 1, "questions": [{"\\u001b[2Jat": 1}]}', r"questions\[0\].\\x1b\[2Jat is not a known field"),
        (DEEP, "is nested too deep"),
    ]:
        with pytest.raises(ScriptInvalid, match=told + r".*docs/stories\.md"):
            questionfile.parse(text, 0)
    (path := tmp_path / "q.yaml").write_bytes(b"\xff")
    with pytest.raises(ScriptInvalid, match="write a question file in UTF-8"):
        questionfile.read(path, 0)


@pytest.mark.parametrize(("at", "seconds"), [('"95.5"', 95.5), ("9.55e1", 95.5), ('"1970-01-01T00:00:05Z"', 4.0)])
def test_times_may_be_text(at: str, seconds: float) -> None:
    line = f'{{"text": "?", "at": {at}, "type": "person", "expected": {{"form": "none"}}}}'
    (asked,) = questionfile.parse(f'{{"version": 1, "questions": [{line}]}}', 10**9)
    assert asked.at_ns == 10**9 + round(seconds * 1e9)


@pytest.mark.parametrize("line", ["3", "{", "{}", DEEP, '{"id": "a", "memory": "memory", "film": "f", "judge": "j"}'])
def test_results_that_are_not_whole_are_refused_with_their_line(line: str, tmp_path: Path) -> None:
    row = {"id": "a\u2028b", "memory": "m", "film": "f", "judge": "j", "outcome": "x", "gpt_eval": True, "type": []}
    (path := tmp_path / "r.jsonl").write_text(f"{json.dumps(row, ensure_ascii=False)}\n", "utf-8")
    assert read_results(path, "m") == [row]
    path.write_text(f"{json.dumps(row)}\n{line}\n", "utf-8")
    with pytest.raises(ResultsUnusable, match=r"line 2|nested too deep"):
        read_results(path, "m")


def sound(path: Path, frames: int = 1600) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(2 * frames))
    return path


@pytest.mark.parametrize("times", ["nan 1", "0 inf", "-1 1", "0 -1", "0 1e300"])
def test_turns_have_a_beginning_and_an_end(times: str, tmp_path: Path) -> None:
    sound(tmp_path / "a.wav")
    (tmp_path / "a.rttm").write_text(f"SPEAKER a 1 {times} <NA> <NA> anna <NA> <NA>")
    with pytest.raises(speechsets.SpeechSetUnreadable, match=r"a\.rttm, line 1"):
        speechsets.load(tmp_path)


@pytest.mark.parametrize("content", [b"", None])
def test_sound_files_hold_sound(content: bytes | None, tmp_path: Path) -> None:
    sound(tmp_path / "a.wav", 0)
    if content is not None:
        (tmp_path / "a.wav").write_bytes(content)
    (tmp_path / "a.rttm").write_text("SPEAKER a 1 0 1 <NA> <NA> anna <NA> <NA>")
    with pytest.raises(RobotMemoryError, match=r"a\.wav"):
        speechsets.load(tmp_path)


RTTM = "SPEAKER x 1 0 0.1 <NA> <NA> anna <NA> <NA>"


def zipped(path: Path, *folders: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for folder in folders:
            archive.writestr(f"{folder}x.rttm", RTTM)
            archive.write(sound(path.with_name("x.wav")), f"{folder}x.wav")
    return path


def encrypted(data: bytes) -> bytes:
    """With the flag of encryption set in both headers of the first file."""
    at = data.index(b"PK\x01\x02")
    return data[:6] + b"\x01" + data[7 : at + 8] + b"\x01" + data[at + 9 :]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: data[: len(data) // 2], "not a zip file"),
        (lambda data: b"XX" + data[2:], "magic number"),
        (lambda data: data.replace(b"anna", b"anne"), "CRC"),
        (encrypted, "encrypted"),
        (lambda data: b"no zip at all", "not a zip file"),
    ],
)
def test_a_damaged_zip_is_one_line_with_its_name(damage: Callable[[bytes], bytes], told: str, tmp_path: Path) -> None:
    path = zipped(tmp_path / "speech.zip", "")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(speechsets.SpeechSetUnreadable, match=rf"speech\.zip: .*{told}") as error:
        speechsets.load(path)
    assert "\n" not in str(error.value) and "robot_memory_" not in str(error.value)


def test_a_zip_may_use_a_name_twice_but_not_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(speechsets.load(zipped(tmp_path / "two.zip", "a/", "b/")).conversations) == 2
    with pytest.warns(UserWarning, match="Duplicate"):
        path = zipped(tmp_path / "same.zip", "a/", "a/")
    with pytest.raises(speechsets.SpeechSetUnreadable, match=r"same\.zip.* x\.rttm: is there twice"):
        speechsets.load(path)
    monkeypatch.setattr(speechsets, "BIGGEST_ZIP", 1000)
    with pytest.raises(speechsets.SpeechSetUnreadable, match=r"two\.zip.*unpacks to more than"):
        speechsets.load(tmp_path / "two.zip")


def test_a_terminal_is_not_moved_by_what_is_remembered() -> None:
    assert shown("Anna\x1b[2J\r\u202e née\n\ud800") == "Anna\\x1b[2J\\r\\u202e née\n\\ud800"
