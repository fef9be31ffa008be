"""Putting the rows of a whole memory into a new file: nothing is reckoned twice that the rows bring along.

What sums up other tables is not brought along but made anew, so that it cannot disagree with them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS
from robot_memory.memory.storage.tables import Table, tables

VOTES = {"talks", "tallies", "heard"}  # what the votes come to: counted when the graph is opened (people/votes.py)
DERIVED = {"held", *VOTES}


def carried(version: int) -> Mapping[str, Table]:
    """The tables of a format whose rows go into a new file."""
    return {name: table for name, table in tables(version).items() if name not in DERIVED}


@contextmanager
def new_file(path: Path, version: int, page_size: int) -> Iterator[sqlite3.Connection]:
    """The tables of a format in a new file, to be filled inside the block in one transaction. Until that is over the
    file may be lost, so it is not made to survive crashes; afterwards its totals and its search index are made.
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
        if "held" in tables(version):
            _sum_up(db)
        db.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        db.execute("COMMIT")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={version}")


def _sum_up(db: sqlite3.Connection) -> None:
    """What budgets count, of what is there now."""
    for kind, table, column in (("snapshots", "snapshots", "jpeg"), ("quotes", "turns", "text")):
        db.execute(
            f"INSERT OR REPLACE INTO held(kind, items, bytes) SELECT ?, count(*),"
            f" coalesce(sum(length(CAST({column} AS BLOB))), 0) FROM {table}"
            f" WHERE CAST({column} AS BLOB) != x''",  # a text may begin with NUL: its length is 0 then
            (kind,),
        )
