"""`world sheet` draws a bag for people, `world listen` says what is heard of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robot_memory import cli
from robot_memory.evaluation import truth
from robot_memory.evaluation.rendering import sheet, watching
from robot_memory.evaluation.rendering.listening import errors_in, matched
from robot_memory.evaluation.truth import Said
from robot_memory.streams.observation import SpeechTurn

BAGS = Path(__file__).resolve().parents[1] / "bags"


def test_a_sheet_is_a_png_with_a_row_for_every_six_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet.png"
    assert cli.main(["world", "sheet", str(BAGS / "grace"), str(out), "--every", "4"]) == 0
    data = out.read_bytes()
    assert data.startswith(b"\x89PNG")
    wide, high = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert wide == 6 * (240 + 6) + 6 and high == 3 * (180 + 18 + sheet.STRIP + 6) + 6  # 62 s: 16 pictures, 3 rows
    assert f"{wide} x {high}" in capsys.readouterr().out


def test_the_sheet_shows_the_truth(tmp_path: Path) -> None:
    seen, known = watching.read(BAGS / "grace"), truth.read(BAGS / "grace" / truth.FILE)
    with_people = sheet.drawn(seen.frames, seen.sound, known, 4.0)
    without = sheet.drawn(seen.frames, seen.sound, truth.Truth("", "UTC", 0, 1, (), (), ()), 4.0)
    differ = np.abs(with_people.astype(int) - without).sum(axis=2) > 60
    row = 6 + 180 + 18 + 54 + 6
    assert differ[:row].any() and (differ.sum() > 2000)


def test_a_bag_without_truth_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["world", "sheet", str(tmp_path), str(tmp_path / "out.png")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("robot-memory: ") and " — " in error


def test_a_turn_belongs_to_the_line_it_overlaps_most() -> None:
    lines = (Said("ann", 0, 100, "One two three."), Said("bob", 110, 200, "Four five."), Said("cat", 300, 400, ""))
    turns = [
        SpeechTurn(start, end, text, 0, None, 0.9, 0.1)
        for start, end, text in ((0, 60, "one"), (65, 115, "too three"), (500, 600, "x"))
    ]
    heard = matched(lines, turns)
    assert [(one.line.who, one.text) for one in heard] == [("ann", "one too three"), ("bob", "")]
    assert [one.errors.errors for one in heard] == [1, 2] and errors_in(heard).rate == pytest.approx(3 / 5)
