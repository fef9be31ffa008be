"""The exact index, and a graph of neighbours (HNSW) that makes it faster for stores that take long to scan.

The graph only nominates: cosines, order and what is there come from the exact index, and what the graph does not have
yet is scored beside it. Where it is not built, not current, not installed or not worth it, all is scored. So a search
is right at any moment; the graph may miss some of the farther neighbours.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.cache import Generation, Home
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import Cosines, Ids, Scores, Vector
from robot_memory.memory.vectors.keeper import JOIN_S, Keeper

WORTH_BYTES = 512 << 20  # of vectors: 350,000 of 384 numbers, 131,000 of 1024; below, a scan takes some 20 ms at most


class HnswIndex:
    """The index of a store: exact, and faster where it is large. `start` it when it is loaded, `close` it. Its owner
    tells it after each change which generation of the store it follows.
    """

    def __init__(self, dimension: int, home: Home | None = None, worth_bytes: int | None = None) -> None:
        self.dimension = dimension
        self.exact = ExactIndex(dimension)
        self.keeper = Keeper(self.exact, home)
        self._worth = WORTH_BYTES if worth_bytes is None else worth_bytes
        self._started = False

    def __len__(self) -> int:
        return len(self.exact)

    def start(self) -> None:
        """From now on the graph is kept, once it is worth it."""
        self._started = True
        if len(self) and not self._why_not():
            self.keeper.start()

    def close(self, wait_s: float | None = JOIN_S) -> None:
        """End the keeping of the graph; searches go on. Waits so long for it at most (None: until it has ended). Safe
        to repeat.
        """
        self.keeper.close(wait_s)

    def follow(self, generation: Generation) -> None:
        """All changes up to this generation are in."""
        self.keeper.generation = generation

    def add(self, ids: Ids, vectors: NDArray[np.float32], clips: Ids) -> None:
        """See VectorIndex."""
        self.exact.add(ids, vectors, clips)
        self.keeper.wake()
        if self._started:
            self.start()  # it may have become worth it

    def remove(self, ids: Ids) -> None:
        """See VectorIndex. A cache keeps what is removed until the graph is built anew: to forget, `forget`."""
        self.exact.remove(ids)
        self.keeper.remove(ids)

    def forget(self, ids: Ids) -> None:
        """Take these out, of the graph and of its cache as well: no file has them when this returns. As by `remove`,
        memory is freed, not wiped. Raises OSError.
        """
        self.exact.remove(ids)
        self.keeper.forget()

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, Cosines]:
        """See VectorIndex. With `among` it is exact."""
        if among is None and (near := self.keeper.near(query, k)) is not None:
            found = self.exact.search(query, k, near)
            if len(found[0]) == k:
                return found
        return self.exact.search(query, k, among)

    def cosines(self, query: Vector, ids: Ids) -> Cosines:
        """See VectorIndex."""
        return self.exact.cosines(query, ids)

    def scores(self, query: Vector) -> Scores:
        """See VectorIndex."""
        return self.exact.scores(query)

    @property
    def busy(self) -> bool:
        """Is the graph being loaded, built or written?"""
        return self.keeper.busy

    @property
    def progress(self) -> float:
        """The share of the memories that the graph has, 0..1."""
        return self.keeper.progress

    def settle(self, on_progress: Callable[[float], None]) -> None:
        """Wait until the graph is kept, or will not be: see Keeper."""
        self.keeper.settle(on_progress)

    def describe(self) -> str:
        """Which index answers, and why, for status."""
        size = f"{len(self):,} vectors, {self.exact.nbytes / 1e6:,.0f} MB"
        if reason := self._why_not() or self.keeper.trouble:
            return f"exact ({size}): {reason}"
        if not self.keeper.ready:
            return f"exact ({size}): the graph of neighbours is being built, {self.progress:.0%}"
        return f"hnsw, re-ranked exactly ({size})"

    def _why_not(self) -> str:
        if self.exact.nbytes < self._worth:
            return f"fast enough below {self._worth / 1e6:,.0f} MB"
        if importlib.util.find_spec("hnswlib") is None:
            return "hnswlib is not installed — pip install hnswlib"
        return "" if self.keeper.home else "it is only read, for which no graph is loaded"
