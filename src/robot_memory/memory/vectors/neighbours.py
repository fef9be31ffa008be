"""hnswlib's graph of neighbours (HNSW; Malkov and Yashunin, 2018) over the oldest rows of the exact index.

It only nominates who may be near. hnswlib can search or be added to, not both: who has a graph sees to that.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from robot_memory.memory.vectors.cache import Head, Unusable
from robot_memory.memory.vectors.index import Ids, Vector
from robot_memory.memory.vectors.rows import Rows

LINKS = 24  # of a vector in the graph, twice as many in its lowest layer
EFFORT = 200  # neighbours looked at to place a vector: 1.2 ms
# Neighbours looked at to find some, at least WIDER times what is asked for. Measured on vectors of 350,000 sentences
# that people wrote: 0.996 of the nearest 10 are found and 0.992 of 100, in a third of a scan; with 16, 100 and 200 for
# these three, 0.96 and 0.94.
WIDTH = 600
WIDER = 6
BATCH = 4  # vectors added at a time: some milliseconds, which a search may have to wait
DELETED = 0.3  # share of the graph from which it is built anew
SAMPLE = 512  # vectors of a cached graph that are compared with the store's


class Neighbours:
    """Vectors and their neighbours. `last` is the newest memory that it has, `saved` how many of them its cache has."""

    def __init__(self, graph: Any, last: int = -1, saved: int = 0) -> None:
        self._graph, self.last, self.saved = graph, last, saved
        self._removed = 0

    @classmethod
    def empty(cls, dimension: int, count: int) -> Neighbours:
        """One with room for `count` vectors and some more."""
        graph = _hnswlib(dimension)
        graph.init_index(count + _more(count), M=LINKS, ef_construction=EFFORT, random_seed=1)
        return cls(graph)

    @classmethod
    def load(cls, path: Path, head: Head, rows: Rows) -> Neighbours:
        """The one at `path`, with room for those of `rows` that it lacks. Raises RuntimeError."""
        graph = _hnswlib(head.dimension)
        graph.load_index(str(path), max_elements=max(len(rows), head.count) + _more(len(rows)))
        return cls(graph, head.last_id, head.count)

    def __len__(self) -> int:
        """How many it has, with those that were removed."""
        return int(self._graph.get_current_count())

    @property
    def size(self) -> int:
        """Bytes of its file."""
        return int(self._graph.index_file_size())

    @property
    def worn(self) -> bool:
        """Is so much removed that it should be built anew? hnswlib never frees."""
        return self._removed > DELETED * len(self)

    @property
    def labels(self) -> Ids:
        """The memories that it has, in order, with those that were removed."""
        return np.sort(np.array(self._graph.get_ids_list(), np.int64))

    def lacks(self, ids: Ids) -> int:
        """How many of these it does not have yet: the newest."""
        return len(ids) - int(np.searchsorted(ids, self.last, "right"))

    def near(self, query: Vector, k: int) -> Ids:
        """Who may be among the `k` nearest, in order of id. Raises RuntimeError where it reaches too few."""
        wide = max(WIDTH, WIDER * k)
        self._graph.set_ef(wide)
        labels, _ = self._graph.knn_query(query, k=min(wide, 2 * k + 20), num_threads=1)
        return np.sort(labels[0].astype(np.int64))

    def add_next(self, rows: Rows) -> bool:
        """Add the next few. Returns False when it has all."""
        first = len(rows) - self.lacks(rows.ids)
        vectors = rows.vectors(first, BATCH)
        if not len(vectors):
            return False
        room = self._graph.get_max_elements()
        if len(self) + BATCH > room:
            self._graph.resize_index(room + room // 4)
        ids = rows.ids[first : first + len(vectors)]
        self._graph.add_items(vectors, ids, num_threads=1)
        self.last = int(ids[-1])
        return True

    def remove(self, ids: Ids) -> None:
        """These are not found any more; they stay in the graph, and in its file."""
        for one in np.asarray(ids, np.int64).tolist():
            with suppress(RuntimeError):  # not in the graph, or removed before
                self._graph.mark_deleted(one)
                self._removed += 1

    def save(self, path: str) -> None:
        self._graph.save_index(path)

    def compare(self, labels: Ids, head: Head, rows: Rows) -> None:
        """Raises Unusable where it is not of the vectors that are here."""
        covered = rows.ids[: np.searchsorted(rows.ids, head.last_id, "right")]
        if len(labels) != head.count or not len(labels) or labels[-1] != head.last_id:
            raise Unusable("it does not hold what its head says")
        if len(np.setdiff1d(covered, labels, assume_unique=True)):
            raise Unusable("it lacks memories of before")
        some = covered[:: max(1, len(covered) // SAMPLE)]
        for begin in range(0, len(some), BATCH):  # in small batches: hnswlib holds the interpreter meanwhile
            ids = some[begin : begin + BATCH]
            at, _ = rows.find(ids)
            mine = np.concatenate([rows.vectors(row, 1) for row in at.tolist()])
            if not np.array_equal(np.asarray(self._graph.get_items(ids)), mine):
                raise Unusable("its vectors are not the store's")


def _hnswlib(dimension: int) -> Any:
    import hnswlib

    return hnswlib.Index("ip", dimension)


def _more(count: int) -> int:
    return count // 8 + 1024
