"""Spooled clips become memory: one lane, one transaction a clip, each stored or skipped exactly once.

A clip leaves the spool when its row is committed, never before. One that cannot be read or understood is committed as
skipped, with the reason, and set aside for a person to look at; while the disk is full or the store is in trouble,
clips wait where they are.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from robot_memory.errors import SpoolCorrupt
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.memorization.memorise import Memoriser, Stored
from robot_memory.streams import clipfiles
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session
from robot_memory.streams.spool import Spool
from robot_memory.streams.working import WorkingMemory

LOG = logging.getLogger("robot_memory.memory")
LAST_S = 0.5  # what taking in the last clips may keep a process that was told to stop
UNSURE_BAG = "(the session's description was lost)"


class Intake:
    """The memorise lane. `on_stored` is called in it; `problems` says what a person should know, by topic."""

    def __init__(
        self,
        spool: Spool,
        memoriser: Memoriser,
        working: WorkingMemory,
        traffic: Traffic,
        on_stored: Callable[[Session, Stored], None],
    ) -> None:
        self._spool, self._memoriser, self._working, self._on_stored = spool, memoriser, working, on_stored
        self._lane = Lane("memorise", Rank.MEMORISE, traffic, capacity=100_000)
        self._queued: set[Path] = set()
        self._lock = threading.Lock()
        self._behind: list[Path] = []  # the clip that could not be stored, and those after it
        self.problems: dict[str, str] = {}

    def scan(self) -> None:
        """Queue every clip that lies in the spool: those of a crashed run, and those whose announcement was lost.
        Clips that wait for the disk or the store are tried again.
        """
        with suppress(Busy):
            self._lane.post(self._try_again)
        for place in self._spool.waiting():
            self.clip_ready(place)

    def clip_ready(self, place: Path) -> None:
        """Queue one spooled clip; naming it twice is harmless. What is no clip of this spool is left alone."""
        if not self._spool.is_clip(place):
            if place.parent.parent != self._spool.root:
                self.problems["spool"] = f"{place} was announced, which is no clip of the spool {self._spool.root}"
            return
        with self._lock:
            if place in self._queued:
                return
            self._queued.add(place)
        try:
            self._lane.post(partial(self._take_in, place))
        except Busy:
            self._dequeue(place)

    def stop(self) -> None:
        """Take in what lies in the spool, as far as LAST_S allows; the rest stays there for the next start."""
        with suppress(Busy):
            self.scan()
            wait([self._lane.submit(lambda: None)], LAST_S)
        self._lane.close()

    def _try_again(self) -> None:
        waiting, self._behind = self._behind, []
        for place in waiting:
            self._take_in(place)

    def _take_in(self, place: Path) -> None:
        if self._behind:  # a small clip does not overtake one for which the disk had no room
            self._behind.append(place)
            return
        if not self._spool.is_clip(place):  # announced while it was being taken out
            self._dequeue(place)
            return
        self._lane.give_way()
        try:
            stored, session = self._store(place)
        except (sqlite3.Error, OSError) as error:
            self._behind.append(place)
            self.problems["store"] = f"clips wait in the spool: {error}"
            LOG.error("clip %s waits in the spool: %s", place, error)
            return
        except BaseException:
            self._dequeue(place)
            raise
        self.problems.pop("store", None)
        self._take_out(place)
        self._dequeue(place)
        self._on_stored(session, stored)

    def _take_out(self, place: Path) -> None:
        try:
            self._spool.remove(place)
        except OSError as error:
            self.problems["taking out"] = (
                f"{place} is stored but cannot be taken out of the spool, which will fill up ({error.strerror}): "
                "let this user write there"
            )
            return
        self.problems.pop("taking out", None)

    def _store(self, place: Path) -> tuple[Stored, Session]:
        try:
            session = self._spool.session(place.parent.name)
        except SpoolCorrupt as error:
            return self._skip(place, Session(place.parent.name, bag_uri=UNSURE_BAG), _unread(place), str(error))
        try:
            observation = clipfiles.read(place)
        except SpoolCorrupt as error:
            return self._skip(place, session, _unread(place), str(error))
        try:
            stored = self._memoriser.memorise(observation, session)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError) as error:
            return self._skip(place, session, observation, f"memorising failed: {error}")
        except (sqlite3.Error, OSError):
            raise
        except Exception as error:
            LOG.exception("clip %s could not be memorised", place)
            return self._skip(place, session, observation, f"memorising failed: {error}")
        self._working.committed(observation.session, observation.end_ns)
        return stored, session

    def _skip(self, place: Path, session: Session, observation: ClipObservation, reason: str) -> tuple[Stored, Session]:
        """Commit first, set aside then: a crash in between only repeats this."""
        nothing = replace(observation, tracks=(), turns=(), poses=(), keyframes=(), skipped=reason)
        stored = self._memoriser.memorise(nothing, session)
        if stored.again and not stored.skipped:  # the remains of one that was stored before a power cut
            return stored, session
        LOG.error("%s; set aside in %s", reason, self._spool.set_aside(place))
        return stored, session

    def _dequeue(self, place: Path) -> None:
        with self._lock:
            self._queued.discard(place)


def _unread(place: Path) -> ClipObservation:
    """All that is known of a clip that cannot be read."""
    return ClipObservation(place.parent.name, int(place.name), 0, 0)
