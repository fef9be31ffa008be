"""Putting the rows of a whole memory into a new file: nothing is reckoned twice that the rows bring along."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS


@contextmanager
def new_file(path: Path, version: int, page_size: int) -> Iterator[sqlite3.Connection]:
    """The tables of a format in a new file, to be filled inside the block in one transaction. Until that is over the
    file may be lost, so it is not made to survive crashes; afterwards its search index is made.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size={page_size}")
        db.execute("PRAGMA journal_mode=MEMORY")
        db.execute("PRAGMA synchronous=OFF")
        for step in STEPS[:version]:
            db.executescript(step)
        db.execute("BEGIN")
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        yield db
        for _, sql in triggers:
            db.execute(sql)
        db.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        db.execute("COMMIT")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={version}")
