"""The best few of many cosines, exactly and in an order that is always the same."""

from __future__ import annotations

import numpy as np

from robot_memory.memory.vectors.index import Cosines, Ids

SAMPLE = 4096  # cosines looked at to learn how good a candidate must be


def best_rows(cosines: Cosines, k: int) -> Ids:
    """The rows of the `k` highest, best first; ties in order of row.

    The k-th best of a sample is a floor that the k-th best of all cannot be below. So most rows fall to one comparison,
    and only the rest is partitioned and sorted: a tenth of what partitioning all of 100,000 takes.
    """
    k = min(max(k, 0), len(cosines))
    if k == 0:
        return np.empty(0, np.int64)
    step = max(1, len(cosines) // max(SAMPLE, 4 * k))
    rows = np.flatnonzero(~(cosines < _kth(cosines[::step], k))) if step > 1 else np.arange(len(cosines))
    rows = rows[~(cosines[rows] < _kth(cosines[rows], k))]  # this way round, NaN is kept, and comes last
    return rows[np.argsort(-cosines[rows], kind="stable")][:k]


def _kth(cosines: Cosines, k: int) -> float:
    """The k-th highest of at least k."""
    return float(np.partition(cosines, len(cosines) - k)[len(cosines) - k])
