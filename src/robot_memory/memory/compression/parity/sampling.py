"""EMsampling, StreamMeCo's edge-free min-max sampling: of the isolated memories of a clip, a varied few stay.

A clip's memories are clustered, each cluster gets a quota by its size, and in a cluster farthest-point sampling
begins nearest to the centre. The paper clusters all memories at once; its code, and so we, each clip by itself.
O(kept x n x d) a cluster: the distance to the nearest chosen one is carried along, not found anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.parity.arrays import Mask, Rows, Vectors, share, unit
from robot_memory.memory.compression.parity.clustering import Clustering, k_means
from robot_memory.memory.compression.parity.published import CLUSTER_SHARE


def em_sampling(
    clips: NDArray[np.int64],
    vectors: Vectors,
    keep: float,
    clusters: float = CLUSTER_SHARE,
    clustering: Clustering = k_means,
) -> Mask:
    """[n] which isolated memories stay: of each clip, `keep` of them, rounded up, so at least one.

    `clips` [n] and `vectors` [n, d] are of the isolated memories alone, in order of insertion.
    Raises ClusteringMissing where a clip has more than 1 / `clusters` memories and scikit-learn is not installed.
    """
    kept = np.zeros(len(clips), bool)
    rows = unit(vectors)
    for of_clip in _by_clip(clips):
        kept[of_clip[sample(rows[of_clip], keep, clusters, clustering)]] = True
    return kept


def sample(vectors: Vectors, keep: float, clusters: float, clustering: Clustering = k_means) -> Rows:
    """The rows that stay of one clip's unit `vectors` [n, d], ascending."""
    count = len(vectors)
    labels, centres = clustering(vectors, max(1, min(count, math.ceil(count * clusters))))
    members = _members(labels)
    quotas = share_out([len(own) for own in members], keep, share(count, keep))
    chosen = [
        own[farthest(vectors[own], centres[labels[own[0]]], quota)] for own, quota in zip(members, quotas, strict=True)
    ]
    # With more clusters than are to stay, one each is too many: the lowest rows stay.
    return np.sort(np.concatenate(chosen))[: share(count, keep)]


def share_out(sizes: Sequence[int], keep: float, total: int) -> list[int]:
    """How many stay of each cluster: `keep` of it, rounded up; then one by one more or fewer until all are `total`.

    Fewer are taken from the smallest fraction first, of equals from the smaller cluster, and never the last one; more
    go to the greatest fraction, of equals to the larger cluster. Where that is not possible the sum is not `total`.
    """
    quotas = [share(size, keep) for size in sizes]
    over = sum(quotas) - total
    step, limits = (-1, [1] * len(sizes)) if over > 0 else (1, list(sizes))
    order = sorted(range(len(sizes)), key=lambda c: (math.modf(sizes[c] * keep)[0], sizes[c]), reverse=over < 0)
    while over:
        open_ones = [c for c in order if quotas[c] != limits[c]][: abs(over)]
        if not open_ones:
            break
        for c in open_ones:
            quotas[c] += step
        over += step * len(open_ones)
    return quotas


def farthest(vectors: Vectors, centre: NDArray[np.float32], count: int) -> Rows:
    """`count` rows of unit `vectors`: the nearest to `centre`, then always the one farthest from all chosen ones.

    Far is a small cosine; of equals the first. In the order of choice, but all of them in order of row.
    """
    if count >= len(vectors):
        return np.arange(len(vectors))
    chosen = [int(np.argmax(vectors @ centre))]
    nearest = np.full(len(vectors), np.inf)  # the distance of each row to the nearest chosen one
    while len(chosen) < count:
        nearest = np.minimum(nearest, 1.0 - (vectors @ vectors[chosen[-1]]).astype(np.float64))
        nearest[chosen[-1]] = -np.inf
        chosen.append(int(np.argmax(nearest)))
    return np.array(chosen, np.intp)


def _by_clip(clips: NDArray[np.int64]) -> list[Rows]:
    """The rows of each clip, ascending."""
    order = np.argsort(clips, kind="stable")
    borders = np.flatnonzero(np.diff(clips[order])) + 1
    return np.split(order, borders) if len(order) else []


def _members(labels: NDArray[np.intp]) -> list[Rows]:
    """The rows of each cluster; clusters in the order in which the rows meet them, which decides ties of quotas."""
    met = np.unique(labels, return_index=True)[1]
    return [np.flatnonzero(labels == labels[first]) for first in np.sort(met)]
