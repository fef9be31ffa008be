"""The file that keeps a graph of neighbours beside the store, so that it need not be built again: a cache, never the
only copy of anything.

Two files: the graph as hnswlib writes it, and a small head that says whose it is, of when, and what its bytes must be.
Both are 0600 and take their names when they are whole. A torn graph could crash the process that loads it, so nothing
is loaded whose size and checksum are not those of the head; the head has a checksum of its own.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

FORMAT = 1
HEAD, MAKING = ".head", ".making"  # beside memory.sqlite.hnsw
PIECE = 1 << 20  # bytes between looks at whether to stop


class Unusable(Exception):
    """What is there cannot be used, and why: the graph is built anew."""


class Stopped(Exception):
    """What is read or written is not wanted any more: raised by `go_on`, which is called between steps."""


@dataclass(frozen=True)
class Home:
    """Where a graph is cached, and whose vectors it is of."""

    path: Path
    model: str


@dataclass(frozen=True)
class Generation:
    """Which store an index follows, by its first session, and up to which change."""

    store: str
    number: int


@dataclass(frozen=True)
class Head:
    """What a cached graph is of. `generation`: of the store, when the newest of its memories was added."""

    store: str
    model: str
    dimension: int
    links: int
    effort: int
    generation: int
    last_id: int
    count: int
    size: int = 0
    sha256: str = ""
    format: int = FORMAT


def make(path: Path, head: Head, save: Callable[[str], None], size: int, go_on: Callable[[], None]) -> Head:
    """Write a graph of `size` bytes beside its place, on the disk; returns the head to `put` it in place with. Raises
    OSError, Stopped.
    """
    making = _beside(path, MAKING)
    making.unlink(missing_ok=True)
    os.close(os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    save(str(making))
    _sync(making)
    if making.stat().st_size != size:  # hnswlib does not tell of a full disk
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(making))
    return replace(head, size=size, sha256=_checksum(making, go_on))


def put(path: Path, head: Head) -> None:
    """What was made takes its place. A kill between the graph and its head leaves a head that does not fit, which costs
    a build. Raises OSError.
    """
    os.replace(_beside(path, MAKING), path)
    _write_head(path, head)


def clear(path: Path) -> None:
    """Remove what is half-made. Raises OSError."""
    for file in (_beside(path, MAKING), _beside(path, HEAD + MAKING)):
        file.unlink(missing_ok=True)


def read(path: Path, wanted: Head, go_on: Callable[[], None]) -> Head:
    """The head of the graph at `path`, after all of its bytes were checked. `wanted`: what the caller has; a cache may
    be older and smaller. Raises Unusable, Stopped.
    """
    try:
        head = _read_head(path)
        for name in ("format", "store", "model", "dimension", "links", "effort"):
            if getattr(head, name) != getattr(wanted, name):
                raise Unusable(f"its {name} is {getattr(head, name)!r}, not {getattr(wanted, name)!r}")
        if head.generation > wanted.generation:  # a backup was put back; ids alone do not tell
            raise Unusable("it is of a later time than the store")
        if path.stat().st_size != head.size or _checksum(path, go_on) != head.sha256:
            raise Unusable("its bytes are not those that were written")
    except FileNotFoundError as error:
        raise Unusable("there is none") from error
    except OSError as error:
        raise Unusable(f"it cannot be read ({error.strerror})") from error
    return head


def forget(path: Path) -> None:
    """Remove all of a cache, half-made files included. Raises OSError."""
    clear(path)
    for file in (path, _beside(path, HEAD)):
        file.unlink(missing_ok=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _read_head(path: Path) -> Head:
    try:
        checksum, _, text = _beside(path, HEAD).read_text("ascii").partition("\n")
        if hashlib.sha256(text.encode()).hexdigest() != checksum:
            raise Unusable("its head is torn")
        values = json.loads(text)
        if values.get("format") != FORMAT or set(values) != {field.name for field in fields(Head)}:
            raise Unusable("it is of another version")
        return Head(**values)
    except ValueError as error:
        raise Unusable("its head is torn") from error


def _write_head(path: Path, head: Head) -> None:
    text = json.dumps(asdict(head), indent=1) + "\n"
    making = _beside(path, HEAD + MAKING)
    making.unlink(missing_ok=True)
    with os.fdopen(os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(hashlib.sha256(text.encode()).hexdigest() + "\n" + text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(making, _beside(path, HEAD))
    _sync(path.parent)


def _checksum(path: Path, go_on: Callable[[], None]) -> str:
    checksum = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            go_on()
            checksum.update(piece)
    return checksum.hexdigest()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
