"""Exact nearest-neighbour search over unit vectors: one contiguous float32 matrix, appended in place.

The matrix is rebuilt from the store when it opens, so it can never be lost or stale (the store is the truth).
"""

from __future__ import annotations

import threading
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Ids = NDArray[np.int64]


class VectorIndex(Protocol):
    """What retrieval needs of an index."""

    def __len__(self) -> int: ...

    def add(self, ids: Ids, vectors: NDArray[np.float32]) -> None: ...

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, NDArray[np.float32]]: ...


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


def pack(vector: Vector) -> bytes:
    """A vector as the float16 bytes the store keeps."""
    return vector.astype(np.float16).tobytes()


def unpack(blob: bytes) -> Vector:
    """The float32 vector of stored bytes."""
    return np.frombuffer(blob, np.float16).astype(np.float32)
