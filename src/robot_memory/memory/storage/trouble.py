"""What can be wrong with a memory's file or its disk, as errors a person can act on.

They are SQLite's errors as well, so whoever waits out a full disk or a store in trouble need not know of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from robot_memory.errors import RobotMemoryError, StoreUnreadable

FULL, IO, CORRUPT, READ_ONLY, NO_DATABASE, CANNOT_OPEN = 13, 10, 11, 8, 26, 14  # SQLite's primary result codes
SAID = {
    FULL: "disk is full",
    IO: "disk I/O error",
    CORRUPT: "malformed",
    READ_ONLY: "readonly database",
    NO_DATABASE: "not a database",
    CANNOT_OPEN: "unable to open",
}
NO_TEXT = "Could not decode to UTF-8"  # Python's words, without a code, for a text that is damaged
FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the latter: SQLite's own words quote a name that is damaged


class StoreDamaged(StoreUnreadable, sqlite3.DatabaseError):
    """The file is damaged: what is readable is saved when the robot opens it for writing."""


class StoreForbidden(StoreUnreadable, sqlite3.OperationalError):
    """The file or its folder may not be read or written."""


class DiskTrouble(RobotMemoryError, sqlite3.OperationalError):
    """The disk is full or did not take what was written. The change is undone; try again once there is room."""


def code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where it cannot be known (before Python 3.11, it is read from the message)."""
    known: int | None = getattr(error, "sqlite_errorcode", None)
    if known is not None:
        return known & 0xFF
    return next((number for number, words in SAID.items() if words in str(error)), 0)


def damaged(error: sqlite3.Error | UnicodeDecodeError) -> bool:
    """Does the error say that the file's content is damaged?"""
    if isinstance(error, (UnicodeDecodeError, StoreDamaged)):
        return True
    return code(error) in (CORRUPT, NO_DATABASE) or NO_TEXT in str(error)


def in_words(error: sqlite3.Error | UnicodeDecodeError) -> str:
    """What is damaged, without the damaged text itself: it is somebody's words, and garbles a terminal."""
    if isinstance(error, UnicodeDecodeError):
        return "a name in its list of tables is no text"
    return "a text in it is no UTF-8" if NO_TEXT in str(error) else str(error)


def told(error: sqlite3.Error, path: Path) -> sqlite3.Error:
    """The error in words for a person, where it is about the disk or the file; else as it is."""
    if isinstance(error, RobotMemoryError):
        return error
    if code(error) == FULL:
        return DiskTrouble(f"there is no room to write {path}: the change is undone; make room on its disk")
    if code(error) == IO:
        return DiskTrouble(f"the disk did not take what was written to {path} ({error}): look at its space and health")
    if damaged(error):
        return StoreDamaged(
            f"{path} is damaged ({in_words(error)}): restart the robot (robot-memory up), which saves what is readable "
            "and keeps the damaged file"
        )
    if code(error) in (READ_ONLY, CANNOT_OPEN):
        return StoreForbidden(f"{path} cannot be opened or written ({error}): look at the permissions of its folder")
    return error


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """SQLite's and the disk's errors inside the block, told as what they mean for the file."""
    try:
        yield
    except sqlite3.Error as error:
        if (better := told(error, path)) is error:
            raise
        raise better from error
    except PermissionError as error:
        raise StoreForbidden(f"{path} cannot be opened ({error.strerror}): look at its permissions") from error
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be written: {error.strerror or error}") from error
