"""Cameras of this machine through Video4Linux (OpenCV)."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import CameraSettings
from robot_memory.devices.sources import Source, SourceLost, SourceRefused

SYSTEM = Path("/sys/class/video4linux")
MAJOR = 81  # what the kernel gives to all that films
NUMBERED = re.compile(r"/dev/video(\d+)")


def names() -> dict[str, str]:
    """/dev/video0 -> what the camera is called. A camera often has a second device for its metadata."""
    found = sorted(Path("/dev").glob("video[0-9]*"), key=lambda path: int(path.name[5:]))
    return {str(path): _text(SYSTEM / path.name / "name") for path in found}


def find(address: str) -> Path:
    """The device file of a camera. Raises SourceRefused if there is none, or if this user may not read it."""
    device = Path(f"/dev/video{address}" if address.isdigit() else address)
    if not device.is_char_device() or os.major(device.stat().st_rdev) != MAJOR:
        known = ", ".join(f"{path} ({name})" for path, name in names().items()) or "none"
        what = f"{device} is no camera" if device.exists() else f"there is no camera {device}"
        raise SourceRefused(f"{what}; found: {known}")
    if not os.access(device, os.R_OK | os.W_OK):
        raise SourceRefused(f"this user may not use {device} — run: sudo usermod -aG video $USER, and log in again")
    return device


def watch(source: Source, settings: CameraSettings) -> Iterator[NDArray[np.uint8]]:
    """BGR pictures, at most `fps` a second, for ever. Raises SourceLost when the camera does not answer."""
    import cv2

    try:
        device = find(source.address)
    except SourceRefused as gone:
        raise SourceLost(str(gone)) from gone
    numbered = NUMBERED.fullmatch(str(device.resolve()))  # links like /dev/v4l/by-id/… lead there
    with _hushed():
        camera = cv2.VideoCapture(int(numbered[1]) if numbered else str(device), cv2.CAP_V4L2)
    try:
        if not camera.isOpened():
            raise SourceLost(f"{device} cannot be opened: is another program using it?")
        camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # or USB is too slow for large pictures
        for what, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, settings.width),
            (cv2.CAP_PROP_FRAME_HEIGHT, settings.height),
            (cv2.CAP_PROP_FPS, settings.fps),
        ):
            if value:
                camera.set(what, value)
        yield from _grabbed(camera, device, settings.fps)
    finally:
        camera.release()


def _grabbed(camera: Any, device: Path, fps: float) -> Iterator[NDArray[np.uint8]]:
    """Every picture is grabbed, or old ones would pile up in the driver; only those wanted are decoded."""
    slot = -1
    while camera.grab():
        if (now := int(time.monotonic() * fps)) <= slot:
            continue
        slot = now
        good, image = camera.retrieve()
        if good:
            yield np.asarray(image, np.uint8)
    raise SourceLost(f"{device} sends no pictures: was it unplugged?")


@contextmanager
def _hushed() -> Iterator[None]:
    """OpenCV writes of its own accord what we say in words."""
    from cv2.utils import logging

    before = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
