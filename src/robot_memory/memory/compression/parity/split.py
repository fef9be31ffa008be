"""The first cut of StreamMeCo: isolated memories are about nobody, connected ones about at least one face or voice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.parity.arrays import Floats, Rows


class Split(NamedTuple):
    """Rows of the isolated and of the connected memories, both ascending."""

    isolated: Rows
    connected: Rows


def split(count: int, edge_node: Rows | NDArray[np.int64]) -> Split:
    """Parts `count` memories; `edge_node` [e] is the row of the memory at each edge's end."""
    degree = np.bincount(edge_node, minlength=count)
    return Split(np.flatnonzero(degree == 0), np.flatnonzero(degree > 0))


def edge_weights(count: int, edge_node: Rows | NDArray[np.int64], weights: NDArray[np.floating]) -> Floats:
    """[count] the sum of each memory's edges: W', the column sums of the paper's matrix W, which is never built."""
    return np.bincount(edge_node, weights=weights, minlength=count).astype(np.float64)
