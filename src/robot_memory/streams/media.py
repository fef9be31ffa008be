"""What a clip is made of before anything has looked at it: frames, audio and poses on one clock.

All times are int64 nanoseconds on the source's clock. Audio is mono int16 at 16 kHz.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SECOND = 1_000_000_000
SAMPLE_RATE = 16_000


@dataclass(frozen=True)
class Frame:
    """One camera picture, still encoded (JPEG or PNG bytes)."""

    stamp_ns: int
    encoded: bytes


@dataclass(frozen=True)
class AudioSpan:
    """Gapless audio: `samples` [n] int16, mono, 16 kHz, the first one heard at `stamp_ns`."""

    stamp_ns: int
    samples: NDArray[np.int16]

    @property
    def end_ns(self) -> int:
        return self.stamp_ns + len(self.samples) * SECOND // SAMPLE_RATE


@dataclass(frozen=True)
class Pose:
    """Where the robot was: metres and unit quaternion (x, y, z, w) in `frame_id` of `map_id`; covariance row-major 6
    x 6.
    """

    stamp_ns: int
    frame_id: str
    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float]
    covariance: tuple[float, ...] = (0.0,) * 36
    map_id: str = ""


@dataclass(frozen=True)
class ClipMedia:
    """Everything received for one clip, in stamp order. Half-open: start_ns <= stamp < end_ns."""

    session: str
    sequence: int
    start_ns: int
    end_ns: int
    frames: tuple[Frame, ...] = ()
    audio: tuple[AudioSpan, ...] = ()
    poses: tuple[Pose, ...] = ()
