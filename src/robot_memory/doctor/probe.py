"""Tries a library in a Python of its own, because a broken one may take its process down with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError

LIMIT_S = 2.2  # less than an examination takes
SOURCES = Path(__file__).resolve().parents[2]


class ProbeFailed(RobotMemoryError):
    """The library could not be used, and why."""


def probe(code: str) -> Any:
    """What `code` prints as JSON in its last line. Raises ProbeFailed with the last line it complained in."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])}
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ProbeFailed(f"no answer within {LIMIT_S:.1f} s") from error
    if done.returncode < 0:
        raise ProbeFailed(f"it crashed ({signal.Signals(-done.returncode).name})")
    said = done.stdout.strip().splitlines()
    if done.returncode or not said:
        raise ProbeFailed((done.stderr.strip().splitlines() or ["it said nothing"])[-1])
    return json.loads(said[-1])
