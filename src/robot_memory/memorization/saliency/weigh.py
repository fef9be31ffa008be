"""Each new memory's saliency, when its clip is remembered; and again once answers have taught other weights."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from robot_memory.memorization.saliency.parts import remembered
from robot_memory.memorization.saliency.surprise import experience, live
from robot_memory.memorization.saliency.weights import saliency, weights


def weigh(db: sqlite3.Connection, clip: int, memories: Mapping[int, bool]) -> None:
    """Weigh the new ones of a clip's memories (id -> whether it is new), and count all of them as lived. To be called
    once a clip, in its transaction.
    """
    found = remembered(db, memories)
    events = [one.event for one in found]
    before, adds = experience(db, events), weights(db)
    weighed = []
    for one in found:
        if memories[one.id]:
            bits = before.surprise(one.event)
            weighed.append((saliency(one.parts(bits, before.first_clip(one.event.place)), adds), bits, one.id))
    db.executemany("UPDATE memories SET saliency = ?, surprise = ? WHERE id = ?", weighed)
    live(db, clip, events, before)


def weigh_anew(db: sqlite3.Connection, after: int = 0, most: int = 2000) -> int:
    """Weigh up to `most` memories after the id `after` by the weights of now; returns the last one's id, 0 at the end.
    To be called until then, each time in a transaction of its own.
    """
    ids = [
        row[0]
        for row in db.execute(
            "SELECT id FROM memories WHERE id > ? AND surprise IS NOT NULL ORDER BY id LIMIT ?", (after, most)
        )
    ]
    found = remembered(db, ids)
    before, adds = experience(db, {one.event for one in found}), weights(db)
    db.executemany(
        "UPDATE memories SET saliency = ? WHERE id = ?",
        [(saliency(one.parts(one.surprise or 0.0, before.first_clip(one.event.place)), adds), one.id) for one in found],
    )
    return ids[-1] if ids else 0
