"""Who keeps the graph of neighbours: one thread, beside those that search and change the exact index.

It loads the graph from its cache or builds it, adds what has come in, builds it anew when too much was removed, and has
a child write the cache. It rests as long as it works. A lower priority would be worse: where the cores are busy,
searches would wait for what it holds.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from robot_memory.memory.vectors import apart, cache
from robot_memory.memory.vectors.cache import Generation, Head, Home, Stopped, Unusable
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import Ids, Vector
from robot_memory.memory.vectors.neighbours import EFFORT, LINKS, Neighbours

LOG = logging.getLogger("robot_memory.memory")
MOST = 200  # asked for more, all are scored: that is as fast by then
YOUNG = 8192  # memories that the graph may lack and still be used: scored beside it, a millisecond or two
GROWN = 0.1  # share that is new, from which the cache is written again
JOIN_S = 0.3  # the thread ends within some milliseconds, unless a slow disk is writing its cache
LOOK_S = 0.05
PATIENCE_S = 0.01  # a search waits so long for the graph, then scores all: its keeper may be slow on a busy machine


class Keeper:
    """Keeps the graph of what is in `exact`, from `start` to `close`. Without a `home` there is never one."""

    def __init__(self, exact: ExactIndex, home: Home | None) -> None:
        self._exact, self.home = exact, home
        self.generation = Generation("", 0)
        self.graph: Neighbours | None = None
        self.trouble = ""  # why there is no graph and will be none
        self._lock = threading.Lock()  # of the graph: hnswlib can search or be added to, not both
        self._writing = threading.Lock()  # of the cache's files; who has it may take the graph's lock, not reversely
        self._epoch = 0  # counts the forgettings: a graph of before is not to be used or written
        self._wake, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._resting = False  # all there is to do is done

    def start(self) -> None:
        """Safe to repeat."""
        if self.home and self._thread is None:
            self._thread = threading.Thread(target=self._keep, args=(self.home,), name="neighbours", daemon=True)
            self._thread.start()

    def close(self, wait_s: float | None) -> None:
        """End, and wait so long for that (None: until it has ended). Safe to repeat."""
        self._closed.set()
        self.wake()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(wait_s)

    def wake(self) -> None:
        """The exact index has changed."""
        self._wake.set()

    def near(self, query: Vector, k: int) -> Ids | None:
        """Who may be nearest: what the graph finds, and all that it does not have yet. None: all must be scored."""
        if not 0 < k <= MOST or not self._lock.acquire(timeout=PATIENCE_S):
            return None
        try:
            ids, graph = self._exact.rows.ids, self.graph
            if graph is None or graph.lacks(ids) > YOUNG:
                return None
            return np.concatenate([graph.near(query, k), ids[len(ids) - graph.lacks(ids) :]])
        except RuntimeError:  # it reaches too few
            return None
        finally:
            self._lock.release()

    def remove(self, ids: Ids) -> None:
        """These were taken out of the exact index. A cache keeps them until the graph is built anew."""
        with self._lock:
            if self.graph is not None:
                self.graph.remove(ids)
        self.wake()

    def forget(self) -> None:
        """Leave neither the graph nor its cache, and build them of what the exact index has now. A writing that is
        under way is stopped and waited for: its child may not have opened the file yet. Raises OSError.
        """
        with self._lock:
            self.graph = None
            self._epoch += 1
        with self._writing:
            if self.home:
                cache.forget(self.home.path)
        self.wake()

    @property
    def ready(self) -> bool:
        """Does the graph have so much that it is asked?"""
        graph = self.graph
        return graph is not None and graph.lacks(self._exact.rows.ids) <= YOUNG

    @property
    def progress(self) -> float:
        """The share of the memories that the graph has, 0..1."""
        rows, graph = self._exact.rows, self.graph
        return 1 - graph.lacks(rows.ids) / len(rows) if graph is not None and len(rows) else 0.0

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

    def _keep(self, home: Home) -> None:
        try:
            self._load(home)
            while not self._closed.is_set():
                self._build()
                self._save(home)
                self._rest()
        except (OSError, RuntimeError, MemoryError) as error:
            self.trouble = f"the graph of neighbours cannot be kept ({error})"
            LOG.error("%s: all vectors are scored instead", self.trouble)
            with self._lock:
                self.graph = None

    def _load(self, home: Home) -> None:
        """Take the graph from its cache, if it is there, whole and of these very vectors."""
        rows, epoch = self._exact.rows, self._epoch
        try:
            head = cache.read(home.path, self._head(home), lambda: self._go_on(epoch))
            graph = Neighbours.load(home.path, head, rows)
            labels = graph.labels
            graph.compare(labels, head, rows)
        except Stopped:
            return
        except (Unusable, RuntimeError) as error:
            LOG.info("the graph of neighbours is not taken from %s: %s", home.path, error)
            return
        with self._lock:
            if epoch == self._epoch:
                _, there = self._exact.rows.find(labels)
                graph.remove(labels[~there])
                self.graph = graph

    def _build(self) -> None:
        """Add what the graph lacks, a few at a time."""
        begin = time.monotonic()
        while self._step() and not self._closed.wait(time.monotonic() - begin):  # rest as long as it worked
            begin = time.monotonic()

    def _step(self) -> bool:
        """Add the next few to the graph. Returns False when it has all."""
        with self._lock:
            if self.graph is not None and self.graph.worn:
                self.graph = None
            rows = self._exact.rows
            if self.graph is None and len(rows):
                self.graph = Neighbours.empty(self._exact.dimension, len(rows))
            return self.graph is not None and self.graph.add_next(rows)

    def _save(self, home: Home) -> None:
        """Write the cache where much is new. Where that fails the graph serves all the same."""
        with self._lock:
            graph, epoch = self.graph, self._epoch
            if graph is None or len(graph) <= graph.saved * (1 + GROWN):
                return
            head = self._head(home, graph.last, len(graph))
        with self._writing:
            try:
                self._write(home.path, head, graph, lambda: self._go_on(epoch))
            except Stopped:
                return
            except OSError as error:
                LOG.error("the graph of neighbours is not kept for the next start (%s): it will be built again", error)
            finally:
                with suppress(OSError):
                    cache.clear(home.path)
        graph.saved = head.count

    def _write(self, path: Path, head: Head, graph: Neighbours, go_on: Callable[[], None]) -> None:
        def save(making: str) -> None:
            with self._lock:
                child = apart.begin(lambda: graph.save(making))
            apart.end(child, go_on)

        go_on()
        cache.put(path, cache.make(path, head, save, graph.size, go_on))

    def _rest(self) -> None:
        """Until there is something to do. What comes in from now on counts for the next time."""
        self._resting = not self._wake.is_set()
        self._wake.wait()
        self._resting = False
        self._wake.clear()

    def _head(self, home: Home, last_id: int = -1, count: int = 0) -> Head:
        store, number = self.generation.store, self.generation.number
        return Head(store, home.model, self._exact.dimension, LINKS, EFFORT, number, last_id, count)

    def _go_on(self, epoch: int) -> None:
        """Raises Stopped where what is read or written is not wanted any more."""
        if self._closed.is_set() or epoch != self._epoch:
            raise Stopped
