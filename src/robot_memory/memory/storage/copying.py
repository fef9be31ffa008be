"""A copy of a memory as it is at one moment, taken while others write to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from robot_memory.errors import Cancelled
from robot_memory.memory.storage import files

STEP = 1000  # pages copied between two looks at whether to go on

Progress = Callable[[int, int], None]


def nobody(done: int, of: int) -> None:
    """Progress that nobody follows."""


def never() -> bool:
    """Work that nobody stops."""
    return False


def copy(
    db: sqlite3.Connection, target: Path, on_progress: Progress = nobody, stopped: Callable[[], bool] = never
) -> None:
    """Copy the open memory into a new private file without a log. `on_progress`: pages done, of how many.

    All of it is of the moment of the call: a reading transaction is held, so that the writers' changes wait in the log.
    Raises Cancelled, sqlite3.Error, OSError; what was copied is removed then.
    """

    def step(status: int, remaining: int, total: int) -> None:
        on_progress(total - remaining, total)
        if stopped():
            raise Cancelled("the copy was stopped: nothing was changed")

    files.make_private(target)
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
