"""Runs pip and the conversion scripts as child processes that can be cancelled and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from robot_memory.models.mirrors import Watch

POLL_S = 0.1
PIP_OPTIONS = ("--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check", "--retries", "2")
# Habits set for installing into this Python would spoil a download: what is fetched here never gets installed.
PIP_HABITS_OFF = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_CONSTRAINT": "", "PIP_TARGET": ""}


class CommandFailed(Exception):
    """A child process failed; the text is the last thing it said."""


class PackagesOutOfReach(CommandFailed):
    """pip reached no package index at all, so asking for another package is a waste of time."""


def run_pip(arguments: Sequence[str], scratch: Path, watch: Watch) -> None:
    """Run this Python's pip without its cache, temporary files in `scratch`.

    Raises CommandFailed, PackagesOutOfReach or Cancelled.
    """
    run([sys.executable, "-m", "pip", *arguments, *PIP_OPTIONS], {**PIP_HABITS_OFF, "TMPDIR": str(scratch)}, watch)


def run(command: Sequence[str], environment: Mapping[str, str], watch: Watch) -> None:
    """Run `command` to its end. Raises CommandFailed with its last words, or Cancelled after ending it."""
    quiet, whole = subprocess.DEVNULL, {**os.environ, **environment}
    child = subprocess.Popen(command, env=whole, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, text=True)
    with child:
        try:
            said = wait(child, watch)
        finally:
            if child.poll() is None:
                child.terminate()
    if child.returncode == 0:
        return
    if "after connection broken by" in said:
        raise PackagesOutOfReach("PyPI is out of reach")
    raise CommandFailed(last_words(said) or f"{command[0]} ended with {child.returncode}")


def wait(child: subprocess.Popen[str], watch: Watch) -> str:
    while True:
        watch.check()
        try:
            return child.communicate(timeout=POLL_S)[1]
        except subprocess.TimeoutExpired:
            continue


def last_words(said: str) -> str:
    """The last error line of what a child wrote, else its last line that is no warning."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("WARNING")]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or [""])[-1]
