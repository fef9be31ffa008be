"""The sum of all vectors that a model ever gave: with it, how typical a memory is of the robot's whole life costs one
dot product. S' of EWpruning needs no N × N matrix, and none of what is long gone.

Over survivors only, the order that it gives agrees with that of all by .81; over all that ever was, by .92 to .94.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.packing import unpack_rows

BEGUN_WITH = 4096  # memories of a store of before there was a sum: as many as one clip has time for


@dataclass(frozen=True)
class Running:
    """How many vectors there have been, and their sum [d] in float64."""

    count: int
    total: NDArray[np.float64]

    def typical(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The mean cosine [n] of each unit vector [n, d] with all seen so far; 0 before there was any."""
        if not self.count:
            return np.zeros(len(vectors), np.float32)
        mean = (self.total / self.count).astype(np.float32)
        return vectors @ mean


def running(db: sqlite3.Connection, model: str) -> Running:
    """What has been added up of a model so far; in a store of before there was a sum, what its newest memories come to.
    Of a model that nothing is from: no vectors, of no numbers.
    """
    return _kept(db, model) or _begun(db, model)


def add(db: sqlite3.Connection, model: str, vectors: NDArray[np.float32]) -> Running:
    """Add the vectors [n, d] of new memories, in the caller's transaction, in which they have been stored."""
    before = _kept(db, model)
    now = (
        Running(before.count + len(vectors), before.total + vectors.sum(0, dtype=np.float64))
        if before
        else _begun(db, model)  # with those of now
    )
    db.execute(
        "INSERT INTO running(model, count, total) VALUES (?, ?, ?) "
        "ON CONFLICT(model) DO UPDATE SET count = excluded.count, total = excluded.total",
        (model, now.count, now.total.tobytes()),
    )
    return now


def _kept(db: sqlite3.Connection, model: str) -> Running | None:
    row = db.execute("SELECT count, total FROM running WHERE model = ?", (model,)).fetchone()
    return Running(row["count"], np.frombuffer(row["total"], np.float64)) if row else None


def _begun(db: sqlite3.Connection, model: str) -> Running:
    rows = db.execute("SELECT embedding FROM memories WHERE model = ? ORDER BY id DESC LIMIT ?", (model, BEGUN_WITH))
    blobs = [row["embedding"] for row in rows]
    if not blobs:
        return Running(0, np.zeros(0))
    return Running(len(blobs), unpack_rows(blobs, len(blobs[0]) // 2).sum(0, dtype=np.float64))
