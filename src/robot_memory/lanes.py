"""Lanes: one worker thread each, in order of rank; a lower lane yields at its borders while a higher one is busy.

Speech goes before answering, answering before faces, faces before memorising, and that before the store's upkeep
(design: laws of threads). A full lane says so at once instead of letting work pile up.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any

from robot_memory.errors import RobotMemoryError

LOG = logging.getLogger("robot_memory.lanes")
LONGEST_WAIT_S = 1.0  # a lower lane is slowed by a busy higher one, never starved


class Rank(IntEnum):
    SPEECH = 0
    ANSWERING = 1
    FACES = 2
    MEMORISE = 3
    UPKEEP = 4


class Busy(RobotMemoryError):
    """The lane is full: ask again later."""


class Traffic:
    """Which ranks are at work, shared by the lanes of one process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._working: dict[Rank, int] = dict.fromkeys(Rank, 0)

    def enter(self, rank: Rank) -> None:
        with self._changed:
            self._working[rank] += 1

    def leave(self, rank: Rank) -> None:
        with self._changed:
            self._working[rank] -= 1
            self._changed.notify_all()

    def give_way(self, rank: Rank) -> None:
        """Wait, not for ever, until no higher rank is at work."""
        with self._changed:
            self._changed.wait_for(lambda: not any(n for r, n in self._working.items() if r < rank), LONGEST_WAIT_S)


class Lane:
    """A worker thread and its queue. Close it; jobs still waiting are then cancelled."""

    def __init__(self, name: str, rank: Rank, traffic: Traffic, capacity: int) -> None:
        self.name = name
        self._rank = rank
        self._traffic = traffic
        self._capacity = capacity
        self._jobs: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._running = False
        self._thread = threading.Thread(target=self._work, name=name)
        self._thread.start()

    def submit(self, job: Callable[[], Any], wait: bool = False) -> Future[Any]:
        """Queue a job. Raises Busy when the queue is full, unless `wait`: then the caller is held until there is
        room.
        """
        future: Future[Any] = Future()
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._closing or len(self._jobs) < self._capacity)
            if self._closing:
                raise Busy(f"the {self.name} lane is closing")
            self._let_go()
            if len(self._jobs) >= self._capacity:
                raise Busy(f"{len(self._jobs)} jobs wait in the {self.name} lane: ask again later")
            self._jobs.append((future, job))
            self._changed.notify_all()
        return future

    def post(self, job: Callable[[], object], wait: bool = False) -> None:
        """Queue a job whose result nobody awaits: if it fails, that is logged. Raises Busy as `submit` does."""

        def log_failure(done: Future[Any]) -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                LOG.error("a job of the %s lane failed", self.name, exc_info=error)

        self.submit(job, wait).add_done_callback(log_failure)

    def give_way(self) -> None:
        """Called by a job at its borders: higher lanes go first."""
        self._traffic.give_way(self._rank)

    def load(self) -> int:
        """Jobs waiting or running."""
        with self._changed:
            return len(self._jobs) + self._running

    def close(self) -> None:
        """Finish the running job, cancel the waiting ones, end the thread. Safe to repeat."""
        with self._changed:
            self._closing = True
            waiting = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        for future, _ in waiting:
            if future.cancel():
                future.set_running_or_notify_cancel()  # else concurrent.futures.wait would wait for it for ever
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _let_go(self) -> None:
        """Jobs that their owners have cancelled take no room."""
        for future, job in [waiting for waiting in self._jobs if waiting[0].cancelled()]:
            self._jobs.remove((future, job))
            future.set_running_or_notify_cancel()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closing)
                if not self._jobs:
                    return
                future, job = self._jobs.popleft()
                self._running = True
                self._changed.notify_all()
            self._run(future, job)
            with self._changed:
                self._running = False
                self._changed.notify_all()

    def _run(self, future: Future[Any], job: Callable[[], Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        self._traffic.enter(self._rank)
        try:
            result = job()
        except BaseException as error:  # noqa: BLE001 - whoever awaits the future gets it
            self._traffic.leave(self._rank)
            future.set_exception(error)
        else:
            self._traffic.leave(self._rank)
            future.set_result(result)
