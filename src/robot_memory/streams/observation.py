"""What perception saw and heard in a closed clip: the message from the perception process to memory.

Plain data, no model types. Embeddings are float32 and of unit norm; times are nanoseconds on the source's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_memory.streams.media import Pose

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class FaceTrack:
    """One appearance of one face: from when to when, where in the picture, and its best views.

    stamps_ns [n] int64 and boxes [n, 4] float32 (x, y, width, height in pixels) run in parallel;
    embeddings [k, d] are the k best views, best first; crop is the JPEG of the very best.
    """

    stamps_ns: NDArray[np.int64]
    boxes: NDArray[np.float32]
    embeddings: NDArray[np.float32]
    crop: bytes
    quality: float

    @property
    def start_ns(self) -> int:
        return int(self.stamps_ns[0])

    @property
    def end_ns(self) -> int:
        return int(self.stamps_ns[-1])


@dataclass(frozen=True)
class SpeechTurn:
    """One stretch of speech by one speaker. `voice` numbers the speakers within the clip; `embedding` [d] or None if
    too short.
    """

    start_ns: int
    end_ns: int
    text: str
    voice: int
    embedding: Vector | None
    confidence: float  # geometric mean of the token probabilities, 0..1
    no_speech: float  # the transcriber's probability that this is not speech, 0..1

    @property
    def duration_s(self) -> float:
        return (self.end_ns - self.start_ns) / 1e9


@dataclass(frozen=True)
class Keyframe:
    """A picture worth keeping of the clip (becomes a snapshot)."""

    stamp_ns: int
    jpeg: bytes


@dataclass(frozen=True)
class ClipObservation:
    """One closed clip as perceived. `embedders` names the models behind the embeddings (role -> name)."""

    session: str
    sequence: int
    start_ns: int
    end_ns: int
    tracks: tuple[FaceTrack, ...] = ()
    turns: tuple[SpeechTurn, ...] = ()
    poses: tuple[Pose, ...] = ()
    keyframes: tuple[Keyframe, ...] = ()
    frames: int = 0
    undecodable: int = 0
    audio_s: float = 0.0
    embedders: dict[str, str] = field(default_factory=dict)
    skipped: str = ""  # why nothing was perceived; empty: it was
