"""How well voices are told apart: equal error rate over pairs of pieces of speech of one length.

Pairs of one speaker are of different utterances, so that neither room tone nor a neighbouring word helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.public.speechsets import Utterance
from robot_memory.perception.voices import SpeakerEmbedder
from robot_memory.streams.media import SAMPLE_RATE

LENGTHS_S: tuple[float | None, ...] = (1.0, 2.0, 3.0, 5.0, None)  # None: whole utterances
PIECES = 2  # of one utterance at most


@dataclass(frozen=True)
class VoicePairs:
    """At one length: pieces and pairs, the equal error rate and its threshold, and what the product's own threshold
    gives (false acceptances, false rejections).
    """

    seconds: float | None
    pieces: int
    same: int
    other: int
    equal_error: float
    at: float
    accept: float
    far: float
    frr: float


def voice_pairs(utterances: Sequence[Utterance], embedder: SpeakerEmbedder, seconds: float | None) -> VoicePairs | None:
    """None where there are not two speakers with two utterances of this length."""
    cut = [(one.speaker, one.id, piece) for one in utterances for piece in _pieces(one.samples, seconds)]
    embedded = [
        (speaker, name, vector) for speaker, name, piece in cut if (vector := embedder.embed(piece)) is not None
    ]
    if not embedded:
        return None
    speakers, names = (np.array([row[i] for row in embedded]) for i in range(2))
    vectors = np.stack([row[2] for row in embedded])
    upper = np.triu_indices(len(embedded), 1)
    scores = (vectors @ vectors.T)[upper]
    alike = (speakers[:, None] == speakers)[upper]
    apart = (names[:, None] != names)[upper]
    same, other = scores[alike & apart], scores[~alike]
    if not len(same) or not len(other):
        return None
    rate, at = equal_error(same, other)
    accept = embedder.accept(seconds or float(np.median([len(piece) for *_, piece in cut])) / SAMPLE_RATE)
    return VoicePairs(
        seconds,
        len(embedded),
        len(same),
        len(other),
        rate,
        at,
        accept,
        float(np.mean(other >= accept)),
        float(np.mean(same < accept)),
    )


def equal_error(same: NDArray[np.float32], other: NDArray[np.float32]) -> tuple[float, float]:
    """(rate, threshold) where as many pairs of one speaker are refused as pairs of two are accepted."""
    thresholds = np.unique(np.concatenate([same, other]))
    refused = np.searchsorted(np.sort(same), thresholds) / len(same)
    accepted = 1 - np.searchsorted(np.sort(other), thresholds) / len(other)
    at = int(np.argmin(np.abs(refused - accepted)))
    return float(refused[at] + accepted[at]) / 2, float(thresholds[at])


def _pieces(samples: NDArray[np.int16], seconds: float | None) -> list[NDArray[np.int16]]:
    if seconds is None:
        return [samples]
    length = round(seconds * SAMPLE_RATE)
    return [samples[begin : begin + length] for begin in range(0, len(samples) - length + 1, length)][:PIECES]
