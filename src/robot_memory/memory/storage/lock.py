"""One writer: a lock file beside the memory, which the system releases however its process ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from robot_memory.errors import StoreLocked, StoreUnreadable
from robot_memory.memory.storage.files import PRIVATE, PRIVATE_FOLDER, beside


def take(path: Path) -> int:
    """Take the writer's lock, making the folder for its owner only if there is none; returns the handle to close.

    Raises StoreLocked naming the process that holds it, StoreUnreadable where the folder cannot be written.
    """
    try:
        _make(path.parent)
        handle = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    except OSError as error:
        raise StoreUnreadable(
            f"{path.parent} cannot be written ({error.strerror}): "
            "choose another place with --store or ROBOT_MEMORY_HOME, or change its permissions"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise StoreLocked(f"{path} is being written by process {holder}: stop it, or use its services") from error
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
    except OSError:
        pass  # a full disk: the lock holds all the same, only its holder's number is not known
    return handle


@contextmanager
def held(path: Path) -> Iterator[None]:
    """The lock for the length of the block."""
    handle = take(path)
    try:
        yield
    finally:
        os.close(handle)


def _make(folder: Path) -> None:
    """Make a folder and those it lies in. A power cut takes no name away that was synced where it stands."""
    lacking = [one for one in folder.parents if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    for one in (folder, *lacking):
        try:
            handle = os.open(one.parent, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue  # it may not be read: then its owner made ours
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
