"""How long pictures and people's own words are kept: for some days, and within some bytes, the oldest going first.

Age is counted in days the robot has lived (clips.lived_ns, by trigger), not by subtracting stamps: stamps may leap.
A pause or a leap of the clock counts as one day at most, and a step back as none, so one clip stamped in 2060 ages a
memory by a day and no more. Oldest is what was stored first. Each call does a bounded piece of work.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from robot_memory.memory.days import DAY_NS

MOST_ITEMS = 500  # taken in one call
MOST_BYTES = 1_000_000  # in one call: about 5 ms
LEAST_ITEMS = 8  # may go whatever their size: more pictures than a clip brings, or taking could fall behind


@dataclass(frozen=True)
class Budget:
    """What may be kept: `days` lived by the robot, `bytes` of content. 0 is no limit."""

    days: float
    bytes: int


@dataclass(frozen=True)
class Evicted:
    """What was taken away. `until_ns`: the stamp of the last item taken, None if there was none."""

    items: int
    bytes: int
    until_ns: int | None


@dataclass(frozen=True)
class Kind:
    """Where a kind is kept: its rows as they were stored (id, stamp_ns, bytes, lived_ns), and how one is emptied."""

    oldest: str
    empty: str


KINDS = {
    "snapshots": Kind(
        "SELECT snapshots.id, stamp_ns, length(jpeg) AS bytes, lived_ns FROM snapshots "
        "JOIN clips ON clips.id = snapshots.clip ORDER BY snapshots.clip, stamp_ns LIMIT ?",
        "DELETE FROM snapshots WHERE id = ?",
    ),
    # the turn stays, with who spoke when: only its words go
    "quotes": Kind(
        "SELECT turns.id, turns.start_ns AS stamp_ns, length(CAST(text AS BLOB)) AS bytes, lived_ns FROM turns "
        "JOIN clips ON clips.id = turns.clip WHERE text != '' ORDER BY turns.clip, turns.id LIMIT ?",
        "UPDATE turns SET text = '' WHERE id = ?",
    ),
}


def keep_within(db: sqlite3.Connection, kind: str, budget: Budget) -> Evicted:
    """Take away what is older or more than the budget of "snapshots" or "quotes" allows, the oldest first.

    At most MOST_ITEMS and, past the first few, MOST_BYTES are taken; the rest goes at the next calls. What was taken is
    added to the table `evicted`. To be called within a transaction, after each clip.
    """
    items = _surplus(db, KINDS[kind], budget, held(db, kind))
    if not items:
        return Evicted(0, 0, None)
    db.executemany(KINDS[kind].empty, [(item["id"],) for item in items])
    taken = Evicted(len(items), sum(item["bytes"] for item in items), items[-1]["stamp_ns"])
    note(db, kind, taken)
    return taken


def note(db: sqlite3.Connection, kind: str, taken: Evicted) -> None:
    """Add what was taken to the table `evicted`."""
    db.execute(
        "INSERT INTO evicted(kind, items, bytes, until_ns) VALUES (?, ?, ?, ?) ON CONFLICT(kind) DO UPDATE SET "
        "items = items + excluded.items, bytes = bytes + excluded.bytes, until_ns = excluded.until_ns",
        (kind, taken.items, taken.bytes, taken.until_ns),
    )


def held(db: sqlite3.Connection, kind: str) -> int:
    """Bytes of a kind that are kept now, by the running total that triggers keep."""
    row = db.execute("SELECT bytes FROM held WHERE kind = ?", (kind,)).fetchone()
    return int(row[0]) if row else 0


def _surplus(db: sqlite3.Connection, kind: Kind, budget: Budget, kept: int) -> list[sqlite3.Row]:
    """The oldest items that the budget has no room for, as many as one call may take."""
    newest = db.execute("SELECT lived_ns FROM clips ORDER BY id DESC LIMIT 1").fetchone()
    if newest is None:
        return []
    forgotten_ns = newest[0] - budget.days * DAY_NS if budget.days else None
    surplus: list[sqlite3.Row] = []
    size = 0
    for item in db.execute(kind.oldest, (MOST_ITEMS,)):
        too_old = forgotten_ns is not None and item["lived_ns"] < forgotten_ns
        too_much = budget.bytes and kept - size > budget.bytes
        if not (too_old or too_much) or (len(surplus) >= LEAST_ITEMS and size + item["bytes"] > MOST_BYTES):
            break
        surplus.append(item)
        size += item["bytes"]
    return surplus
