"""Messages in any order in, closed clips out: the one object the perception node and the tests talk to.

Each stream has its own stamp guard, since a clock correction reaches the streams one after another. A jump back opens
a new part of the session; the old part is closed when no stream is in it any more.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import StreamSettings
from robot_memory.errors import RobotMemoryError
from robot_memory.streams.audio import MAX_RATE, Chunk, to_mono
from robot_memory.streams.clips import ClipCutter, Encode
from robot_memory.streams.media import SECOND, ClipMedia, Frame, Pose
from robot_memory.streams.sessions import Session
from robot_memory.streams.stamps import Clock, Stamped, StampGuard

STREAMS = ("image", "audio", "pose")


class Unreadable(RobotMemoryError):
    """A message whose content cannot be used; it is counted and passed over."""


@dataclass(frozen=True)
class Progress:
    """How far a session has come; the frames reconcile: in = used + spare + dropped + open."""

    session: str
    watermark_ns: int
    received: dict[str, int]
    clips_closed: int
    frames_used: int
    frames_spare: int
    frames_dropped: int
    frames_open: int
    audio_gap_s: float
    left_out: dict[str, dict[str, int]]  # stream -> why its messages were left out -> how many

    @property
    def reasons(self) -> dict[str, int]:
        """Why messages were left out, of whatever stream."""
        return dict(sum((Counter(reasons) for reasons in self.left_out.values()), Counter[str]()))


class Recorder:
    """Cuts one session's messages into clips. Not thread-safe: one worker feeds it."""

    def __init__(self, session: Session, settings: StreamSettings, first_sequence: int = 0) -> None:
        """`first_sequence`: the number of the first clip, where the session does not say where it began."""
        self.session = session
        self._settings = settings
        self._first_sequence = first_sequence
        self._left_out: dict[str, Counter[str]] = {stream: Counter() for stream in STREAMS}
        clock = Clock()
        self._frames: StampGuard[Encode] = StampGuard(settings, self._left_out["image"], clock)
        self._audio: StampGuard[Chunk] = StampGuard(settings, self._left_out["audio"], clock)
        self._poses: StampGuard[Pose] = StampGuard(settings, self._left_out["pose"], clock)
        self._parts: dict[int, ClipCutter] = {}
        self._seen: dict[str, int] = {}  # stream -> part it is in
        self._uncounted: dict[int, int] = {}  # the stamp of the last sound that had no counter -> the one it was given
        self._next_sample = 0
        self._closed: list[ClipMedia] = []
        self._clips_closed = 0
        self.received: Counter[str] = Counter()

    def frame(self, stamp_ns: int, encode: Encode) -> list[Frame]:
        """Take a camera message; `encode` yields its JPEG or PNG bytes and is called only if the frame's slot is free.

        Returns the frames that are now part of an open clip. Raises Unreadable when the picture cannot be encoded.
        """
        self.received["image"] += 1
        placed, taken = deque(self._frames.take(stamp_ns, encode)), list[Frame]()
        try:
            while placed:
                taken += self._place_frame(placed.popleft())
        finally:
            while placed:  # the one that had waited cannot be encoded: its successor is not to blame
                self._place_frame(placed.popleft())
            self._advance()
        return taken

    def audio(
        self, stamp_ns: int, first_sample: int | None, rate: int, channels: int, data: NDArray[np.int16]
    ) -> list[Chunk]:
        """Take a sound message of interleaved int16 `data`; `first_sample` is None where the sender does not count.

        Returns the chunks that are now part of an open clip, mixed to mono.
        """
        self.received["audio"] += 1
        try:
            chunk = self._chunk(stamp_ns, first_sample, rate, channels, data)
        except Unreadable:
            self._left_out["audio"]["unreadable"] += 1
            raise
        taken = self._place_audio(self._audio.take(stamp_ns, chunk))
        self._advance()
        return taken

    def pose(self, pose: Pose) -> None:
        """Take a pose; poses that are not finite numbers are passed over."""
        self.received["pose"] += 1
        if not np.isfinite([*pose.position, *pose.orientation]).all():
            self._left_out["pose"]["unreadable"] += 1
            return
        self._place_poses(self._poses.take(pose.stamp_ns, pose))
        self._advance()

    def refuse(self, stream: str, reason: str = "unreadable") -> None:
        """A message that did not get as far as its content: counted as received and dropped."""
        self.received[stream] += 1
        self._left_out[stream][reason] += 1

    def closed(self) -> list[ClipMedia]:
        """The clips closed since the last call, in order."""
        closed, self._closed = self._closed, []
        return closed

    def pause(self) -> None:
        """Close what is open: a live source has been silent for a while. What comes next starts a new clip."""
        for one in self._frames.settle():
            with suppress(RobotMemoryError):  # counted as unreadable
                self._place_frame(one)
        self._place_audio(self._audio.settle())
        self._place_poses(self._poses.settle())
        for cutter in self._parts.values():
            self._keep(cutter.close_all())

    def finish(self) -> None:
        """No more will come: close everything."""
        self.pause()
        guards: list[StampGuard[Any]] = [self._frames, self._audio, self._poses]
        for guard in guards:
            guard.drop_held()

    @property
    def current(self) -> Session:
        """The newest part of the session."""
        return self.session.part(self._newest())

    def holds_media(self) -> bool:
        """True while a clip with frames or sound is open."""
        return any(cutter.holds_media() for cutter in self._parts.values())

    def border(self) -> Callable[[int], int]:
        """A function, safe in any thread: where the clip that a moment of the newest part lies in will end."""
        return self._parts[self._newest()].border

    @property
    def watermark_ns(self) -> int:
        """What of the newest part is stamped before this is in a closed or closing clip; 0 before the first message."""
        newest = self._parts.get(self._newest())
        return (newest.watermark_ns or 0) if newest else 0

    def parts(self) -> list[Session]:
        return [self._parts[number].session for number in sorted(self._parts)]

    def part_of(self, clip: ClipMedia) -> Session:
        """The session, or the part of it, that a closed clip belongs to."""
        return next(part for part in self.parts() if part.id == clip.session)

    def progress(self) -> Progress:
        cutters = list(self._parts.values())
        dropped = sum((cutter.dropped for cutter in cutters), Counter[str]()) + self._left_out["image"]
        return Progress(
            session=self.current.id,
            watermark_ns=self.watermark_ns,
            received=dict(self.received),
            clips_closed=self._clips_closed,
            frames_used=sum(cutter.used for cutter in cutters),
            frames_spare=sum(cutter.spare for cutter in cutters),
            frames_dropped=dropped.total(),
            frames_open=sum(cutter.open_frames() for cutter in cutters) + self._frames.holding,
            audio_gap_s=sum(cutter.audio_gap_s for cutter in cutters),
            left_out={stream: dict(+reasons) for stream, reasons in {**self._left_out, "image": dropped}.items()},
        )

    def _place_frame(self, one: Stamped[Encode]) -> list[Frame]:
        encoded = self._part("image", one).add_frame(one.stamp_ns, one.item)
        return [] if encoded is None else [Frame(one.stamp_ns, encoded)]

    def _place_audio(self, placed: list[Stamped[Chunk]]) -> list[Chunk]:
        reasons = [self._part("audio", one).add_audio(one.item) for one in placed]
        self._left_out["audio"].update(reason for reason in reasons if reason)
        return [one.item for one, reason in zip(placed, reasons, strict=True) if not reason]

    def _place_poses(self, placed: list[Stamped[Pose]]) -> None:
        self._left_out["pose"]["late"] += sum(not self._part("pose", one).add_pose(one.item) for one in placed)

    def _chunk(
        self, stamp_ns: int, first_sample: int | None, rate: int, channels: int, data: NDArray[np.int16]
    ) -> Chunk:
        if not 1000 <= rate <= MAX_RATE or channels < 1:
            raise Unreadable(f"audio without channels, or not of 1,000 to {MAX_RATE:,} Hz")
        samples = to_mono(data, channels)
        if first_sample is None:
            first_sample = self._count(stamp_ns, len(samples))
        chunk = Chunk(stamp_ns, first_sample, rate, samples)
        if (chunk.end_ns - stamp_ns) > self._settings.stray_s * SECOND:
            longest_s = self._settings.stray_s
            raise Unreadable(f"audio messages of more than {longest_s:.0f} s: publish chunks of a second or less")
        return chunk

    def _count(self, stamp_ns: int, samples: int) -> int:
        """A counter for a sender without one: what comes next follows on, unless the stamps say otherwise."""
        first_sample = self._uncounted.get(stamp_ns, self._next_sample)  # the same stamp again is the same sound
        self._next_sample = max(self._next_sample, first_sample + samples)
        self._uncounted = {stamp_ns: first_sample}
        return first_sample

    def _part(self, stream: str, one: Stamped[Any]) -> ClipCutter:
        if one.part not in self._parts:
            self._parts[one.part] = ClipCutter(self.session.part(one.part), self._settings, self._first_sequence)
        self._seen[stream] = one.part
        return self._parts[one.part]

    def _advance(self) -> None:
        """Close what is due; a part that no stream is in, or that the newest one has left a clip behind, as a whole."""
        newest = self._newest()
        due = self._parts[newest].close_due() if newest in self._parts else []
        for number in sorted(self._parts):
            if number == newest:
                self._keep(due)
            elif due or number not in self._seen.values():
                self._keep(self._parts[number].close_all())
            else:
                self._keep(self._parts[number].close_due())

    def _newest(self) -> int:
        return max(self._seen.values(), default=0)

    def _keep(self, clips: list[ClipMedia]) -> None:
        self._clips_closed += len(clips)
        self._closed += clips
