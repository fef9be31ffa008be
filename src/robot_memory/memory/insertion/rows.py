"""Memories as rows, with their edges: a new one, one more observation of one, and one parted in two.

A memory observed once holds that observation itself; from the second on, `supports` holds all of them, the first
included, so that an interval can be parted at any moment and every count be explained. An edge says about which face or
voice a memory is, and how strongly: M3-Agent's weights, without its faults. There, one call changes a weight by two
because it visits each edge from both ends, and an edge at zero is deleted, with which the memory loses whom it is
about. Here it is one, and an edge stays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from robot_memory.memory.insertion.claim import Claim
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.tokens import split
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import pack

COPIED = (
    "kind, text, subject, attribute, value, polarity, norm, matter, saliency, surprise, pose, archived, keep, model, "
    "embedding"
)


@dataclass(frozen=True)
class Observation:
    """A sentence of a clip with its vector [d], on its way in. `model` names the embedder."""

    clip: int
    sentence: Sentence
    vector: Vector
    model: str


def add(db: sqlite3.Connection, seen: Observation, claim: Claim | None = None, until_ns: int | None = None) -> int:
    """A new memory; its claim, if it makes one, holds from its start until `until_ns`."""
    said = seen.sentence
    framed = (
        (claim.subject, claim.attribute, claim.value, claim.polarity, claim.norm, claim.matter)
        if claim
        else (None,) * 6
    )
    since = said.start_ns if claim else None
    row = db.execute(
        "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, turn, subject, attribute, value, polarity, "
        "norm, matter, valid_from_ns, valid_until_ns, pose, model, embedding) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(seen.clip, said.kind, said.text, said.start_ns, said.end_ns, said.source, said.turn),
            *(*framed, since, until_ns, said.pose, seen.model, pack(seen.vector)),
        ),
    )
    assert row.lastrowid is not None
    strengthen(db, row.lastrowid, said.about)
    return row.lastrowid


def observe_again(db: sqlite3.Connection, memory: int, seen: Observation) -> None:
    """The memory was observed once more: count, time span, provenance, edges. Another wording is kept."""
    reinforce(db, memory, seen)
    strengthen(db, memory, seen.sentence.about)


def reinforce(db: sqlite3.Connection, memory: int, seen: Observation) -> None:
    """As `observe_again`, but the edges stay as they are."""
    said = seen.sentence
    if db.execute("SELECT 1 FROM supports WHERE memory = ? LIMIT 1", (memory,)).fetchone() is None:
        db.execute(
            "INSERT INTO supports(memory, clip, turn, start_ns, end_ns, source) "
            "SELECT id, clip, turn, start_ns, end_ns, source FROM memories WHERE id = ?",
            (memory,),
        )
    db.execute(
        "INSERT INTO supports(memory, clip, turn, start_ns, end_ns, source, text) VALUES (?, ?, ?, ?, ?, ?, "
        "(SELECT ? FROM memories WHERE id = ? AND text != ?))",
        (memory, seen.clip, said.turn, said.start_ns, said.end_ns, said.source, said.text, memory, said.text),
    )
    db.execute(
        "UPDATE memories SET count = count + 1, start_ns = min(start_ns, ?), end_ns = max(end_ns, ?), "
        "valid_from_ns = min(valid_from_ns, ?) WHERE id = ?",
        (said.start_ns, said.end_ns, said.start_ns, memory),
    )


def strengthen(db: sqlite3.Connection, memory: int, about: Mapping[str, float]) -> None:
    """Add to the weight of each token's edge; make it where there is none. Raises ValueError for a token that is no
    face or voice of this memory.
    """
    for token, weight in about.items():
        kind, entity = split(token)
        if db.execute("SELECT 1 FROM entities WHERE id = ? AND kind = ?", (entity, kind)).fetchone() is None:
            raise ValueError(f"a sentence cannot be about {token}: this memory has no such face or voice")
        db.execute(
            "INSERT INTO edges(memory, entity, weight) VALUES (?, ?, ?) "
            "ON CONFLICT(memory, entity) DO UPDATE SET weight = weight + excluded.weight",
            (memory, entity, weight),
        )


def weaken(db: sqlite3.Connection, memory: int) -> None:
    """Take one from every edge of a memory; none below zero."""
    db.execute("UPDATE edges SET weight = max(0.0, weight - 1.0) WHERE memory = ?", (memory,))


def part(db: sqlite3.Connection, memory: int, at_ns: int) -> int | None:
    """Give what was observed of a memory from `at_ns` on to a memory of its own and return that; None if nothing was.

    Which observation brought how much of an edge's weight is not kept: each half gets the share of every edge that it
    has of the observations. So the sum over both is always exact, and each half is where all observations of an edge
    weighed the same; where they did not, how the sum is divided depends on what was known when it was parted.
    """
    later = db.execute("SELECT id FROM supports WHERE memory = ? AND start_ns >= ?", (memory, at_ns)).fetchall()
    if not later:
        return None
    count = int(db.execute("SELECT count FROM memories WHERE id = ?", (memory,)).fetchone()["count"])
    row = db.execute(
        f"INSERT INTO memories({COPIED}, clip, turn, source, start_ns, end_ns, count, valid_until_ns) "
        f"SELECT {COPIED}, clip, turn, source, start_ns, end_ns, ?, valid_until_ns FROM memories WHERE id = ?",
        (len(later), memory),
    )
    assert row.lastrowid is not None
    db.executemany("UPDATE supports SET memory = ? WHERE id = ?", [(row.lastrowid, one["id"]) for one in later])
    db.execute("UPDATE memories SET count = max(1, count - ?) WHERE id = ?", (len(later), memory))
    _part_edges(db, memory, row.lastrowid, min(1.0, len(later) / count))
    for half in (memory, row.lastrowid):
        _as_supported(db, half)
    return row.lastrowid


def _part_edges(db: sqlite3.Connection, memory: int, other: int, share: float) -> None:
    """Move a share of each weight to the same edges of another memory."""
    db.execute(
        "INSERT INTO edges(memory, entity, weight) SELECT ?, entity, weight * ? FROM edges WHERE memory = ?",
        (other, share, memory),
    )
    db.execute("UPDATE edges SET weight = weight * ? WHERE memory = ?", (1.0 - share, memory))


def _as_supported(db: sqlite3.Connection, memory: int) -> None:
    """Time span and first observation as the supports have them."""
    db.execute(
        "UPDATE memories SET (clip, turn, source, start_ns, valid_from_ns) = (SELECT clip, turn, source, start_ns, "
        "start_ns FROM supports WHERE memory = :half ORDER BY start_ns, id LIMIT 1), "
        "end_ns = (SELECT max(end_ns) FROM supports WHERE memory = :half) "
        "WHERE id = :half AND EXISTS (SELECT 1 FROM supports WHERE memory = :half)",
        {"half": memory},
    )
