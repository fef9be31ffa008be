"""The published way of telling entities apart, to be compared with ours: M3-Agent (arXiv 2508.09736), its code's rule.

The score is the mean of all cosines between what is seen and what is kept; the highest from a threshold on is the
entity, and it always learns. A set that has grown too large is cut down to a random sample.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.rule import Match, MatchRule
from robot_memory.memory.vectors.index import Vector
from robot_memory.models.model import Threshold


@dataclass(frozen=True)
class PaperRule:
    """From which mean cosine two are one, and how many embeddings are kept; `seed` is for the sample."""

    threshold: float
    most: int
    seed: int = 0


FACES = PaperRule(0.3, 10)
VOICES = PaperRule(0.6, 20)


class PaperGallery(Gallery):
    """Takes the place of a Gallery."""

    def __init__(self, rule: PaperRule) -> None:
        threshold = Threshold(((0.0, rule.threshold),))
        super().__init__(MatchRule(threshold, threshold, margin=0.0, near=0.0))
        self.paper = rule

    def pooled(self, vectors: NDArray[np.float32], weights: NDArray[np.float32] | None = None) -> Vector:
        """The plain mean: its product with the mean of a set is the mean of all cosines between the two."""
        mean: Vector = vectors.mean(axis=0, dtype=np.float32)
        return mean

    def typical(self, vectors: NDArray[np.float32]) -> list[int]:
        """All of them."""
        return list(range(len(vectors)))

    def match(
        self,
        vector: Vector,
        seconds: float = 0.0,
        forbidden: Collection[int] = (),
        person: Callable[[int], int] = int,
        apart: Callable[[int, int], bool] = lambda one, other: False,
    ) -> Match:
        """The highest mean cosine, from the threshold on; of equals the one known longer."""
        entities, means = self._sets.means()
        allowed = np.flatnonzero(~np.isin(entities, list(forbidden)))
        if not len(allowed):
            return Match(None, -1.0)
        scores = means[allowed] @ vector if len(allowed) < len(entities) else means @ vector
        best = min(np.flatnonzero(scores == scores.max()), key=lambda n: int(entities[allowed[n]]))
        score = float(scores[best])
        if score < self.paper.threshold:
            return Match(None, score)
        return Match(int(entities[allowed[best]]), score, learn=True)

    def choose(self, entity: int, vectors: NDArray[np.float32], days: Sequence[Hashable], known: int) -> list[int]:
        """All, the first ones of a new entity, or a random sample of old and new: the same one for the same views."""
        most = self.paper.most
        if not known or len(vectors) <= most:
            return list(range(min(len(vectors), most)))
        seed = (self.paper.seed, entity, len(vectors), zlib.crc32(np.ascontiguousarray(vectors).tobytes()))
        return sorted(np.random.default_rng(seed).choice(len(vectors), most, replace=False).tolist())
