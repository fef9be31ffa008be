"""Microphones and cameras of this machine."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator

from robot_memory.devices import portaudio, v4l2
from robot_memory.doctor.finding import Finding, missing, ok, warning
from robot_memory.doctor.probe import ProbeFailed, probe

PROBE = "import json; from robot_memory.devices import portaudio; print(json.dumps(portaudio.names()))"
DRIVER = "plug one in, or let a ROS driver publish it"


def microphones() -> Iterator[Finding]:
    """Through PortAudio; its absence is no fault where a ROS driver publishes sound."""
    if importlib.util.find_spec("sounddevice") is None:
        yield missing("microphone", portaudio.PACKAGE.partition(" — ")[0], "pip install sounddevice")
        return
    try:
        found = probe(PROBE)
    except ProbeFailed as error:
        lacks = portaudio.LIBRARY.partition(" — ")[0] in str(error)
        text = "PortAudio is not installed" if lacks else f"PortAudio cannot be used: {error}"
        yield missing("microphone", text, "sudo apt install libportaudio2")
        return
    if found:
        yield ok("microphone", "; ".join(found))
    else:
        yield missing("microphone", "none is plugged in", DRIVER)


def cameras() -> Iterator[Finding]:
    """Through Video4Linux."""
    found = v4l2.names()
    if not found:
        yield missing("camera", "none is plugged in", DRIVER)
    for path, name in found.items():
        if os.access(path, os.R_OK | os.W_OK):
            yield ok("camera", f"{path} {name}".strip())
        else:
            remedy = "sudo usermod -aG video $USER, and log in again"
            yield warning("camera", f"{path} {name} may not be used by this user", remedy)
