"""The snapshot sets of all entities of one kind in memory, with the mean of each in one matrix.

The sets are kept in half precision, as in the store: a match is the same before and after a restart. One writer, any
number of readers: a reader sees each set whole, before or after a change. A mean is replaced in its row, where a reader
may see a part of the old one and a part of the new: by the means it is only chosen which sets are looked at.
"""

from __future__ import annotations

import sqlite3
import threading

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Ids

Half = NDArray[np.float16]
BATCH = 20_000  # rows read at a time


class SnapshotSets:
    """Sets [n, d] by entity. What is changed can be undone until it is confirmed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ids, self._means, self._count = np.empty(0, np.int64), np.empty((0, 0), np.float32), 0
        self._row: dict[int, int] = {}
        self._sets: dict[int, Half] = {}
        self._before: dict[int, Half | None] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def dimension(self) -> int:
        """Of the vectors; 0 while there are none."""
        return self._means.shape[1]

    def get(self, entity: int) -> Half | None:
        """The set of an entity [n, d], not to be written to; None if it has none."""
        return self._sets.get(entity)

    def means(self) -> tuple[Ids, NDArray[np.float32]]:
        """Entities [e] and the means of their sets [e, d]. They are means of unit vectors, so the product with a vector
        is its mean cosine to the set.
        """
        with self._lock:
            return self._ids[: self._count], self._means[: self._count]

    def replace(self, entity: int, vectors: NDArray[np.float32] | Half) -> None:
        """From now on `vectors` [n, d] are the entity's set. Costs the same however many entities there are."""
        with self._lock:
            before = self._sets.get(entity)
            self._put(entity, np.array(vectors, np.float16))
            self._before.setdefault(entity, before)

    def confirm(self) -> None:
        """What was changed is in the store: it cannot be undone any more."""
        self._before = {}

    def undo(self) -> None:
        """As it was when last confirmed."""
        with self._lock:
            before, self._before = self._before, {}
            for entity, kept in before.items():
                if kept is not None:
                    self._put(entity, kept)
            self._drop([entity for entity, kept in before.items() if kept is None])

    def load(self, db: sqlite3.Connection, kind: str, model: str) -> None:
        """Take the sets from the store; embeddings of another model cannot be compared and stay out."""
        entities, vectors = _read(db, kind, model)
        order = np.argsort(entities, kind="stable")
        ids, starts = np.unique(entities[order], return_index=True)
        vectors = vectors[order]
        ends = [*starts[1:].tolist(), len(vectors)]
        sets = {e: vectors[a:b] for e, a, b in zip(ids.tolist(), starts.tolist(), ends, strict=False)}
        means = np.empty((len(sets), vectors.shape[1]), np.float32)
        for row, kept in enumerate(sets.values()):
            means[row] = _mean(kept)
        with self._lock:
            self._ids, self._means, self._count, self._sets = ids, means, len(ids), sets
            self._row = {entity: row for row, entity in enumerate(sets)}
            self._before = {}

    def _put(self, entity: int, kept: Half) -> None:
        row = self._row.get(entity)
        if row is None:
            row = self._count
            if row == len(self._ids):
                self._grow(max(64, 2 * row), kept.shape[1])
            self._ids[row], self._row[entity] = entity, row
        self._means[row] = _mean(kept)
        self._sets[entity] = kept
        self._count = max(self._count, row + 1)

    def _grow(self, capacity: int, dimension: int = 0) -> None:
        ids, means = np.empty(capacity, np.int64), np.empty((capacity, self.dimension or dimension), np.float32)
        if self._count:
            ids[: self._count], means[: self._count] = self._ids[: self._count], self._means[: self._count]
        self._ids, self._means = ids, means

    def _drop(self, entities: list[int]) -> None:
        """Into new arrays: a reader may still be looking at the old ones."""
        if not entities:
            return
        stay = np.flatnonzero(~np.isin(self._ids[: self._count], entities))
        self._ids, self._means, self._count = self._ids[stay], self._means[stay], len(stay)
        self._row = {entity: row for row, entity in enumerate(self._ids.tolist())}
        if not self._count:
            self._means = np.empty((0, 0), np.float32)
        for entity in entities:
            del self._sets[entity]


def _mean(kept: Half) -> NDArray[np.float32]:
    mean: NDArray[np.float32] = kept.mean(axis=0, dtype=np.float32)
    return mean


def _read(db: sqlite3.Connection, kind: str, model: str) -> tuple[Ids, Half]:
    """Entities [n] and vectors [n, d] in the order in which they were stored."""
    rows = db.cursor()
    rows.row_factory = None
    rows.execute(
        "SELECT entity, vector FROM embeddings WHERE model = ? AND entity IN (SELECT id FROM entities WHERE kind = ?) "
        "ORDER BY id",
        (model, kind),
    )
    entities, vectors = [np.empty(0, np.int64)], []
    while batch := rows.fetchmany(BATCH):
        entities.append(np.array([entity for entity, _ in batch], np.int64))
        vectors.append(np.frombuffer(b"".join(blob for _, blob in batch), np.float16).reshape(len(batch), -1))
    return np.concatenate(entities), np.concatenate(vectors) if vectors else np.empty((0, 0), np.float16)
