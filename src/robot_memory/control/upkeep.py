"""Work on the store that takes its time, while the robot lives on: a backup, vectors of another model made anew, the
index of vectors rebuilt, what repeats made into rules.

One task at a time, in the lowest lane: questions and clips go first at each of its steps, and it can be stopped there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation.consolidate import consolidate
from robot_memory.memorization.saliency.teaching import teach
from robot_memory.memory import reembed
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage import backup

REPORT_EVERY_S = 0.1
RULES = 0.9  # of consolidating; the rest is to learn
Report = Callable[[str, float], None]  # what is being done in a word, and how much of it, 0..1


class UpkeepInvalid(RobotMemoryError):
    """The task cannot be done as asked for."""


class UpkeepRefused(RobotMemoryError):
    """The task would destroy something."""


@dataclass(frozen=True)
class Finished:
    """What was done, in words, and of how much: memories, or a backup's bytes."""

    message: str
    count: int


class Upkeep:
    """The upkeep lane. `under_way` says what runs; `foreign` counts memories that no search by meaning finds, because
    their vectors are another model's.
    """

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, checksum: str, traffic: Traffic) -> None:
        self._graph, self._embedder, self._checksum = graph, embedder, checksum
        self._lane = Lane("upkeep", Rank.UPKEEP, traffic, capacity=1)
        self._stopping = threading.Event()
        self.under_way = ""
        self.foreign = self._count_foreign()

    def backup(self, path: str, report: Report, cancelled: Callable[[], bool]) -> Future[Finished]:
        """Copy the memory to a new file. Raises Busy; the future UpkeepInvalid, UpkeepRefused, Cancelled, OSError."""
        step = self._step("backup", report, cancelled)

        def work() -> Finished:
            target = free_place(path)
            size = backup.backup(self._graph.store.path, target, step)
            return Finished(f"the memory is copied to {target}: {size:,} bytes", size)

        return self._submit("backup", work)

    def reembed(self, report: Report, cancelled: Callable[[], bool]) -> Future[Finished]:
        """Make the vectors of another model anew with ours. Raises Busy; the future Cancelled, sqlite3.Error."""
        step = self._step("reembed", report, cancelled)

        def work() -> Finished:
            try:
                count = reembed.reembed(self._graph.store, self._embedder, step, self._checksum)
            finally:
                if not self._stopping.is_set():  # what was made before a cancel is found from now on
                    self._graph.reload_index()
                    self.foreign = self._count_foreign()
            return Finished(f"{count:,} memories have new vectors, of {self._embedder.name}", count)

        return self._submit("reembed", work)

    def rebuild_index(self, report: Report, cancelled: Callable[[], bool]) -> Future[Finished]:
        """Make the index of vectors anew, its graph of neighbours too. Raises Busy; the future Cancelled, OSError."""
        step = self._step("rebuild_index", report, cancelled)

        def work() -> Finished:
            try:
                return rebuilt(self._graph, step)
            except Cancelled as stopped:
                raise Cancelled(f"{stopped}: the index is whole, and its graph goes on being built") from stopped

        return self._submit("rebuild_index", work)

    def consolidate(self, report: Report, cancelled: Callable[[], bool]) -> Future[Finished]:
        """Make rules of what repeats, and learn from answers. Raises Busy; the future Cancelled, sqlite3.Error."""
        step = self._step("consolidate", report, cancelled)
        return self._submit("consolidate", lambda: consolidated(self._graph, self._embedder, step))

    def stop(self) -> None:
        """Stop the task at its next step, end the lane. Safe to repeat."""
        self._stopping.set()
        self._lane.close()

    def _submit(self, what: str, work: Callable[[], Finished]) -> Future[Finished]:
        if self._lane.load():
            raise Busy(f"{self.under_way or 'another task'} is under way: ask again later")

        def job() -> Finished:
            self.under_way = what
            try:
                return work()
            finally:
                self.under_way = ""

        return self._lane.submit(job)

    def _step(self, what: str, report: Report, cancelled: Callable[[], bool]) -> Callable[[float], None]:
        """To be called at each border of the work, with the share done. Raises Cancelled."""
        told = 0.0

        def step(fraction: float) -> None:
            nonlocal told
            if cancelled() or self._stopping.is_set():
                raise Cancelled(f"{what} was stopped at {fraction:.0%}")
            self.under_way = f"{what} {fraction:.0%}"
            if fraction in (0.0, 1.0) or time.monotonic() - told > REPORT_EVERY_S:
                told = time.monotonic()
                report(what, fraction)
            self._lane.give_way()

        return step

    def _count_foreign(self) -> int:
        with self._graph.store.snapshot() as db:
            return reembed.waiting(db, self._embedder.name)


def rebuilt(graph: MemoryGraph, step: Callable[[float], None]) -> Finished:
    """Make the index of vectors anew; says which kind it is. Raises OSError, and what `step` does."""
    step(0.0)
    graph.rebuild_index(step)
    step(1.0)
    told = f"{len(graph.index):,} memories are indexed anew: {graph.index.describe()}"
    with graph.store.snapshot() as db:
        foreign = reembed.waiting(db, graph.models.text)
    if foreign:
        told += f"; {foreign:,} are of another text model: robot-memory reembed"
    return Finished(told, len(graph.index))


def consolidated(graph: MemoryGraph, embedder: TextEmbedder, step: Callable[[float], None]) -> Finished:
    """Make rules of what repeats, and learn from answers what is worth remembering. What was done before `step` raised
    stays done. Raises sqlite3.Error, DiskTrouble, and what `step` does.
    """
    done = consolidate(graph, embedder, lambda share: step(RULES * share))
    teach(graph.store, lambda: step(RULES))
    step(1.0)
    changed = done.made + done.strengthened + done.ended + done.fallen
    told = f"{done.made:,} new, {done.strengthened:,} stronger, {done.ended:,} ended, {done.fallen:,} fallen"
    return Finished(f"what repeats is made into rules: {told}", changed)


def free_place(path: str) -> Path:
    """An absolute path where there is nothing yet, in a folder that is there. Raises UpkeepInvalid, UpkeepRefused."""
    target = Path(path)
    with suppress(OSError, ValueError):  # too long for the system, or with a NUL in it: it cannot be a folder's
        if target.is_absolute() and target.name and target.parent.is_dir():
            if target.exists() or target.is_symlink():
                raise UpkeepRefused(f"{target} is there already: choose another name")
            return target
    raise UpkeepInvalid(f"{path[:200]!a} is no place for a backup: give an absolute path in a folder that is there")
