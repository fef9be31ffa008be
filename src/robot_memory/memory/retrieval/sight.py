"""The sight channel: what was seen reads alike ("… was in view."), so whom and when tell it apart, and not its words.

What was seen is of its own time: where a question names a time, what was seen at another is no answer to it. What was
heard may tell of another time than its own.
"""

from __future__ import annotations

import sqlite3

from robot_memory.memory.retrieval.filters import Passing, about
from robot_memory.memory.retrieval.query import Query


def sightings(db: sqlite3.Connection, query: Query, passing: Passing, most: int) -> set[int]:
    """The newest sightings of the persons asked about, or of anybody, in the time that is asked about; none where the
    question is not about what was seen.
    """
    if not query.of_sight:
        return set()
    given = passing.filter
    if query.theirs:
        given = given.and_(about(query.theirs))
    start_ns, end_ns = query.during_ns
    rows = db.execute(
        "SELECT id FROM memories WHERE source = 'seen' AND end_ns >= coalesce(?, end_ns) "
        f"AND start_ns < coalesce(?, start_ns + 1) AND {given.sql} ORDER BY start_ns DESC, id DESC LIMIT ?",
        (start_ns, end_ns, *given.values, most),
    )
    return {row["id"] for row in rows}


def was_then(row: sqlite3.Row, query: Query) -> bool:
    """Was a memory in the time that is asked about, or heard so soon after it that it may tell of it?"""
    (start_ns, end_ns), later_ns = query.during_ns, query.told_later_ns if row["source"] == "heard" else 0
    begun = end_ns is None or row["start_ns"] < end_ns + later_ns
    return begun and (start_ns is None or bool(row["end_ns"] >= start_ns))
