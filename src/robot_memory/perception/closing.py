"""Closed clips are perceived in order and put into the spool, in a lane of their own.

A clip that cannot be perceived, or for which there was no time, is spooled as skipped with the reason, so that the
store can account for it. Only a full disk loses one, and that is counted.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from robot_memory.config import PerceptionSettings
from robot_memory.errors import Cancelled
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.perception.ears import Names, no_names
from robot_memory.perception.perceive import perceive
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import ClipMedia
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session, root_of
from robot_memory.streams.spool import Spool, SpoolFull

LOG = logging.getLogger("robot_memory.perception")


class ClipCloser:
    """The clips lane. `note` hears of problems and how many messages they cost; `on_clip` of each spooled clip."""

    def __init__(
        self,
        senses: Senses,
        perception: PerceptionSettings,
        spool: Spool,
        traffic: Traffic,
        capacity: int,
        on_clip: Callable[[ClipObservation, Path], None],
        note: Callable[[str, int], None],
        names: Names = no_names,
    ) -> None:
        self._senses, self._perception, self._spool = senses, perception, spool
        self._on_clip, self._note, self._names = on_clip, note, names
        self._lane = Lane("clips", Rank.FACES, traffic, capacity)
        self._deadline: float | None = None
        self.lost: Counter[str] = Counter()  # clips of a session, parts included, for which there was no disk

    def close_clip(self, media: ClipMedia, session: Session) -> None:
        """Queue a closed clip of a session or a part of it. When too many wait, a source that can wait is held; the
        clip of another is skipped.
        """
        try:
            self._lane.post(partial(self._perceive, media, session), wait=session.lockstep)
        except Busy:
            self._skip(media, session, "perception fell behind")

    def after_all(self, job: Callable[[], None]) -> None:
        """Run `job` in the lane, behind every clip queued so far."""
        self._lane.submit(job, wait=True)

    def finish_by(self, deadline: float) -> None:
        """From now on, what is not perceived by `deadline` (monotonic seconds) is given up."""
        self._deadline = deadline

    def stop(self) -> None:
        self._lane.close()

    def wait(self) -> None:
        """Until everything queued so far is done or given up."""
        self._lane.submit(lambda: None, wait=True).exception()

    def _perceive(self, media: ClipMedia, session: Session) -> None:
        try:
            names = no_names if session.lockstep else self._names
            observation = perceive(
                media, self._senses.eyes, self._senses.ears, self._perception, self._checkpoint, names
            )
        except Cancelled:
            if session.live:  # a bag can be replayed
                self._skip(media, session, "the process stopped before it was perceived")
            return
        except Exception as error:
            LOG.exception("clip %d of session %s could not be perceived", media.sequence, media.session)
            self._skip(media, session, f"perception failed: {error}")
            return
        if observation.undecodable:
            self._note("pictures that cannot be decoded", observation.undecodable)
        self._put(observation, session)

    def _checkpoint(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Cancelled("the process is stopping")
        self._lane.give_way()

    def _skip(self, media: ClipMedia, session: Session, reason: str) -> None:
        self._put(
            ClipObservation(
                session=media.session,
                sequence=media.sequence,
                start_ns=media.start_ns,
                end_ns=media.end_ns,
                frames=len(media.frames),
                skipped=reason,
            ),
            session,
        )

    def _put(self, observation: ClipObservation, session: Session) -> None:
        try:
            self._spool.open_session(session)
            place = self._spool.add(observation)
        except (SpoolFull, OSError) as error:
            self.lost[root_of(session.id)] += 1
            self._note(f"a clip is lost: {error}", 1)
            return
        self._on_clip(observation, place)
