"""A source that can never work is refused at once, in words; nothing waits for it and nothing tries it again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from robot_memory.devices import v4l2
from robot_memory.devices.sources import Kind, SourceRefused, source
from robot_memory.errors import SettingsInvalid


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" ", "nothing but blanks"),
        ("foo://x", "foo://x: a URL begins with one of http, https, rtsp"),
        ("file:///etc/passwd", "write a file as a path, /etc/passwd"),
        ("rtsp:///stream", "names no machine"),
        ("http://[::1/", "is no URL"),
        ("/etc/passwd/film.mp4", "cannot be read: Not a directory"),
        ("x" * 300 + ".mp4", "cannot be read: File name too long"),
    ],
)
def test_it_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(SourceRefused) as refused:
        source(text)
    assert words in str(refused.value)


def test_the_home_of_nobody_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match="write the whole path"):
        source("~nobody-of-that-name/film.mp4")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "film.mp4")
    with pytest.raises(SourceRefused, match="neither a file, nor a folder, nor a device"):
        source(str(tmp_path / "film.mp4"))


def test_a_password_in_a_refused_url_is_not_shown() -> None:
    with pytest.raises(SourceRefused) as refused:
        source("foo://admin:secret@camera.local/")
    assert "secret" not in str(refused.value)


def test_a_device_that_does_not_film_is_no_camera() -> None:
    assert source("/dev/zero").kind is Kind.DEVICE
    with pytest.raises(SourceRefused, match="/dev/zero is no camera; found"):
        v4l2.find("/dev/zero")


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no /dev/shm")
def test_a_file_in_shared_memory_is_a_file() -> None:
    film = Path("/dev/shm") / f"robot-memory-{os.getpid()}.jpg"
    try:
        shutil.copy(Path(__file__).parents[1] / "media/astronaut.jpg", film)
        assert source(str(film)).kind is Kind.FILE
    finally:
        film.unlink(missing_ok=True)


def test_opencv_says_nothing_of_its_own_while_a_camera_is_opened() -> None:
    code = (
        "import cv2; from robot_memory.devices.v4l2 import _hushed\n"
        "with _hushed(): assert not cv2.VideoCapture('/dev/zero', cv2.CAP_V4L2).isOpened()\n"
        "cv2.VideoCapture('/dev/null', cv2.CAP_V4L2)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.count("VIDEOIO") == 1, "the second, which is not hushed, shows that it would have"
