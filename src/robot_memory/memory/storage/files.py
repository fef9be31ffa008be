"""The files that lie beside a memory, their names, and how one of them takes the memory's place.

A file that is to become the memory is made whole first and given a name that says so; from then on a crash only delays
the exchange, which the next opening finishes. The memory it replaces is kept aside, its write-ahead log with it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

NEXT = ".next-"  # memory.sqlite.next-damaged-20260131T120000Z: whole, and to replace a memory to be kept as "damaged-…"
UNFINISHED = (".rescuing", ".restoring", ".importing", ".copying")  # made anew whenever their making was cut short
LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


def beside(path: Path, ending: str) -> Path:
    """memory.sqlite and "-wal" make memory.sqlite-wal."""
    return path.with_name(path.name + ending)


def moment() -> str:
    """Now in UTC, as it stands in names: 20260131T120000Z."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def make_private(path: Path) -> None:
    """An empty file for its owner only, in place of what lies there. Raises OSError."""
    for ending in ("", LOG, INDEX, JOURNAL):
        beside(path, ending).unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def sync(path: Path) -> None:
    """Put a file, or a folder's names, on the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put(made: Path, target: Path) -> None:
    """A finished file takes its name, durably. Raises OSError."""
    sync(made)
    os.replace(made, target)
    sync(target.parent)


def kept(path: Path) -> list[Path]:
    """The files we keep beside a memory: damaged or replaced ones, and those of an older format, logs included."""
    words = tuple(f"{path.name}.{word}-" for word in ("damaged", "replaced", "format"))
    return sorted(file for file in path.parent.iterdir() if file.name.startswith(words))


def exchange(made: Path, path: Path, word: str) -> Path | None:
    """The finished file `made` becomes the memory at `path`; returns where the old one is kept, None if there was
    none. A kill anywhere in between is made good by `finish_exchange`. Raises OSError.
    """
    put(made, beside(path, f"{NEXT}{word}-{moment()}"))
    return finish_exchange(path)


def exchange_waits(path: Path) -> bool:
    """Was an exchange cut short?"""
    return bool(_waiting(path))


def finish_exchange(path: Path) -> Path | None:
    """Finish what a crash cut short; returns where the old memory is kept. For the holder of the lock."""
    old = None
    for made in _waiting(path):
        name = made.name[len(path.name) + len(NEXT) :]
        for ending in ("", LOG, JOURNAL):
            if beside(path, ending).exists():
                aside = _free(beside(path, f".{name}"), ending)
                os.replace(beside(path, ending), aside)
                aside.chmod(PRIVATE)
                old = old if ending else aside
        beside(path, INDEX).unlink(missing_ok=True)
        sync(path.parent)
        os.replace(made, path)
        sync(path.parent)
    return old


def sweep(path: Path) -> None:
    """Remove what was being made when a process was killed: it was never the only copy of anything."""
    for ending in UNFINISHED:
        for rest in ("", LOG, INDEX, JOURNAL):
            beside(path, ending + rest).unlink(missing_ok=True)


def _waiting(path: Path) -> list[Path]:
    if not path.parent.is_dir():
        return []
    return sorted(file for file in path.parent.iterdir() if file.name.startswith(path.name + NEXT))


def _free(aside: Path, ending: str) -> Path:
    """A name that is not taken, for two things kept in one second. SQLite finds a log by its file's name."""
    number, name = 1, aside
    while beside(name, ending).exists():
        number += 1
        name = beside(aside, f"-{number}")
    return beside(name, ending)
