"""Closed clips are perceived in order and put into the spool, in a lane of their own.

A clip that cannot be perceived, or for which there was no time, is spooled as skipped with the reason, so that the
store can account for it. Only a full disk loses one, and that is counted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from robot_memory.config import PerceptionSettings
from robot_memory.errors import Cancelled
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.perception.perceive import perceive
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import ClipMedia
from robot_memory.streams.observation import ClipObservation
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
    ) -> None:
        self._senses, self._perception, self._spool = senses, perception, spool
        self._on_clip, self._note = on_clip, note
        self._lane = Lane("clips", Rank.FACES, traffic, capacity)
        self._deadline: float | None = None
        self.spooled = self.lost = 0

    def close_clip(self, media: ClipMedia, wait: bool) -> None:
        """Queue a closed clip. When too many wait, the caller is held (`wait`) or the clip is skipped."""
        try:
            self._lane.submit(partial(self._perceive, media), wait=wait)
        except Busy:
            self._skip(media, "perception fell behind")

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

    def _perceive(self, media: ClipMedia) -> None:
        try:
            observation = perceive(media, self._senses.eyes, self._senses.ears, self._perception, self._checkpoint)
        except Cancelled:
            LOG.warning("clip %d of session %s was not perceived before the stop", media.sequence, media.session)
            return
        except Exception as error:
            LOG.exception("clip %d of session %s could not be perceived", media.sequence, media.session)
            self._skip(media, f"perception failed: {error}")
            return
        if observation.undecodable:
            self._note("pictures that cannot be decoded", observation.undecodable)
        self._put(replace(observation, embedders=dict(self._senses.embedders)))

    def _checkpoint(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Cancelled("the process is stopping")
        self._lane.give_way()

    def _skip(self, media: ClipMedia, reason: str) -> None:
        self._put(
            ClipObservation(
                session=media.session,
                sequence=media.sequence,
                start_ns=media.start_ns,
                end_ns=media.end_ns,
                frames=len(media.frames),
                skipped=reason,
            )
        )

    def _put(self, observation: ClipObservation) -> None:
        try:
            place = self._spool.add(observation)
        except (SpoolFull, OSError) as error:
            self.lost += 1
            self._note(f"a clip is lost: {error}", 1)
            return
        self.spooled += 1
        self._on_clip(observation, place)
