"""A copy of a memory as it is at one moment, taken while others write to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from robot_memory.memory.storage import files

STEP = 1000  # pages copied between two reports of progress

Progress = Callable[[int, int], None]


def nobody(done: int, of: int) -> None:
    """Progress that nobody follows."""


def copy(db: sqlite3.Connection, target: Path, on_progress: Progress = nobody) -> None:
    """Copy the open memory into an empty file, which gets no log. `on_progress` is told the pages done, of how many,
    and may raise Cancelled.

    All of it is of the moment of the call: a reading transaction is held, so that the writers' changes wait in the log.
    Raises sqlite3.Error, OSError, and what `on_progress` does; what was copied is removed then.
    """

    def step(status: int, remaining: int, total: int) -> None:
        on_progress(total - remaining, total)

    held = not db.in_transaction
    try:
        if held:
            db.execute("BEGIN")
            db.execute("SELECT generation FROM meta").fetchone()
        with closing(sqlite3.connect(target, isolation_level=None)) as new:
            db.backup(new, pages=STEP, progress=step)
            new.execute("PRAGMA journal_mode=DELETE")
        files.sync(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    finally:
        if held and db.in_transaction:
            db.execute("COMMIT")
