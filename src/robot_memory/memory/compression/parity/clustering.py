"""The clustering of the published EMsampling: scikit-learn's k-means, which the same clusters need bit for bit.

scikit-learn is an extra, imported when a clip has more than 20 isolated memories. Smaller clips are one cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.compression.parity.arrays import Vectors, unit
from robot_memory.memory.compression.parity.published import SEED, STARTS


class Clusters(NamedTuple):
    """The cluster of each row (`labels` [n], from 0) and the unit centre of each cluster (`centres` [k, d])."""

    labels: NDArray[np.intp]
    centres: Vectors


Clustering = Callable[[Vectors, int], Clusters]  # unit rows [n, d] and k -> clusters


class ClusteringMissing(RobotMemoryError):
    """scikit-learn is not installed."""


def k_means(vectors: Vectors, k: int) -> Clusters:
    """k-means of unit rows by Euclidean distance, then unit centres. Raises ClusteringMissing."""
    if k == 1:
        return Clusters(np.zeros(len(vectors), np.intp), unit(vectors.mean(axis=0, keepdims=True)))
    try:
        from sklearn.cluster import KMeans
    except ImportError:
        raise ClusteringMissing(
            "StreamMeCo's sampling as published clusters with scikit-learn, which is not installed "
            "— run: pip install 'robot_memory[cluster]'"
        ) from None
    model = KMeans(n_clusters=k, n_init=STARTS, random_state=SEED).fit(vectors)
    return Clusters(model.labels_.astype(np.intp), unit(model.cluster_centers_))
