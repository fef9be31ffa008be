"""StreamMeCo's compression of a whole graph: EMsampling of the isolated memories, EWpruning of the connected ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.parity.arrays import Mask, Rows, Vectors
from robot_memory.memory.compression.parity.clustering import Clustering, k_means
from robot_memory.memory.compression.parity.pruning import ew_pruning
from robot_memory.memory.compression.parity.published import KEEP
from robot_memory.memory.compression.parity.sampling import em_sampling
from robot_memory.memory.compression.parity.split import edge_weights, split


def keep(
    clips: NDArray[np.int64],
    vectors: Vectors,
    edge_node: Rows | NDArray[np.int64],
    edge_weight: NDArray[np.floating],
    ratio: float = KEEP,
    clustering: Clustering = k_means,
) -> Mask:
    """[n] which memories stay when `ratio` of each kind is to; rounding up leaves some more, above all many clips.

    `clips` [n] and `vectors` [n, d] in order of insertion; `edge_node` [e] is the row of the memory of each edge to a
    face or voice, `edge_weight` [e] its weight. Raises ClusteringMissing.
    """
    isolated, connected = split(len(clips), edge_node)
    weights = edge_weights(len(clips), edge_node, edge_weight)
    kept = np.zeros(len(clips), bool)
    kept[isolated] = em_sampling(clips[isolated], vectors[isolated], ratio, clustering=clustering)
    kept[connected] = ew_pruning(vectors[connected], weights[connected], ratio)
    return kept
