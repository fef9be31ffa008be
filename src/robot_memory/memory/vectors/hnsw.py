"""A graph of neighbours (HNSW; Malkov and Yashunin, 2018) over the exact vectors, for stores that take long to scan.

It only nominates: cosines, order and what is there come from the exact index, and what the graph does not have yet is
scored beside it. Where it is not built, not current, not installed or not worth it, all is scored. So a search is right
at any moment; the graph makes it faster, and may miss some of the farther neighbours.

One thread keeps the graph: it loads it from its cache or builds it, adds what has come in, builds it anew when too much
was removed (hnswlib never frees), and has a child write the cache. It rests as long as it works. A lower priority would
be worse: where the cores are busy, searches would wait for what it holds.
"""

from __future__ import annotations

import importlib.util
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors import apart, cache
from robot_memory.memory.vectors.cache import Head, Stopped, Unusable
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import Cosines, Ids, Scores, Vector

LOG = logging.getLogger("robot_memory.memory")
WORTH_BYTES = 512 << 20  # of vectors: 350,000 of 384 numbers, 131,000 of 1024; below, a scan takes some 20 ms at most
LINKS = 24  # of a vector in the graph, twice as many in its lowest layer
EFFORT = 200  # neighbours looked at to place a vector: 1.2 ms
# Neighbours looked at to find some, at least WIDER times what is asked for. Measured on vectors of 350,000 sentences
# that people wrote: 0.996 of the nearest 10 are found and 0.992 of 100, in a third of a scan; with 16, 100 and 200 for
# these three, 0.96 and 0.94.
WIDTH = 600
WIDER = 6
MOST = 200  # asked for more, all are scored: that is as fast by then
BATCH = 4  # vectors added at a time: some milliseconds, which a search may have to wait
YOUNG = 8192  # memories that the graph may lack and still be used: scored beside it, a millisecond or two
DELETED = 0.3  # share of the graph from which it is built anew
GROWN = 0.1  # share that is new, from which the cache is written again
SAMPLE = 512  # vectors of a cached graph that are compared with the store's
JOIN_S = 0.3  # its keeper ends within some milliseconds, unless a slow disk is writing its cache
LOOK_S = 0.05
PATIENCE_S = 0.01  # a search waits so long for the graph, then scores all: its keeper may be slow on a busy machine


@dataclass(frozen=True)
class Home:
    """Where a graph is cached, and whose vectors it is of. `kept`: may build and write, and not only read what a writer
    has left.
    """

    path: Path
    model: str
    kept: bool = True


@dataclass(frozen=True)
class Moment:
    """Which store the index follows, by its first session, and up to which change."""

    store: str
    generation: int


