"""Exact nearest-neighbour search over unit vectors: one contiguous float32 matrix, appended in place.

The matrix is rebuilt from the store when it opens, so it can never be lost or stale (the store is the truth).
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Ids, Vector


class ExactIndex:
    """Every vector is scored. Safe for one adder and several searchers."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._lock = threading.Lock()
        self._ids: Ids = np.empty(1024, np.int64)
        self._matrix: NDArray[np.float32] = np.empty((1024, dimension), np.float32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Ids, vectors: NDArray[np.float32]) -> None:
        """Append `vectors` [n, d]; ids [n] ascend over the life of the index."""
        with self._lock:
            need = self._count + len(ids)
            if need > len(self._ids):
                self._grow(max(need, 2 * len(self._ids)))
            self._ids[self._count : need] = ids
            self._matrix[self._count : need] = vectors
            self._count = need

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, NDArray[np.float32]]:
        """The `k` nearest of all, or of `among`: ids and cosines, best first; ties in order of id."""
        with self._lock:
            ids, matrix = self._ids[: self._count], self._matrix[: self._count]
        if among is not None:
            rows = np.flatnonzero(np.isin(ids, among))
            ids, matrix = ids[rows], matrix[rows]
        scores = matrix @ query
        best = np.argsort(-scores, kind="stable")[:k]
        return ids[best], scores[best]

    def _grow(self, capacity: int) -> None:
        ids, matrix = np.empty(capacity, np.int64), np.empty((capacity, self.dimension), np.float32)
        ids[: self._count], matrix[: self._count] = self._ids[: self._count], self._matrix[: self._count]
        self._ids, self._matrix = ids, matrix
