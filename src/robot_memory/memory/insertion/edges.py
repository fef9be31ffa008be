"""Which faces and voices a memory is about, and how strongly: M3-Agent's weights, without its faults.

There, one call changes a weight by two because it visits each edge from both ends, and an edge at zero is deleted with
which the memory loses whom it is about. Here it is one, and an edge stays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from robot_memory.memory.tokens import split


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


def part(db: sqlite3.Connection, memory: int, other: int, share: float) -> None:
    """Move a share of each weight to the same edges of another memory."""
    db.execute(
        "INSERT INTO edges(memory, entity, weight) SELECT ?, entity, weight * ? FROM edges WHERE memory = ?",
        (other, share, memory),
    )
    db.execute("UPDATE edges SET weight = weight * ? WHERE memory = ?", (1.0 - share, memory))
