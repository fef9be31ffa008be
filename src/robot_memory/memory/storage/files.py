"""The files that lie beside a memory, their names, and how one of them takes the memory's place.

A file that is to become the memory is made whole first and given a name that says so; from then on a crash only delays
the exchange, which the next opening finishes. The memory it replaces is kept aside, its write-ahead log with it.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from robot_memory.errors import StoreLocked, StoreUnreadable
from robot_memory.memory.vectors import cache

NEXT = ".next-"  # memory.sqlite.next-damaged-20260131T120000Z: whole, and to replace a memory to be kept as "damaged-…"
UNFINISHED = (".rescuing", ".restoring", ".importing", ".copying")  # made anew whenever their making was cut short
LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
NEIGHBOURS = ".hnsw"  # the graph of a large memory's vectors: a cache, made again whenever it is missing
KEPT = ("damaged", "replaced", "format")  # memory.sqlite.damaged-…: why a memory is kept beside another
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


def beside(path: Path, ending: str) -> Path:
    """memory.sqlite and "-wal" make memory.sqlite-wal."""
    return path.with_name(path.name + ending)


def followed(path: Path) -> Path:
    """The file itself, behind symbolic links: its lock, its log and what takes its place lie beside that.

    Raises StoreUnreadable where a link leads to nothing (on a disk that is not mounted, no new memory is begun), and
    where the path is none for the system.
    """
    try:
        for one in (path, *path.parents):
            if one.is_symlink() and not one.exists():
                raise StoreUnreadable(
                    f"{one} is a link to {os.readlink(one)}, which is not there: mount its disk, or remove the link"
                )
        beside(path, f"{NEXT}damaged-{moment()}{JOURNAL}").exists()  # a name may be too long
        return Path(os.path.realpath(path))
    except OSError as error:
        raise StoreUnreadable(f"{path} cannot be opened ({error.strerror}): choose another place") from error


def moment() -> str:
    """Now in UTC, as it stands in names: 20260131T120000Z."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def make_private(path: Path) -> None:
    """An empty file for its owner only, in place of what lies there. Raises OSError."""
    for ending in ("", LOG, INDEX, JOURNAL):
        beside(path, ending).unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


@contextmanager
def being_made(target: Path) -> Iterator[Path]:
    """An empty private file beside `target` that is to take its name inside the block, for one maker at a time. What a
    maker leaves, or left when it was killed, is removed. Raises StoreLocked while another makes it, OSError.
    """
    made = beside(target, ".copying")
    handle = _taken(made)
    if handle is None:
        raise StoreLocked(f"another copy is being made at {target}: wait for it, or choose another name")
    try:
        os.fchmod(handle, PRIVATE)
        os.ftruncate(handle, 0)
        for ending in (LOG, INDEX, JOURNAL):
            beside(made, ending).unlink(missing_ok=True)
        yield made
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


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
    path = Path(os.path.realpath(path))
    beginnings = tuple(f"{path.name}.{word}-" for word in KEPT)
    return sorted(file for file in path.parent.iterdir() if file.name.startswith(beginnings))


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
        cache.forget(beside(path, NEIGHBOURS))
        sync(path.parent)
        os.replace(made, path)
        sync(path.parent)
    return old


def sweep(path: Path) -> None:
    """Remove what was being made when a process was killed: it was never the only copy of anything."""
    cache.clear(beside(path, NEIGHBOURS))
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


def _taken(made: Path) -> int | None:
    """The open file with its lock, which the system releases however its process ends; None where another has it."""
    while True:
        handle = os.open(made, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), made.stat()):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except FileNotFoundError:
            pass
        os.close(handle)  # it took its name after it was opened here: it is a finished copy now
