"""The models whose vectors a memory holds: each name stands for one model, known by its dimension and checksum."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.storage.store import Store

BATCH = 4096  # memories marked in one change
TEXT = "text_embedding"  # the role whose vectors can be made anew
STALE = ""  # the model of a vector that is nobody's any more


@dataclass(frozen=True)
class Embedder:
    """A model as the memory knows it; `checksum` tells models of one name apart."""

    role: str
    name: str
    dimension: int
    checksum: str


class EmbedderChanged(RobotMemoryError):
    """A model of this name made the vectors that are there, but it was another model."""


def know_embedder(db: sqlite3.Connection, model: Embedder) -> None:
    """Note the model the first time it is met; in the caller's change. Raises EmbedderChanged where the same name stood
    for other weights: their vectors would be compared with its own, and match at random. A text model is `adopt`ed.
    """
    known = db.execute("SELECT dimension, checksum FROM embedders WHERE name = ?", (model.name,)).fetchone()
    if known is None:
        db.execute(
            "INSERT INTO embedders(name, role, dimension, checksum) VALUES (?, ?, ?, ?)",
            (model.name, model.role, model.dimension, model.checksum),
        )
    elif (known["dimension"], known["checksum"]) != (model.dimension, model.checksum):
        raise EmbedderChanged(
            f"the memory holds vectors of another '{model.name}' ({known['dimension']} numbers, "
            f"{_short(known['checksum'])}) than this ({model.dimension} numbers, {_short(model.checksum)}): "
            "give the new model a name of its own in its profile: those it has met are then met anew"
        )


def is_known(db: sqlite3.Connection, model: Embedder) -> bool:
    """Are the vectors under this name of this very model?"""
    known = db.execute("SELECT dimension, checksum FROM embedders WHERE name = ?", (model.name,)).fetchone()
    return known is not None and (known["dimension"], known["checksum"]) == (model.dimension, model.checksum)


def adopt(store: Store, model: Embedder) -> None:
    """From now on this text model's vectors are those under its name: what other weights made under it is nobody's, and
    waits to be made anew. The new model takes the name only when all are marked, so that a kill in between does not let
    the rest pass for its own.
    """
    reader = store.reader()
    if is_known(reader, model):
        return
    if reader.execute("SELECT 1 FROM embedders WHERE name = ?", (model.name,)).fetchone():
        for batch in with_vectors_of(reader, model.name):
            with store.write() as db:
                db.executemany("UPDATE memories SET model = ? WHERE id = ?", [(STALE, memory) for memory in batch])
        with store.write() as db:
            db.execute("DELETE FROM embedders WHERE name = ?", (model.name,))
    with store.write() as db:
        know_embedder(db, model)


def with_vectors_of(db: sqlite3.Connection, name: str) -> Iterator[list[int]]:
    """The memories with a vector of the model, some thousands at a time."""
    last = 0
    while rows := db.execute(
        "SELECT id FROM memories WHERE id > ? AND model = ? ORDER BY id LIMIT ?", (last, name, BATCH)
    ).fetchall():
        yield [row["id"] for row in rows]
        last = rows[-1]["id"]


def forget_unused(db: sqlite3.Connection, role: str) -> None:
    """Drop the models of a role that no memory has a vector of any more, but for the newest."""
    db.execute(
        "DELETE FROM embedders WHERE role = ? AND name NOT IN (SELECT DISTINCT model FROM memories)"
        " AND rowid < (SELECT max(rowid) FROM embedders WHERE role = ?)",
        (role, role),
    )


def _short(checksum: str) -> str:
    return f"checksum {checksum[:12]}" if checksum else "no checksum"
