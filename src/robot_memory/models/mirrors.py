"""What can go wrong with a mirror, and how a transfer is watched and stopped.

A MirrorFailed sends the fetch to the next mirror; a full disk or a cancel ends it, since no other mirror would help.
"""

from __future__ import annotations

import errno
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.models.files import ModelFile
from robot_memory.models.weights import sha256_of

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)


class MirrorFailed(Exception):
    """This mirror cannot serve the file; the text says why, for the final report."""


class WeightsUnwritable(RobotMemoryError):
    """The weights folder is full or cannot be written."""


@dataclass(frozen=True)
class Progress:
    """How far a step is, in bytes. `total` is 0 where it is not known (a package, a conversion)."""

    step: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Watch:
    """Reports progress and carries the wish to stop, into every transfer. `cancel` may be set from any thread."""

    report: Callable[[Progress], None] = lambda progress: None
    cancel: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise Cancelled if the user asked to stop. What was downloaded stays for the next run."""
        if self.cancel.is_set():
            raise Cancelled("fetching was stopped; run it again to go on where it stopped")


def check_bytes(path: Path, file: ModelFile) -> None:
    """Raise MirrorFailed, and delete `path`, unless its size and sha256 are the manifest's."""
    size = path.stat().st_size
    if size != file.bytes:
        path.unlink()
        raise MirrorFailed(f"wrong bytes refused: {size:,} B, the manifest says {file.bytes:,} B")
    if (digest := sha256_of(path)) != file.sha256:
        path.unlink()
        raise MirrorFailed(f"wrong bytes refused: sha256 {digest}, the manifest says {file.sha256}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the failures of writing `path` into one clear line. Raises WeightsUnwritable."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            free = megabytes(free_bytes(path))
            advice = "make room and run the fetch again"
            raise WeightsUnwritable(f"no space left for {path} ({free} free) — {advice}") from error
        if error.errno in FORBIDDEN:
            advice = "set ROBOT_MEMORY_MODELS to a folder of yours"
            raise WeightsUnwritable(f"{path} cannot be written ({error.strerror}) — {advice}") from error
        raise


def free_bytes(path: Path) -> int:
    """Bytes free on the disk where `path` lies or will lie."""
    nearest = next(folder for folder in [path, *path.absolute().parents] if folder.is_dir())
    return shutil.disk_usage(nearest).free


def megabytes(count: float) -> str:
    return f"{count / 1e6:,.1f} MB"
