"""What becomes of derived memories when what they rest on is forgotten: they are weaker, or fall with it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection

from robot_memory.memorization.consolidation.bounds import LEAST_DAYS
from robot_memory.memorization.consolidation.rule import DERIVED, MOST_SUPPORTS, ROUTINE

COUNTED = re.compile(r" \([^()]*\)\.$")


def fall(db: sqlite3.Connection, gone: Collection[int]) -> tuple[int, ...]:
    """`gone`: memories that were deleted, or are about to be, in this transaction. Derived memories with too little
    left to rest on are deleted, and returned: whoever holds an index takes them out of it. The others lose their
    counts, until the next consolidation counts anew.
    """
    db.execute("DELETE FROM derivations WHERE support IN (SELECT value FROM json_each(?))", (json.dumps(list(gone)),))
    fallen = list[int]()
    for row in db.execute(
        "SELECT id, text, count, attribute, (SELECT count(*) FROM derivations WHERE memory = memories.id) AS supports "
        "FROM memories WHERE source = ? AND kind = 'semantic' ORDER BY id",
        (DERIVED,),
    ).fetchall():
        if row["supports"] < (LEAST_DAYS if row["attribute"] == ROUTINE else 1):
            fallen.append(row["id"])
        elif row["attribute"] == ROUTINE and row["supports"] < min(row["count"], MOST_SUPPORTS):
            text = COUNTED.sub(f" (at least {row['supports']} days).", row["text"])
            db.execute("UPDATE memories SET count = ?, text = ? WHERE id = ?", (row["supports"], text, row["id"]))
    db.executemany("DELETE FROM memories WHERE id = ?", [(memory,) for memory in fallen])
    return tuple(fallen)
