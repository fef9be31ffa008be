"""The archive: memories that left the index and the search table, but not the file. It has a budget of its own.

What is let go here is gone for good, and counted: `evicted` tells of "memories" that went to the archive and stayed
there, and of what was let go of the "archive". A memory that is observed again comes back (`bring_back`), so no count
of observations is lost to the archive.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.memory.budgets import Evicted, note

MOST_ITEMS = 200  # let go in one call: more than a clip brings, so it never falls behind
NOTHING = Evicted(0, 0, None)
BYTES = "length(CAST(text AS BLOB)) + length(embedding)"  # as `held` counts them
# what does not come along when a memory comes back: its number, where it is, what it was worth, what triggers count
ITS_PLACE = ("id", "archived", "keep", "bearing")
COLUMNS = f"SELECT name FROM pragma_table_info('memories') WHERE name NOT IN {ITS_PLACE}"
LINKS = (
    'SELECT made.name, link."from" FROM sqlite_master AS made JOIN pragma_foreign_key_list(made.name) AS link '
    "WHERE made.type = 'table' AND made.rootpage > 0 AND link.\"table\" = 'memories' ORDER BY 1, 2"
)


@dataclass(frozen=True)
class ArchiveBudget:
    """How much the archive may hold: memories, and bytes of their words and vectors. 0 is no limit."""

    items: int
    bytes: int


def archive(db: sqlite3.Connection, memories: Collection[int]) -> Evicted:
    """These go to the archive, by one statement; those that are there already stay as they are. Words no longer find
    them at once; whoever holds an index takes them out of it (memory/graph.py).
    """
    ids = json.dumps(sorted(memories))
    going = "archived = 0 AND id IN (SELECT value FROM json_each(?))"
    items, size, until_ns = db.execute(
        f"SELECT count(*), sum({BYTES}), max(end_ns) FROM memories WHERE {going}", (ids,)
    ).fetchone()
    if not items:
        return NOTHING
    db.execute(f"UPDATE memories SET archived = 1 WHERE {going}", (ids,))
    taken = Evicted(items, size, until_ns)
    note(db, "memories", taken)
    return taken


def bring_back(db: sqlite3.Connection, memory: int) -> int:
    """Take a memory out of the archive, with all that is linked to it, to be weighed anew; returns its new number. It
    needs one: an index is only ever appended to, in order of the numbers.
    """
    columns = ", ".join(row[0] for row in db.execute(COLUMNS))
    row = db.execute(f"INSERT INTO memories({columns}) SELECT {columns} FROM memories WHERE id = ?", (memory,))
    new = row.lastrowid
    assert new is not None
    for table, column in db.execute(LINKS).fetchall():
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, memory))
    db.execute("DELETE FROM memories WHERE id = ?", (memory,))
    db.execute(
        f"UPDATE evicted SET items = items - 1, bytes = bytes - (SELECT {BYTES} FROM memories WHERE id = ?) "
        "WHERE kind = 'memories'",
        (new,),
    )
    return new


def trim(db: sqlite3.Connection, budget: ArchiveBudget) -> Evicted:
    """Let go what the archive has no room for: what is worth least first, and what a derived memory rests on only when
    nothing else is left. At most MOST_ITEMS go, the rest at the next calls. Inside the caller's transaction, in which
    SQLite must enforce foreign keys: what is linked to a memory goes with it.
    """
    items, size = db.execute("SELECT items, bytes FROM held WHERE kind = 'archive'").fetchone()
    rows = db.execute(
        f"SELECT id, {BYTES} AS bytes, end_ns FROM memories WHERE archived = 1 ORDER BY bearing, keep, id LIMIT ?",
        (MOST_ITEMS,),
    ).fetchall()
    going = []
    for row in rows:
        if not ((budget.items and items > budget.items) or (budget.bytes and size > budget.bytes)):
            break
        going.append(row)
        items, size = items - 1, size - row["bytes"]
    if not going:
        return NOTHING
    db.executemany("DELETE FROM memories WHERE id = ?", [(row["id"],) for row in going])
    taken = Evicted(len(going), sum(row["bytes"] for row in going), max(row["end_ns"] for row in going))
    note(db, "archive", taken)
    return taken
