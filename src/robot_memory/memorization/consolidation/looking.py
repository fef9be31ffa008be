"""On which days the robot saw a place: without that, "on 9 of 11 mornings" could not be said.

A place was looked at in a part of a day where a picture or a memory of then shows by its pose that the robot was there.
Pictures go after some weeks, so what they showed is kept in the table `looked`.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from robot_memory.memorization.consolidation.bands import slot_of
from robot_memory.memory.rooms import Rooms, Span, known_rooms

ANYWHERE = ""  # the place of a robot that was told the names of none
KEPT = "SELECT place, band, day FROM looked"
AT_A_TIME = 1000  # clips read between two steps


@dataclass(frozen=True)
class Places:
    """Where poses are, by the names that places have now; each is worked out once."""

    rooms: Rooms
    spans: Mapping[str, Span]
    known: dict[tuple[str, str], str]

    @property
    def named(self) -> bool:
        """Whether any place has a name."""
        return bool(self.rooms.anchors)

    def at(self, pose: str, session: str) -> str:
        """The place of a pose of a session; empty where nobody has said what it is called."""
        key = (session, pose)
        if key not in self.known:
            span = self.spans.get(session)
            self.known[key] = replace(self.rooms, sessions=(span,) if span else ()).at(pose)
        return self.known[key]


@dataclass(frozen=True)
class Looked:
    """Place and band -> the days on which the robot looked there then; ANYWHERE: on which it looked at all."""

    days: Mapping[tuple[str, int], AbstractSet[int]]

    def at(self, place: str, band: int) -> AbstractSet[int]:
        """The days on which it did."""
        return self.days.get((place, band), frozenset())


def places(db: sqlite3.Connection) -> Places:
    """The places as they are called now."""
    rooms = known_rooms(db)
    return Places(rooms, {span.session: span for span in rooms.sessions}, {})


def looked(db: sqlite3.Connection, where: Places, step: Callable[[], None]) -> Looked:
    """From what the store still has, and from what it had. Read only."""
    found: dict[tuple[str, int], set[int]] = defaultdict(set)
    for place, band, day in db.execute(KEPT):
        found[place, band].add(day)
    for row in _in_steps(
        db.execute(
            "SELECT clips.start_ns, utc_offset_s FROM clips JOIN sessions ON sessions.id = session "
            "WHERE skipped = '' AND frames > 0"
        ),
        step,
    ):
        slot = slot_of(row[0], row[1])
        found[ANYWHERE, slot.band].add(slot.day)
    if where.named:
        for row in _in_steps(_poses(db), step):
            if place := where.at(row["pose"], row["session"]):
                slot = slot_of(row["at_ns"], row["utc_offset_s"])
                found[place, slot.band].add(slot.day)
    return Looked(found)


def unkept(db: sqlite3.Connection, seen: Looked) -> list[tuple[str, int, int]]:
    """What pictures show that is not written down yet: place, band and day."""
    rows = {(place, band, day) for (place, band), days in seen.days.items() if place for day in days}
    return sorted(rows - {tuple(row) for row in db.execute(KEPT)})


def keep(db: sqlite3.Connection, rows: Iterable[tuple[str, int, int]]) -> None:
    """Write down what pictures show as long as there are pictures. Within the caller's transaction."""
    db.executemany("INSERT OR IGNORE INTO looked(place, band, day) VALUES (?, ?, ?)", rows)


def _poses(db: sqlite3.Connection) -> sqlite3.Cursor:
    return db.execute(
        "SELECT pose, stamp_ns AS at_ns, session, utc_offset_s FROM snapshots JOIN clips ON clips.id = clip "
        "JOIN sessions ON sessions.id = session WHERE pose <> '' UNION ALL "
        "SELECT pose, memories.start_ns, session, utc_offset_s FROM memories JOIN clips ON clips.id = clip "
        "JOIN sessions ON sessions.id = session WHERE pose <> '' AND source = 'seen'"
    )


def _in_steps(rows: sqlite3.Cursor, step: Callable[[], None]) -> Iterator[sqlite3.Row]:
    while some := rows.fetchmany(AT_A_TIME):
        yield from some
        step()
