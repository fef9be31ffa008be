"""Builders shared by the tests of streams: messages with stamps, fed to a recorder in a chosen order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import StreamSettings
from robot_memory.errors import RobotMemoryError
from robot_memory.streams.media import SECOND, ClipMedia, Pose
from robot_memory.streams.recorder import Recorder
from robot_memory.streams.sessions import Session

MS = 1_000_000
START = 1_772_440_200 * SECOND  # a Monday morning in 2026, on a border of all clip lengths used here
SHORT = StreamSettings(clip_s=2.0, frames_per_second=5.0, reorder_s=0.5, closed_clips=2)


@dataclass(frozen=True, repr=False)
class Sent:
    """A message: `sound` for audio; `broken` pictures cannot be encoded."""

    stream: str
    stamp_ns: int
    sound: NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    first_sample: int | None = 0
    rate: int = 16_000
    channels: int = 1
    broken: bool = False

    def __repr__(self) -> str:
        return f"{self.stream}@{(self.stamp_ns - START) / SECOND:+.9f}" + (
            f"[{len(self.sound)}]" if len(self.sound) else ""
        )


def picture(stamp_ns: int, broken: bool = False) -> Sent:
    return Sent("image", stamp_ns, broken=broken)


def pictures(start_ns: int, seconds: float, per_second: float = 5.0) -> list[Sent]:
    return [picture(start_ns + round(n * SECOND / per_second)) for n in range(round(seconds * per_second))]


def pose(stamp_ns: int) -> Sent:
    return Sent("pose", stamp_ns)


def poses(start_ns: int, seconds: float, per_second: float = 4.0) -> list[Sent]:
    return [pose(start_ns + round(n * SECOND / per_second)) for n in range(round(seconds * per_second))]


def tone(count: int, first: int = 0) -> NDArray[np.int16]:
    """Samples that tell their own number: no two within two seconds are equal in pairs."""
    return ((np.arange(first, first + count) * 7919) % 65_521 - 32_760).astype(np.int16)


def sounds(
    start_ns: int, samples: NDArray[np.int16], lengths: Sequence[int], rate: int = 16_000, channels: int = 1
) -> list[Sent]:
    """`samples` (interleaved) cut into chunks of so many samples in turn, stamped without jitter and counted."""
    out, first, turn = [], 0, 0
    total = len(samples) // channels
    while first < total:
        count = min(lengths[turn % len(lengths)], total - first)
        data = samples[first * channels : (first + count) * channels]
        out.append(Sent("audio", start_ns + first * SECOND // rate, data, first, rate, channels))
        first, turn = first + count, turn + 1
    return out


def by_stamp(*streams: Iterable[Sent]) -> list[Sent]:
    return sorted((sent for stream in streams for sent in stream), key=lambda sent: sent.stamp_ns)


def recorder(settings: StreamSettings = SHORT, origin_ns: int | None = None) -> Recorder:
    return Recorder(Session("s", origin_ns=origin_ns), settings)


class CannotEncode(RobotMemoryError):
    """What a broken picture raises."""


def give(to: Recorder, sent: Sent) -> None:
    if sent.stream == "image":

        def encode() -> bytes:
            if sent.broken:
                raise CannotEncode
            return b"picture of %d" % sent.stamp_ns

        with contextlib.suppress(CannotEncode):
            to.frame(sent.stamp_ns, encode)
    elif sent.stream == "audio":
        to.audio(sent.stamp_ns, sent.first_sample, sent.rate, sent.channels, sent.sound)
    else:
        to.pose(Pose(sent.stamp_ns, "odom", (float(sent.stamp_ns % 97), 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)))


def clips_of(messages: Iterable[Sent], to: Recorder | None = None) -> list[ClipMedia]:
    """All clips of the messages, fed in this order and finished."""
    to = to or recorder()
    clips: list[ClipMedia] = []
    for sent in messages:
        give(to, sent)
        clips += to.closed()
    to.finish()
    return clips + to.closed()


def content(clip: ClipMedia) -> tuple[object, ...]:
    """All of a clip in a form that can be compared."""
    audio = tuple((span.stamp_ns, span.samples.tobytes()) for span in clip.audio)
    return (clip.session, clip.sequence, clip.start_ns, clip.end_ns, clip.frames, audio, clip.poses)


def heard(clips: Iterable[ClipMedia]) -> NDArray[np.int16]:
    """The sound of all clips, one after the other."""
    spans = [span.samples for clip in clips for span in clip.audio]
    return np.concatenate(spans) if spans else np.empty(0, np.int16)
