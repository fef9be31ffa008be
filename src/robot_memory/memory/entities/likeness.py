"""How alike unit vectors and sets of them are. A view is compared with a set by the mean of its best three cosines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Vector

BEST = 3
NOTHING = -2.0  # below every cosine


def best_three_of_each(sets: Sequence[NDArray[np.float16]], vector: Vector) -> NDArray[np.float64]:
    """The mean of the best three cosines of `vector` [d] to each set [n, d], [k] of them; rounded, so that the order of
    a sum never decides between two sets.
    """
    sizes = np.array([len(kept) for kept in sets])
    cosines = np.full((len(sets), max(int(sizes.max()), BEST)), NOTHING)
    cosines[np.arange(cosines.shape[1]) < sizes[:, None]] = np.concatenate(sets).astype(np.float32) @ vector
    best = np.partition(cosines, -BEST, axis=1)[:, -BEST:]
    scores = np.where(best > NOTHING, best, 0.0).sum(axis=1) / np.minimum(sizes, BEST)
    rounded: NDArray[np.float64] = scores.round(6)
    return rounded


def mutual(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How alike two sets [n, d] and [m, d] are: each view compared with the other set, averaged both ways."""
    cosines = one @ other.T
    there, back = np.sort(cosines, axis=1)[:, -BEST:].mean(), np.sort(cosines, axis=0)[-BEST:].mean()
    return float(there + back) / 2


def centre(vectors: NDArray[np.float32], weights: NDArray[np.float32] | None = None) -> Vector:
    """The unit mean of unit vectors [n, d], each weighing `weights` [n] where given."""
    mean = np.average(vectors, axis=0, weights=weights)
    unit: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
    return unit
