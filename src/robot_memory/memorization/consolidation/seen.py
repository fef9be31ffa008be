"""When and where somebody was seen or heard, and with whom: from the memories about them, archived ones included."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import Slot, slot_of
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


def days_of(some: Sequence[Sight]) -> set[int]:
    return {one.slot.day for one in some}


def _sight(row: sqlite3.Row, where: Places) -> Sight:
    place = (where.at(row["pose"] or "", row["session"]) or NOWHERE) if where.named else ANYWHERE
    local_s = row["start_ns"] // 10**9 + row["utc_offset_s"]
    slot = slot_of(row["start_ns"], row["utc_offset_s"])
    return Sight(row["id"], slot, row["start_ns"], row["end_ns"], local_s // 60 % 1440, place)
