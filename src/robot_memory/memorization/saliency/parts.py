"""Which reasons a remembered sentence has, and how much of each: 1, or bits of surprise. Read from the store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.memorization.saliency.surprise import SOMEWHERE, Event, event_of
from robot_memory.memorization.saliency.table import CLAIM, FIRST_MEETING, FIRST_PLACE, QUESTION, SURPRISE, reasons
from robot_memory.memory.retrieval.wording import asks

BETWEEN = "\x1f"
READ = f"""
    SELECT m.id, m.clip, m.text, m.source, m.attribute, m.surprise, m.saliency, coalesce(m.pose, '') AS pose,
        m.start_ns, utc_offset_s,
        coalesce((SELECT group_concat(beside.attribute, char({ord(BETWEEN)})) FROM memories AS beside
            WHERE beside.clip = m.clip AND beside.turn = m.turn AND beside.attribute IS NOT NULL), m.attribute, '')
            AS claimed,
        EXISTS (SELECT 1 FROM edges JOIN entities AS whom ON whom.id = entity WHERE memory = m.id AND NOT EXISTS
            (SELECT 1 FROM entities AS before WHERE before.person = whom.person AND before.clip < m.clip)) AS meets
    FROM memories AS m JOIN clips ON clips.id = m.clip JOIN sessions ON sessions.id = session
    WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id
"""


@dataclass(frozen=True)
class Remembered:
    """A memory as far as its saliency depends on it. `claimed`: attributes of the claims that it makes, or that were
    learnt from the same words; `meets`: it is about somebody never met before its clip; `surprise`: None until weighed.
    """

    id: int
    clip: int
    text: str
    source: str
    claimed: frozenset[str]
    meets: bool
    event: Event
    surprise: float | None
    saliency: float

    def parts(self, surprise: float, first_clip: int) -> dict[str, float]:
        """Reason -> how much of it. `first_clip`: in which the robot first was at that place."""
        found = {
            SURPRISE: surprise,
            FIRST_MEETING: float(self.meets),
            FIRST_PLACE: float(first_clip in (0, self.clip) and self.event.place != SOMEWHERE),
            CLAIM: float(bool(self.claimed)),
            QUESTION: float(self.source == "heard" and asks(self.text)),
        }
        for one in reasons():
            if one.name not in found:
                said = self.source == "heard" and one.words.search(self.text) is not None
                found[one.name] = float(
                    said or self.source in one.sources or not self.claimed.isdisjoint(one.attributes)
                )
        return found


def remembered(db: sqlite3.Connection, memories: Collection[int]) -> list[Remembered]:
    """These memories, in order of id."""
    return [_of(row) for row in db.execute(READ, (json.dumps(sorted(memories)),))]


def _of(row: sqlite3.Row) -> Remembered:
    return Remembered(
        row["id"],
        row["clip"],
        row["text"],
        row["source"],
        frozenset(row["claimed"].split(BETWEEN)) - {""},
        bool(row["meets"]),
        event_of(row["source"], row["attribute"], row["text"], row["pose"], row["start_ns"], row["utc_offset_s"]),
        row["surprise"],
        row["saliency"],
    )
