"""Putting the rows of a whole memory into a new file: nothing is reckoned twice that the rows bring along.

What sums up other tables is not brought along but made anew, so that it cannot disagree with them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS
from robot_memory.memory.storage.tables import Table, tables

VOTES = {"talks", "tallies", "heard"}  # what the votes come to: counted when the graph is opened (people/votes.py)
DERIVED = {"held", *VOTES}


@dataclass(frozen=True)
class Kept:
    """What `held` counts: its name there, and the bytes of which rows."""

    name: str
    table: str
    bytes: str
    which: str


# a text may begin with NUL: its length is 0 then, but that of its bytes is not
MEMORY = "length(CAST(text AS BLOB)) + length(embedding)"
KEPT = (
    Kept("snapshots", "snapshots", "length(jpeg)", "1"),
    Kept("quotes", "turns", "length(CAST(text AS BLOB))", "CAST(text AS BLOB) != x''"),
    Kept("memories", "memories", MEMORY, "archived = 0"),
    Kept("archive", "memories", MEMORY, "archived != 0"),
)


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
        _sum_up(db, version)
        db.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        db.execute("COMMIT")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={version}")


def _sum_up(db: sqlite3.Connection, version: int) -> None:
    """What budgets count, and what rests on what, of what is there now."""
    there = tables(version)
    if "held" in there:
        for kind in KEPT if "derivations" in there else KEPT[:2]:
            db.execute(
                f"INSERT OR REPLACE INTO held(kind, items, bytes) SELECT ?, count(*), coalesce(sum({kind.bytes}), 0)"
                f" FROM {kind.table} WHERE {kind.which}",
                (kind.name,),
            )
    if "derivations" in there:
        db.execute(
            "UPDATE memories SET bearing = (SELECT count(*) FROM derivations WHERE support = memories.id) "
            "WHERE bearing != 0 OR id IN (SELECT support FROM derivations)"
        )
