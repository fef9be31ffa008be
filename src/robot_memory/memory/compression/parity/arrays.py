"""What both halves of the published compression count with: shares rounded up, unit rows, scores from 0 to 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
Vectors = NDArray[np.float32]
Floats = NDArray[np.float64]

ROUNDING = 1e-12  # relative to the largest; sums that differ by less are equal


def share(size: int, keep: float) -> int:
    """How many of `size` stay: rounded up, at least one and at most all; none of none."""
    return min(size, max(1, math.ceil(size * keep)))


def unit(vectors: Vectors) -> Vectors:
    """[n, d] rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def scaled(scores: Floats) -> Floats:
    """[n] least 0, greatest 1, in between linear; all 1 where all are equal.

    Sums of equal rows can differ in their last bits. Stretched over 0 to 1 that noise would decide, so it is equal.
    """
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high - low <= ROUNDING * max(abs(low), abs(high)):
        return np.ones(len(scores))
    return (scores - low) / (high - low)
