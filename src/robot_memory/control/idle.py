"""When a robot is left alone it makes rules of what repeats; and once more, briefly, before it is shut down.

Only a robot that lives does: a replay has to remember the same however long it took, so there one asks for it
(`robot-memory consolidate`).
"""

from __future__ import annotations

import logging
import sqlite3
import time
from concurrent.futures import Future

from robot_memory.control.upkeep import Finished, Upkeep, consolidated
from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.lanes import Busy
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph

LOG = logging.getLogger("robot_memory.memory")
ALONE_S = 120.0  # without a question
CLIPS = 20  # lived since the last time: ten minutes
LAST_S = 0.5  # that it may keep a robot which was told to stop; what it did not get to is done next time
SMALL = 10_000  # memories; of more even one person may take longer, and the robot will be left alone again


class Idle:
    """`asked` at each question, `tick` every second or so, `last` before the store is closed."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, upkeep: Upkeep) -> None:
        self._graph, self._embedder, self._upkeep = graph, embedder, upkeep
        self._asked_s = time.monotonic()
        self._done = self._newest()[0]  # a start is no reason

    def asked(self) -> None:
        """Somebody is there."""
        self._asked_s = time.monotonic()

    def tick(self) -> None:
        """Consolidate if nobody has asked for a while, and enough was lived since the last time."""
        if time.monotonic() - self._asked_s < ALONE_S:
            return
        self._asked_s = time.monotonic()
        if not self._due():
            return
        newest = self._newest()[0]
        try:
            work = self._upkeep.consolidate(lambda what, share: None, lambda: False)
        except Busy:
            return
        work.add_done_callback(lambda ended: self._ended(ended, newest))

    def _ended(self, work: Future[Finished], newest: int) -> None:
        """What failed or was stopped is due again."""
        if work.cancelled() or isinstance(error := work.exception(), Cancelled):
            return
        if error is not None:
            LOG.warning("what repeats was not made into rules: %s", error)
            return
        self._done = newest

    def last(self) -> None:
        """Consolidate what can be in LAST_S. Trouble is logged: it must not keep the robot from stopping."""
        until = time.monotonic() + LAST_S

        def step(share: float) -> None:
            if time.monotonic() > until:
                raise Cancelled("no time left")

        try:
            if self._due() and len(self._graph.index) <= SMALL:
                consolidated(self._graph, self._embedder, step)
        except Cancelled:
            return
        except (RobotMemoryError, sqlite3.Error) as error:
            LOG.warning("what repeats was not made into rules: %s", error)

    def _due(self) -> bool:
        newest, live = self._newest()
        return live and newest - self._done >= CLIPS

    def _newest(self) -> tuple[int, bool]:
        """The newest clip, and whether it was lived rather than replayed."""
        both = "clips JOIN sessions ON sessions.id = session"
        last = f"SELECT clips.id, bag_uri FROM {both} ORDER BY clips.id DESC LIMIT 1"
        row = self._graph.store.reader().execute(last).fetchone()
        return (row["id"], not row["bag_uri"]) if row else (0, False)
