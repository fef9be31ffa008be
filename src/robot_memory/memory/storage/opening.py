"""SQLite connections as this house opens them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from robot_memory.memory.storage.files import LOG, beside
from robot_memory.memory.storage.trouble import CANNOT_OPEN, FULL, IO, code

PATIENCE_S = 10.0  # for another connection's lock


def open_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. Raises sqlite3.Error.

    SQLite keeps an index beside a file that is being read; where there can be none (a backup on a read-only disk, a
    disk that is full), the file is read as one that nobody changes, if no log lies beside it.
    """
    log = beside(path, LOG)
    closed = not (log.exists() and log.stat().st_size)
    if closed and not os.access(path.parent, os.W_OK):
        return _open_reading(path, still=True)
    db = _open_reading(path, still=False)
    try:
        db.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        if closed and code(error) in (FULL, IO, CANNOT_OPEN):
            db.close()
            return _open_reading(path, still=True)
    except UnicodeDecodeError:
        pass  # the file is damaged: whoever reads it will be told
    return db


def _open_reading(path: Path, still: bool) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if still else ''}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=PATIENCE_S,
    )
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA query_only=ON")
    return db


def open_writing(path: Path, page_size: int = 4096) -> sqlite3.Connection:
    """A connection, to a new file of pages of `page_size` bytes where there is none. Its committed changes survive a
    power cut, and its deleted rows leave no bytes behind: what was forgotten must not be found by anybody, nor by a
    rescue. Raises sqlite3.Error.
    """
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE_S)
    try:
        db.row_factory = sqlite3.Row
        db.execute(f"PRAGMA page_size={page_size}")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA secure_delete=ON")
    except BaseException:
        db.close()
        raise
    return db
