"""The door to system_calls.c: compiled with the machine's C compiler, preloaded into a process, spoken to from within.

A process that was not started with it has no door: `Calls.here()` is None there.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("system_calls.c")
HEAD = struct.Struct("=ciqIII")  # as `note` writes it
OPENED, WRITTEN, TRUNCATED, SYNCED, RENAMED, LINKED, REMOVED, MADE, MARKED = "owtsrlum!"
CREATE, EMPTY = 1, 2  # of an opening


class CannotCompile(Exception):
    """There is no C compiler, or it does not like the source."""


def compiled(folder: Path) -> Path:
    """The library, made in `folder`. Raises CannotCompile."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise CannotCompile("there is no C compiler (cc): install one to place crashes at system calls")
    library = folder / "system_calls.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CannotCompile(done.stderr)
    return library


def preloaded(library: Path | None) -> dict[str, str]:
    """The environment of a process that is to be watched."""
    others = os.environ.get("LD_PRELOAD", "")
    return {**os.environ, **({"LD_PRELOAD": f"{library} {others}".strip()} if library else {})}


class Calls:
    """The calls of this process that change something below a folder."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.calls_kill_at.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_int]
        library.calls_seen.restype = ctypes.c_long
        library.calls_move_clock.argtypes = [ctypes.c_int64]

    @staticmethod
    def here() -> Calls | None:
        library = ctypes.CDLL(None)
        return Calls(library) if hasattr(library, "calls_below") else None

    def below(self, folder: Path) -> None:
        self._library.calls_below(os.fsencode(folder.absolute()))

    def kill_at(self, number: int, per_mille: int, tell: int) -> None:
        """Be killed with -9 in place of call `number`, counted from now on; of a write, `per_mille` still happens.
        Which call it was is written to the descriptor `tell`.
        """
        self._library.calls_kill_at(number, per_mille, tell)

    def seen(self) -> int:
        return int(self._library.calls_seen())

    def record(self, path: Path | None) -> None:
        """Write the calls down from now on; None ends it."""
        self._library.calls_record(os.fsencode(path) if path else None)

    def mark(self, text: str) -> None:
        """A word among the calls."""
        self._library.calls_mark(text.encode())

    def move_clock(self, seconds: int) -> None:
        """The wall clock jumps, for this process."""
        self._library.calls_move_clock(seconds)


@dataclass(frozen=True)
class Call:
    """One call that succeeded. `number`: an opening's flags, a write's offset or a new size."""

    what: str
    handle: int
    number: int
    path: str
    other: str
    data: bytes


def recorded(path: Path) -> Iterator[Call]:
    """The calls that were written down, in order."""
    log = path.read_bytes()
    at = 0
    while at < len(log):
        what, handle, number, *lengths = HEAD.unpack_from(log, at)
        at += HEAD.size
        parts = []
        for length in lengths:
            parts.append(log[at : at + length])
            at += length
        yield Call(what.decode(), handle, number, os.fsdecode(parts[0]), os.fsdecode(parts[1]), parts[2])
