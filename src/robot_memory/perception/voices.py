"""Turns speech into speaker embeddings, and the turns of a clip into voices.

GE2E (Wan et al. 2018) as Resemblyzer trained and runs it: 40 mel bands, quiet speech raised to -30 dBFS, windows of
1.6 s every 0.77 s, each embedded, averaged to one unit vector of 256 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.perception.mel import HOP, mel_spectrogram
from robot_memory.perception.runtime import Session
from robot_memory.perception.speech import to_wave
from robot_memory.streams.media import SAMPLE_RATE
from robot_memory.streams.observation import Vector

LOUDNESS_DBFS = -30.0
PARTIAL = 160  # mel frames, 1.6 s
STEP = round(SAMPLE_RATE / 1.3 / HOP)  # mel frames between partials
MIN_COVERAGE = 0.75  # a last partial with less audio than this is left out
MIN_EMBED_S = 1.0  # shorter speech says too little about the speaker


class SpeakerEmbedder(Protocol):
    name: str
    dimension: int

    def embed(self, samples: NDArray[np.int16]) -> Vector | None:
        """[dimension] unit norm, or None if there is too little speech in the samples."""

    def accept(self, seconds: float) -> float:
        """The cosine from which two pieces, the shorter of this length, are taken for one speaker."""


class GE2E:
    """Speaker embedding, 256-d. `accept` gives the threshold for seconds of speech (from the model's manifest)."""

    def __init__(
        self, session: Session, accept: Callable[[float], float], name: str = "ge2e", dimension: int = 256
    ) -> None:
        self.session, self._accept, self.name, self.dimension = session, accept, name, dimension

    def embed(self, samples: NDArray[np.int16]) -> Vector | None:
        if len(samples) < MIN_EMBED_S * SAMPLE_RATE:
            return None
        wave = raise_volume(to_wave(samples))
        starts = partial_starts(len(wave))
        missing = (starts[-1] + PARTIAL) * HOP - len(wave)
        mels = mel_spectrogram(np.pad(wave, (0, max(0, missing))))
        batch = np.stack([mels[s : s + PARTIAL] for s in starts])
        mean = self.session.run({"mels": batch})["embedding"].astype(np.float64).mean(axis=0)
        norm = float(np.linalg.norm(mean))
        return (mean / norm).astype(np.float32) if np.isfinite(norm) and norm > 0 else None

    def accept(self, seconds: float) -> float:
        return self._accept(seconds)


def raise_volume(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    """The wave at LOUDNESS_DBFS (root mean square); louder ones and silence unchanged."""
    rms = float(np.sqrt(np.mean(wave.astype(np.float64) ** 2)))
    target = 10 ** (LOUDNESS_DBFS / 20)
    return wave if rms == 0 or rms >= target else (wave * (target / rms)).astype(np.float32)


def partial_starts(samples: int) -> list[int]:
    """First mel frames of the partials that cover this many samples; at least one, the last MIN_COVERAGE full."""
    frames = -(-(samples + 1) // HOP)
    starts = list(range(0, max(1, frames - PARTIAL + STEP + 1), STEP))
    covered = (samples - starts[-1] * HOP) / (PARTIAL * HOP)
    return starts[:-1] if covered < MIN_COVERAGE and len(starts) > 1 else starts


@dataclass(eq=False)
class _Voice:
    total: NDArray[np.float64]  # sum of embeddings, weighted by seconds
    seconds: float
    turns: list[int]

    def mean(self) -> NDArray[np.float64]:
        return np.asarray(self.total / np.linalg.norm(self.total), np.float64)


def group_turns(embeddings: Sequence[Vector | None], seconds: Sequence[float], embedder: SpeakerEmbedder) -> list[int]:
    """The voice number of each turn, counted from 0 in order of first appearance.

    Longest turns first, each joins the most similar voice if the score passes the threshold for the shorter of the
    two. A turn without an embedding is a voice of its own: better nobody's word than another's.
    """
    voices: list[_Voice] = []
    for turn in sorted(range(len(embeddings)), key=lambda i: (-seconds[i], i)):
        embedding = embeddings[turn]
        if embedding is None:
            voices.append(_Voice(np.ones(1), 0.0, [turn]))
            continue
        weighted = embedding.astype(np.float64) * seconds[turn]
        home = _home(embedding, seconds[turn], voices, embedder)
        if home is None:
            voices.append(_Voice(weighted, seconds[turn], [turn]))
        else:
            home.total, home.seconds = home.total + weighted, home.seconds + seconds[turn]
            home.turns.append(turn)
    order = sorted(voices, key=lambda v: min(v.turns))
    return [number for _, number in sorted((turn, number) for number, v in enumerate(order) for turn in v.turns)]


def _home(embedding: Vector, seconds: float, voices: list[_Voice], embedder: SpeakerEmbedder) -> _Voice | None:
    scored = [(float(v.mean() @ embedding), v) for v in voices if v.seconds > 0]
    score, best = max(scored, key=lambda s: s[0], default=(-1.0, None))
    return best if best is not None and score >= embedder.accept(min(seconds, best.seconds)) else None
