"""Memories that resemble a new one, linked but never merged: nominated by cosine, among the newest about the same
first entity, unless a veto stands against it.
"""

from __future__ import annotations

import sqlite3

import numpy as np

from robot_memory.memory.insertion.rows import Observation
from robot_memory.memory.insertion.vetoes import veto
from robot_memory.memory.tokens import split, tokens_in
from robot_memory.memory.vectors.packing import unpack

NEWEST = 64  # looked at
TRIED = 8  # of the nearest, against the vetoes
NEAREST = 3  # linked
COUNTED = "count > 1 AND archived = 0 AND subject IS NULL"  # as the index memories_counted has it
ALIKE = 0.85  # cosine


def link_similar(db: sqlite3.Connection, memory: int, seen: Observation) -> None:
    """Relations of kind `similar` from a new memory to the nearest older ones."""
    entity = first_entity(seen)
    if entity is None:
        return
    about = db.execute(
        "SELECT id, text, embedding FROM memories WHERE id IN "
        "(SELECT memory FROM edges WHERE entity = ? AND memory < ? ORDER BY memory DESC LIMIT ?) "
        "AND model = ? AND archived = 0 ORDER BY id DESC",
        (entity, memory, NEWEST, seen.model),
    ).fetchall()
    counted = db.execute(
        f"SELECT id, text, embedding FROM memories WHERE {COUNTED} "
        "AND id IN (SELECT memory FROM edges WHERE entity = ?) AND model = ? AND id < ? ORDER BY id DESC LIMIT ?",
        (entity, seen.model, about[-1]["id"] if about else memory, NEWEST),
    ).fetchall()
    about += counted
    if not about:
        return
    cosines = np.stack([unpack(row["embedding"]) for row in about]) @ seen.vector
    nearest = [about[n] for n in np.argsort(-cosines, kind="stable")[:TRIED] if cosines[n] >= ALIKE]
    linked = [row["id"] for row in nearest if veto(seen.sentence.text, row["text"]) is None][:NEAREST]
    db.executemany("INSERT OR IGNORE INTO relations VALUES (?, ?, 'similar')", [(memory, other) for other in linked])


def first_entity(seen: Observation) -> int | None:
    """Whom a sentence is about first: of those it is about, the one it names first."""
    about = list(seen.sentence.about)
    named = [token for token in tokens_in(seen.sentence.text) if token in about]
    first = (named or about)[:1]
    return split(first[0])[1] if first else None
