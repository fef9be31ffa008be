"""EWpruning, StreamMeCo's edge-aware weight pruning: of all connected memories, the best by edges and rarity stay.

F = b * W' + (1 - b) * S': the sum of a memory's edge weights, scaled to 0..1, and how unlike all others it is, the
sum of its cosines with all (itself too) scaled to 0..1 and turned round. The paper leaves the formula out; it is the
code's. The published code sums the rows of the N x N matrix of cosines; x_j * sum(x) is the same in O(N x d).
"""

from __future__ import annotations

import numpy as np

from robot_memory.memory.compression.parity.arrays import Floats, Mask, Rows, Vectors, scaled, share, unit
from robot_memory.memory.compression.parity.published import EDGE_SHARE


def ew_pruning(vectors: Vectors, weights: Floats, keep: float, edges: float = EDGE_SHARE) -> Mask:
    """[n] which connected memories stay: the best `keep` of them, rounded up; of equals the older.

    `vectors` [n, d] and `weights` [n], the sums of edge weights, are of the connected memories alone, in order of
    insertion.
    """
    kept = np.zeros(len(vectors), bool)
    kept[best_first(scores(vectors, weights, edges))[: share(len(vectors), keep)]] = True
    return kept


def scores(vectors: Vectors, weights: Floats, edges: float = EDGE_SHARE) -> Floats:
    """[n] the paper's F, from 0 to 1: the higher, the likelier to stay."""
    return edges * scaled(weights) + (1.0 - edges) * (1.0 - scaled(typicality(vectors)))


def typicality(vectors: Vectors) -> Floats:
    """[n] the sum of each row's cosines with all rows, itself included."""
    rows = unit(vectors)
    total: Floats = rows.sum(axis=0, dtype=np.float64)
    return rows @ total


def best_first(values: Floats) -> Rows:
    """The rows by falling value; of equals the lower row."""
    return np.argsort(-values, kind="stable")
