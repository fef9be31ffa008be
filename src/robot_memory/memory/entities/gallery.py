"""Which known face or voice is this? Snapshot sets of unit embeddings, scored by the mean of the best three.

Two thresholds: a match is accepted above the first; only above the second, higher one does the set learn from it, so a
doubtful match never teaches. How alike two recordings of one voice can be grows with their length, so an accept
threshold may depend on the seconds of speech.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors import Vector, unpack
from robot_memory.models.model import Threshold

BEST = 3
MAX_SNAPSHOTS = 20
MAX_PER_CLIP = 3
SAME_VIEW = 0.97  # a view this close to one already kept adds nothing


@dataclass(frozen=True)
class MatchRule:
    """Cosines from the model's calibration: `accept` to match, `learn` to add to the set; either may grow with
    seconds of speech.
    """

    accept: Threshold
    learn: Threshold


@dataclass(frozen=True)
class Match:
    """The best entity for a vector, if any was good enough. `learn`: sure enough to add the vector to its set."""

    entity: int | None
    score: float
    learn: bool = False


class Gallery:
    """All entities of one kind with their snapshot sets, in memory. Built from the store, so it can be rebuilt at any
    time.
    """

    def __init__(self, rule: MatchRule) -> None:
        self.rule = rule
        self._sets: dict[int, NDArray[np.float32]] = {}

    def load(self, db: sqlite3.Connection, kind: str, model: str) -> None:
        """Take the sets from the store; embeddings of another model cannot be compared and stay out."""
        sets: dict[int, list[Vector]] = {}
        rows = db.execute(
            "SELECT entity, vector FROM embeddings JOIN entities ON entities.id = entity WHERE kind = ? AND model = ? "
            "ORDER BY embeddings.id",
            (kind, model),
        )
        for row in rows:
            sets.setdefault(row["entity"], []).append(unpack(row["vector"]))
        self._sets = {entity: np.stack(vectors) for entity, vectors in sets.items()}  # at once: others may be matching

    def __len__(self) -> int:
        return len(self._sets)

    def match(self, vector: Vector, seconds: float = 0.0, forbidden: Collection[int] = ()) -> Match:
        """The best entity not in `forbidden` (those who are visibly someone else), if it passes the rule."""
        best, score = None, -1.0
        for entity, kept in list(self._sets.items()):
            if entity not in forbidden and (now := best_three(kept, vector)) > score:
                best, score = entity, now
        if score < self.rule.accept.at(seconds):
            return Match(None, score)
        return Match(best, score, learn=score >= self.rule.learn.at(seconds))

    def worth_keeping(self, entity: int, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of `vectors` [n, d], best first, those that add a new view to the entity's set: [m, d], m at most
        MAX_PER_CLIP.
        """
        kept = list(self._sets.get(entity, np.empty((0, vectors.shape[1]), np.float32)))
        fresh: list[Vector] = []
        for vector in vectors:
            if len(kept) >= MAX_SNAPSHOTS or len(fresh) >= MAX_PER_CLIP:
                break
            if not kept or float(np.max(np.stack(kept) @ vector)) < SAME_VIEW:
                kept.append(vector)
                fresh.append(vector)
        return np.stack(fresh) if fresh else np.empty((0, vectors.shape[1]), np.float32)

    def add(self, entity: int, vectors: NDArray[np.float32]) -> None:
        """Put `vectors` [n, d] into the entity's set."""
        if len(vectors):
            known = self._sets.get(entity)
            self._sets[entity] = np.array(vectors) if known is None else np.concatenate([known, vectors])


def best_three(kept: NDArray[np.float32], vector: Vector) -> float:
    """Mean of the best three cosines of `vector` [d] to `kept` [n, d]."""
    return float(np.sort(kept @ vector)[-BEST:].mean())


def centre(vectors: NDArray[np.float32], weights: NDArray[np.float32] | None = None) -> Vector:
    """The unit mean of unit vectors [n, d], each weighing `weights` [n] where given."""
    mean = np.average(vectors, axis=0, weights=weights)
    unit: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
    return unit
