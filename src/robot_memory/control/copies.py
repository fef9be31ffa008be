"""Copies of a memory on a terminal: backup and restore, export and import; and vectors made anew, or their index.

What takes long shows itself on standard error; Ctrl-C leaves nothing half made.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from robot_memory import config
from robot_memory.control.operator_terminal import writing
from robot_memory.control.options import Memory
from robot_memory.control.service import checksum_of, models_of
from robot_memory.control.upkeep import consolidated, rebuilt
from robot_memory.errors import Cancelled, RobotMemoryError, StoreLocked
from robot_memory.language.opening import open_text_embedder
from robot_memory.memory import reembed as renewing
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage import backup as saving
from robot_memory.memory.storage import jsonlines
from robot_memory.models.manifest import load_profile

REDRAW_S, LOG_S = 0.2, 10.0


class FileThere(RobotMemoryError):
    """What would be written over is left alone."""


class NoPlace(RobotMemoryError):
    """The system takes no file of this name."""


def backup(path: Path, file: Path) -> int:
    """Copy the memory to a new file; it may be in use."""
    target = _new(file)
    with _shown("backup") as show:
        size = saving.backup(path, target, show)
    print(f"{path} is copied to {target}: {size:,} bytes")
    return 0


def restore(path: Path, file: Path) -> int:
    """Put a backup in the memory's place."""
    with _shown("restore") as show:
        kept = saving.restore(config.expanded(file), path, show)
    print(f"{path} is the backup {file} now" + (f"; what was there is kept in {kept}" if kept else ""))
    return 0


def export(path: Path, file: Path) -> int:
    """Write the memory as JSON lines to a new file; it may be in use."""
    target = _new(file)
    with _shown("export") as show:
        rows = jsonlines.export_lines(path, target, show)
    print(f"{path} is written to {target}: {rows:,} rows")
    return 0


def take_in(path: Path, file: Path) -> int:
    """Make a new memory of an export."""
    with _shown("import") as show:
        rows = jsonlines.import_lines(config.expanded(file), path, show)
    with writing(path):  # makes what an export leaves out
        pass
    print(f"{path} is made of {file}: {rows:,} rows")
    return 0


def reembed(memory: Memory, profile: str) -> int:
    """Make the vectors of other models anew with the profile's, or have the robot do it that writes the memory."""
    with _shown("reembed") as show:
        try:
            with writing(memory.path) as store:
                model = load_profile(profile).model("text_embedding")
                count = renewing.reembed(store, open_text_embedder(model), show, checksum_of(model))
            message = f"{count:,} memories have new vectors, of {model.name}"
        except StoreLocked as locked:
            done = memory.running(locked).reembed(memory.path, memory.namespace, lambda stage, share: show(share))
            message = done.message
    print(message)
    return 0


def reindex(memory: Memory, profile: str) -> int:
    """Make the index of vectors anew, or have the robot do it that writes the memory."""
    with _shown("reindex") as show:
        try:
            with writing(memory.path) as store, closing(MemoryGraph(store, models_of(load_profile(profile)))) as graph:
                done = rebuilt(graph, show)
        except StoreLocked as locked:
            done = memory.running(locked).reindex(memory.path, memory.namespace, lambda stage, share: show(share))
    print(done.message)
    return 0


def consolidate(memory: Memory, profile: str) -> int:
    """Make rules of what repeats, or have the robot do it that writes the memory."""
    with _shown("consolidate") as show:
        try:
            chosen = load_profile(profile)
            with writing(memory.path) as store, closing(MemoryGraph(store, models_of(chosen))) as graph:
                done = consolidated(graph, open_text_embedder(chosen.model("text_embedding")), show)
        except StoreLocked as locked:
            done = memory.running(locked).consolidate(memory.path, memory.namespace, lambda stage, share: show(share))
    print(done.message)
    return 0


def _new(file: Path) -> Path:
    """The path, if nothing is there: a copy never writes over anything."""
    target = config.expanded(file)
    try:
        there = target.exists() or target.is_symlink()
    except OSError as error:
        raise NoPlace(f"{target} is no place for a copy ({error.strerror}): choose another name") from error
    if there:
        raise FileThere(f"{target} is there already: choose another name")
    return target


class _Share:
    """The share done on standard error: redrawn on a terminal, a line now and then elsewhere; quick work says nothing
    there.
    """

    def __init__(self, what: str) -> None:
        self._what, self._live = what, sys.stderr.isatty()
        self._told, self._drawn = time.monotonic(), False

    def __call__(self, share: float) -> None:
        if time.monotonic() - self._told < (REDRAW_S if self._live else LOG_S):
            return
        self._told, self._drawn = time.monotonic(), True
        start, end = ("\r\x1b[K", "") if self._live else ("", "\n")
        print(f"{start}{self._what} {share:.0%}", end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._live and self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def _shown(what: str) -> Iterator[_Share]:
    share = _Share(what)
    try:
        yield share
    except (KeyboardInterrupt, Cancelled):
        share.end()
        print(f"robot-memory: {what} was stopped", file=sys.stderr)
        raise KeyboardInterrupt from None
    finally:
        share.end()
