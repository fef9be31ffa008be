"""Near-duplicates become one counted sentence: what leaves strengthens what says the same and stays.

What was seen is never counted so: answers reckon with each sighting's own time. Nor does what stays stretch over the
times of what left, as if it had gone on all the while: those are in its supports.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np

from robot_memory.memory.compression.repetition import says_the_same
from robot_memory.memory.vectors.packing import unpack

PAIRS = (  # in this order: what resembles it first, or all memories would be gone through
    "SELECT going.id, going.text, going.embedding, "
    "other.id AS other, other.text AS other_text, other.embedding AS other_embedding "
    "FROM (SELECT other AS id FROM relations WHERE kind = 'similar' AND memory = :one "
    "UNION SELECT memory FROM relations WHERE kind = 'similar' AND other = :one) AS pair "
    "CROSS JOIN memories AS other ON other.id = pair.id CROSS JOIN memories AS going ON going.id = :one "
    "WHERE other.archived = 0 AND other.source = going.source AND going.source != 'seen' AND other.model = going.model "
    "AND going.subject IS NULL AND other.subject IS NULL "
    "AND (SELECT group_concat(entity) FROM edges WHERE memory = going.id) IS "
    "(SELECT group_concat(entity) FROM edges WHERE memory = other.id) ORDER BY other.id"
)
FIRST = (  # what a memory that was observed once holds itself
    "INSERT INTO supports(memory, clip, turn, start_ns, end_ns, source) "
    "SELECT id, clip, turn, start_ns, end_ns, source FROM memories WHERE id = ?"
)


def strengthen_alike(db: sqlite3.Connection, going: Sequence[int]) -> tuple[set[int], set[int]]:
    """Count each of the memories that are `going`, the latest first, with one that says the same. Returns those that
    were counted, and those that they were counted with and that stay for now, though they were to go as well.
    """
    counted, stays = set[int](), set[int]()
    for memory in sorted(set(going), reverse=True):
        if memory in stays:
            continue
        for row in db.execute(PAIRS, {"one": memory}).fetchall():
            cosine = float(np.dot(unpack(row["embedding"]), unpack(row["other_embedding"])))
            if row["other"] in counted or not says_the_same(row["text"], row["other_text"], cosine):
                continue
            _count(db, row["id"], row["other"])
            counted.add(memory)
            stays.add(row["other"])
            break
    return counted, stays


def _count(db: sqlite3.Connection, memory: int, other: int) -> None:
    """Give what was observed of one memory to another, which is weighed anew."""
    for one in (other, memory):
        if db.execute("SELECT 1 FROM supports WHERE memory = ? LIMIT 1", (one,)).fetchone() is None:
            db.execute(FIRST, (one,))
    db.execute(
        "INSERT INTO supports(memory, clip, turn, start_ns, end_ns, source, text) "
        "SELECT ?, clip, turn, start_ns, end_ns, source, "
        "coalesce(text, (SELECT text FROM memories WHERE id = ?)) FROM supports WHERE memory = ? ORDER BY id",
        (other, memory, memory),
    )
    db.execute(
        "UPDATE memories SET count = count + (SELECT count FROM memories WHERE id = :one), keep = NULL "
        "WHERE id = :other",
        {"one": memory, "other": other},
    )
    db.execute(
        "UPDATE edges SET weight = weight + coalesce((SELECT weight FROM edges AS theirs WHERE theirs.memory = ? "
        "AND theirs.entity = edges.entity), 0) WHERE memory = ?",
        (memory, other),
    )
    db.execute(  # what resembled the one resembles the other
        "UPDATE OR IGNORE relations SET other = :other WHERE other = :one AND memory != :other AND kind = 'similar'",
        {"one": memory, "other": other},
    )
