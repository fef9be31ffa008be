"""Pictures and folders of pictures as a camera."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from robot_memory.config import CameraSettings
from robot_memory.devices.pictures import Picture, check, pictures
from robot_memory.devices.sources import SourceRefused, source

ASTRONAUT = Path(__file__).parents[1] / "media/astronaut.jpg"


def seen(path: Path, **settings: object) -> list[Picture]:
    return list(pictures(source(str(path)), CameraSettings(**settings)))


def test_a_jpeg_stays_as_it_is() -> None:
    assert seen(ASTRONAUT) == [Picture(ASTRONAUT.read_bytes(), 0.0)]


def test_a_folder_is_shown_in_order_one_after_the_other(tmp_path: Path) -> None:
    for number, grey in enumerate((50, 100, 150)):
        cv2.imwrite(str(tmp_path / f"{number:03d}.png"), np.full((40, 60, 3), grey, np.uint8))
    (tmp_path / "notes.txt").write_text("not a picture")
    found = seen(tmp_path, fps=4.0, height=20)
    assert [one.at_s for one in found] == [0.0, 0.25, 0.5]
    decoded = [cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_COLOR) for one in found]
    assert [one.shape for one in decoded] == [(20, 30, 3)] * 3
    assert np.allclose([one.mean() for one in decoded], (50, 100, 150), atol=3)


def test_what_is_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="has no pictures"):
        check(source(str(tmp_path)))
    shutil.copy(__file__, tmp_path / "a.png")
    with pytest.raises(SourceRefused, match="has no picture that can be read"):
        seen(tmp_path)
    with pytest.raises(SourceRefused, match=r"a\.png is not a picture that can be read"):
        seen(tmp_path / "a.png")


def test_a_bad_picture_among_good_ones_is_passed_over_and_told(tmp_path: Path) -> None:
    for name in ("a.jpg", "d.jpg"):
        shutil.copy(ASTRONAUT, tmp_path / name)
    (tmp_path / "b.png").write_bytes(b"noise")
    (tmp_path / "c.jpg").write_bytes(b"")
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    told: list[Path] = []
    found = list(pictures(source(str(tmp_path)), CameraSettings(fps=2.0), told.append))
    assert [one.at_s for one in found] == [0.0, 0.5]
    assert [one.name for one in told] == ["b.png", "c.jpg"]
