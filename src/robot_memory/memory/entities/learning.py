"""An entity learns new views: its rows in the store and its set in the gallery become the ones chosen to be kept."""

from __future__ import annotations

import sqlite3

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.days import DAY_NS
from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.vectors.packing import pack, unpack


def learn(
    db: sqlite3.Connection,
    gallery: Gallery,
    model: str,
    entity: int,
    vectors: NDArray[np.float32],
    clip: int,
    size: int = 0,
) -> None:
    """Add what is new among `vectors` [n, d], best first, to the entity's snapshot set, and drop what is no longer
    wanted there. `size`: of the model's vectors, 0 where that is not known. Raises ValueError for vectors that could
    not be compared with those of other entities.
    """
    _check(size or gallery.dimension, model, vectors)
    rows = db.execute(
        "SELECT embeddings.id, vector, session, start_ns FROM embeddings JOIN clips ON clips.id = embeddings.clip "
        "WHERE entity = ? AND model = ? ORDER BY embeddings.id",
        (entity, model),
    ).fetchall()
    seen = db.execute("SELECT session, start_ns FROM clips WHERE id = ?", (clip,)).fetchone()
    days = [(row["session"], row["start_ns"] // DAY_NS) for row in (*rows, *[seen] * len(vectors))]
    # half precision, as a restart would read it back: what is chosen then must be what is chosen now
    every = np.stack([*(unpack(row["vector"]) for row in rows), *(unpack(pack(vector)) for vector in vectors)])
    chosen = gallery.choose(entity, every, days, len(rows))
    if chosen == list(range(len(rows))):
        return
    kept = set(chosen)
    db.executemany("DELETE FROM embeddings WHERE id = ?", [(r["id"],) for n, r in enumerate(rows) if n not in kept])
    db.executemany(
        "INSERT INTO embeddings(entity, clip, model, vector) VALUES (?, ?, ?, ?)",
        [(entity, clip, model, pack(every[n])) for n in chosen if n >= len(rows)],
    )
    gallery.replace(entity, every[chosen])


def _check(size: int, model: str, vectors: NDArray[np.float32]) -> None:
    """Once in the file, a vector of another size would keep the store from opening."""
    size = size or vectors.shape[-1]
    if vectors.ndim != 2 or vectors.shape[1] != size or not np.isfinite(vectors).all():
        raise ValueError(f"embeddings of shape {vectors.shape} or with NaN: {model} gives {size} finite numbers each")