class HnswIndex:
    """The index of a store: exact, and faster where it is large. `start` it when it is loaded, `close` it. `moment` is
    its owner's to set after each change.
    """

    def __init__(self, dimension: int, home: Home | None = None, worth_bytes: int | None = None) -> None:
        self.dimension = dimension
        self.exact = ExactIndex(dimension)
        self._home, self._worth = home, WORTH_BYTES if worth_bytes is None else worth_bytes
        self.moment = Moment("", 0)
        self._lock = threading.Lock()  # of the graph: hnswlib can search or be added to, not both
        self._graph: Any = None
        self._last = -1  # the newest memory that the graph has
        self._removed = 0
        self._saved = 0  # how many the cache has
        self._epoch = 0  # counts what makes the graph of before worthless
        self._wake, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._started = False
        self._resting = False  # the keeper has done all there is to do
        self._trouble = ""

    def __len__(self) -> int:
        return len(self.exact)

    def start(self) -> None:
        """From now on the graph is kept, once it is worth it."""
        self._started = True
        if self._home and self._thread is None and len(self) and not self._why_not():
            self._thread = threading.Thread(target=self._keep, args=(self._home,), name="neighbours", daemon=True)
            self._thread.start()

    def close(self, wait_s: float | None = JOIN_S) -> None:
        """End the keeping of the graph; searches go on. Waits so long for it at most (None: until it has ended). Safe
        to repeat.
        """
        self._closed.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(wait_s)

    def add(self, ids: Ids, vectors: NDArray[np.float32], clips: Ids) -> None:
        """See VectorIndex."""
        self.exact.add(ids, vectors, clips)
        self._wake.set()
        if self._started:
            self.start()  # it may have become worth it

    def remove(self, ids: Ids) -> None:
        """See VectorIndex. A cache keeps what is removed until the graph is built anew: to forget, `forget`."""
        self.exact.remove(ids)
        with self._lock:
            if self._graph is not None:
                for one in np.asarray(ids, np.int64).tolist():
                    self._mark(one)
        self._wake.set()

    def forget(self, ids: Ids) -> None:
        """Take these out so that nothing of them is left: not in the graph, not in its cache. Raises OSError."""
        self.exact.remove(ids)
        with self._lock:
            self._drop()
            if self._home:
                cache.forget(self._home.path)
        self._wake.set()

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, Cosines]:
        """See VectorIndex. With `among` it is exact."""
        if among is None and (near := self._near(query, k)) is not None:
            found = self.exact.search(query, k, near)
            if len(found[0]) == k:
                return found
        return self.exact.search(query, k, among)

    def cosines(self, query: Vector, ids: Ids) -> Cosines:
        return self.exact.cosines(query, ids)

    def scores(self, query: Vector) -> Scores:
        return self.exact.scores(query)

    @property
    def busy(self) -> bool:
        """Is the graph being loaded, built or written?"""
        return self._thread is not None and self._thread.is_alive() and not self._resting

    def settle(self, on_progress: Callable[[float], None]) -> None:
        """Wait until the graph is built and in its cache, or will not be. `on_progress` is told the share; what it
        raises ends the waiting, and the graph goes on being built.
        """
        while self.busy and not self._closed.wait(LOOK_S):
            on_progress(self.progress)

    @property
    def progress(self) -> float:
        """The share of the memories that the graph has, 0..1."""
        rows = self.exact.rows
        return 1 - self._young(rows.ids) / len(rows) if self._graph is not None and len(rows) else 0.0

    def describe(self) -> str:
        """Which index answers, and why, for status."""
        size = f"{len(self):,} vectors, {self.exact.nbytes / 1e6:,.0f} MB"
        if reason := self._why_not() or self._trouble:
            return f"exact ({size}): {reason}"
        if self._graph is None or self._young(self.exact.rows.ids) > YOUNG:
            return f"exact ({size}): the graph of neighbours is being built, {self.progress:.0%}"
        return f"hnsw, re-ranked exactly ({size})"

    def _why_not(self) -> str:
        if self.exact.nbytes < self._worth:
            return f"fast enough below {self._worth / 1e6:,.0f} MB"
        if importlib.util.find_spec("hnswlib") is None:
            return "hnswlib is not installed — pip install hnswlib"
        return "" if self._home else "it is only read, for which no graph is loaded"

    def _young(self, ids: Ids) -> int:
        """How many of these the graph does not have yet: the newest."""
        return len(ids) - int(np.searchsorted(ids, self._last, "right"))

    def _near(self, query: Vector, k: int) -> Ids | None:
        """Who may be nearest: what the graph finds, and all that it does not have yet. None: all must be scored."""
        if not 0 < k <= MOST:
            return None
        if not self._lock.acquire(timeout=PATIENCE_S):
            return None
        try:
            ids = self.exact.rows.ids
            young = self._young(ids)
            if self._graph is None or young > YOUNG:
                return None
            wide = max(WIDTH, WIDER * k)
            self._graph.set_ef(wide)
            labels, _ = self._graph.knn_query(query, k=min(wide, 2 * k + 20), num_threads=1)
        except RuntimeError:  # it reaches fewer than that
            return None
        finally:
            self._lock.release()
        return np.concatenate([np.sort(labels[0].astype(np.int64)), ids[len(ids) - young :]])

    def _keep(self, home: Home) -> None:
        try:
            self._load(home)
            if not home.kept and self._graph is None:
                self._trouble = "no graph of neighbours is kept beside it yet"
            while home.kept:
                self._wake.clear()
                self._resting = False
                begin = time.monotonic()
                while self._step():
                    self._closed.wait(time.monotonic() - begin)  # rest as long as it worked
                    self._go_on()
                    begin = time.monotonic()
                self._save(home)
                self._resting = not self._wake.is_set()
                self._wake.wait()
                self._go_on()
        except Stopped:
            pass
        except (OSError, RuntimeError, MemoryError) as error:
            self._trouble = f"the graph of neighbours cannot be kept ({error})"
            LOG.error("%s: all vectors are scored instead", self._trouble)
            with self._lock:
                self._drop()

    def _step(self) -> bool:
        """Add the next few to the graph. Returns False when it has all."""
        with self._lock:
            if self._graph is not None and self._removed > DELETED * self._graph.get_current_count():
                self._drop()
            rows = self.exact.rows
            first = len(rows) - self._young(rows.ids)
            vectors = rows.vectors(first, BATCH)
            if not len(vectors):
                return False
            ids = rows.ids[first : first + len(vectors)]
            self._make_room(len(rows))
            self._graph.add_items(vectors, ids, num_threads=1)
            self._last = int(ids[-1])
            return True

    def _make_room(self, count: int) -> None:
        if self._graph is None:
            self._graph = _new_graph(self.dimension)
            self._graph.init_index(count + count // 8 + 1024, M=LINKS, ef_construction=EFFORT, random_seed=1)
        elif self._graph.get_current_count() + BATCH > self._graph.get_max_elements():
            self._graph.resize_index(self._graph.get_max_elements() + self._graph.get_max_elements() // 4)

    def _drop(self) -> None:
        self._graph, self._last, self._removed, self._saved = None, -1, 0, 0
        self._epoch += 1

    def _mark(self, memory: int) -> None:
        with suppress(RuntimeError):  # not in the graph, or marked before
            self._graph.mark_deleted(memory)
            self._removed += 1

    def _head(self, home: Home, last_id: int, count: int) -> Head:
        moment = self.moment
        return Head(
            moment.store, home.model, self.dimension, LINKS, EFFORT, moment.generation, last_id=last_id, count=count
        )

    def _load(self, home: Home) -> None:
        """Take the graph from its cache, if it is there, whole and of these very vectors."""
        try:
            rows, epoch = self.exact.rows, self._epoch
            wanted = self._head(home, int(rows.ids[-1]), len(rows))
            head = cache.read(home.path, wanted, self._go_on)
            graph = _new_graph(self.dimension)
            graph.load_index(str(home.path), max_elements=max(len(rows), head.count) + len(rows) // 8 + 1024)
            labels = np.sort(np.array(graph.get_ids_list(), np.int64))
            self._compare(graph, labels, head)
        except (Unusable, RuntimeError) as error:
            LOG.info("the graph of neighbours is not taken from %s: %s", home.path, error)
            return
        with self._lock:
            if epoch != self._epoch:
                return
            self._graph, self._last, self._saved = graph, head.last_id, head.count
            _, there = self.exact.rows.find(labels)
            for gone in labels[~there].tolist():
                self._mark(gone)
            self._removed = int((~there).sum())

    def _compare(self, graph: Any, labels: Ids, head: Head) -> None:
        """Raises Unusable where the graph is not of the vectors that are here."""
        rows = self.exact.rows
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
            if not np.array_equal(np.asarray(graph.get_items(ids)), mine):
                raise Unusable("its vectors are not the store's")

    def _save(self, home: Home) -> None:
        """Write the cache where much is new. Where that fails the graph serves all the same."""
        with self._lock:
            graph, epoch = self._graph, self._epoch
            count = graph.get_current_count() if graph is not None else 0
            head = self._head(home, self._last, count)
        if count <= self._saved * (1 + GROWN):
            return

        def save(path: str) -> None:
            with self._lock:
                child = apart.begin(lambda: graph.save_index(path))
            apart.end(child, self._go_on)

        try:
            head = cache.make(home.path, head, save, graph.index_file_size(), self._go_on)
            with self._lock:
                if epoch == self._epoch:
                    cache.put(home.path, head)
            self._saved = count
        except OSError as error:
            if epoch == self._epoch:  # else it was forgotten meanwhile
                self._saved = count
                LOG.error("the graph of neighbours is not kept for the next start (%s): it will be built again", error)
        finally:
            with suppress(OSError):
                cache.clear(home.path)

    def _go_on(self) -> None:
        if self._closed.is_set():
            raise Stopped


def _new_graph(dimension: int) -> Any:
    import hnswlib

    return hnswlib.Index("ip", dimension)
