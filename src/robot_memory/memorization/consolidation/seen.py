"""When and where somebody was seen or heard, and with whom: from the memories about them, archived ones included."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import HOUR_NS, Slot, slot_of
from robot_memory.memorization.consolidation.looking import ANYWHERE, Places

NOWHERE = None


@dataclass(frozen=True)
class Sight:
    """A memory of somebody's presence. `place` None: one without a name, in a house where others have one."""

    memory: int
    slot: Slot
    start_ns: int
    end_ns: int
    minute: int  # of the local day in which the slot is
    place: str | None


@dataclass(frozen=True)
class Meeting:
    """A memory of two in view together."""

    memory: int
    day: int
    start_ns: int
    end_ns: int
    person: int  # the other one


def sights(db: sqlite3.Connection, person: int, where: Places) -> list[Sight]:
    """Somebody's, in order of time."""
    rows = db.execute(
        "SELECT DISTINCT memories.id, memories.start_ns, memories.end_ns, pose, session, utc_offset_s FROM entities "
        "JOIN edges ON entity = entities.id JOIN memories ON memories.id = memory JOIN clips ON clips.id = "
        "memories.clip JOIN sessions ON sessions.id = session WHERE person = ? AND source IN ('seen', 'heard') "
        "ORDER BY memories.start_ns, memories.id",
        (person,),
    )
    return [_sight(row, where) for row in rows]


def meetings(db: sqlite3.Connection, person: int) -> list[Meeting]:
    """Somebody's with others, in order of time."""
    rows = db.execute(
        "SELECT DISTINCT memories.id, memories.start_ns, memories.end_ns, utc_offset_s, theirs.person FROM entities "
        "JOIN edges ON edges.entity = entities.id JOIN memories ON memories.id = edges.memory JOIN edges AS both "
        "ON both.memory = memories.id JOIN entities AS theirs ON theirs.id = both.entity JOIN clips "
        "ON clips.id = memories.clip JOIN sessions ON sessions.id = session WHERE entities.person = ? "
        "AND source = 'seen' AND theirs.person <> entities.person ORDER BY memories.start_ns, memories.id",
        (person,),
    )
    return [
        Meeting(row["id"], slot_of(row["start_ns"], row["utc_offset_s"]).day, row["start_ns"], row["end_ns"], row[4])
        for row in rows
    ]


def days_seen(db: sqlite3.Connection) -> dict[int, set[int]]:
    """Person -> the days on which they were seen or heard."""
    rows = db.execute(
        "SELECT person, memories.start_ns / ? AS hour, max(utc_offset_s) FROM memories "
        "JOIN edges ON memory = memories.id JOIN entities ON entities.id = entity JOIN clips ON clips.id = "
        "memories.clip JOIN sessions ON sessions.id = session WHERE source IN ('seen', 'heard') GROUP BY 1, 2",
        (HOUR_NS,),
    )
    found: dict[int, set[int]] = defaultdict(set)
    for person, hour, offset_s in rows:
        found[person].add(slot_of(hour * HOUR_NS, offset_s).day)
    return dict(found)


def _sight(row: sqlite3.Row, where: Places) -> Sight:
    place = (where.at(row["pose"] or "", row["session"]) or NOWHERE) if where.named else ANYWHERE
    local_s = row["start_ns"] // 10**9 + row["utc_offset_s"]
    slot = slot_of(row["start_ns"], row["utc_offset_s"])
    return Sight(row["id"], slot, row["start_ns"], row["end_ns"], local_s // 60 % 1440, place)
