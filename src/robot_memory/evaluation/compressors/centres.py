"""k-means: as many clusters as are to stay, and of each the memory nearest to its centre.

Source: Lloyd's algorithm with k-means++ seeding (Arthur and Vassilvitskii 2007), the usual way to a coreset; unit
vectors, so nearest is the greatest cosine and centres are made unit again (spherical k-means).
Where this departs: more than 4096 memories are cut into runs of equal length, each clustered by itself for its share of
the target; whole, 100,000 would need 12 GB for their cosines with 30,000 centres. At most 10 rounds. An empty cluster
begins anew with a memory that its centre serves worst.
O(rounds x target x 4096 x d).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes

Vectors = NDArray[np.float32]
Rows = NDArray[np.intp]

RUN = 4096  # memories clustered at once
ROUNDS = 10


@dataclass(frozen=True)
class Centres:
    """The memories nearest to the centres of seeded clusters."""

    name: str = "k-means"
    run: int = RUN
    rounds: int = ROUNDS

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True."""
        draw = np.random.default_rng(seed)
        kept = len(nodes) - excess(nodes, target)
        runs = np.array_split(np.arange(len(nodes)), max(1, -(-len(nodes) // self.run)))
        ends = np.cumsum([len(run) for run in runs])
        shares = np.diff(ends * kept // max(1, len(nodes)), prepend=0)  # whole numbers, and together `kept`
        chosen = [
            run[nearest_to_centres(nodes.vectors[run], int(share), self.rounds, draw)]
            for run, share in zip(runs, shares, strict=True)
        ]
        return mask(len(nodes), np.concatenate(chosen))


def nearest_to_centres(vectors: Vectors, k: int, rounds: int, draw: np.random.Generator) -> Rows:
    """`k` different rows of unit `vectors`: the nearest to the centre of each of k clusters."""
    if k == 0 or k >= len(vectors):
        return np.arange(len(vectors))[:k]
    centres = vectors[seeds(vectors, k, draw)]
    labels = np.full(len(vectors), -1, np.intp)
    for _ in range(rounds):
        before, (labels, cosines) = labels, _assign(vectors, centres)
        if np.array_equal(labels, before):
            break
        centres = _means(vectors, labels, cosines, k)
    labels, cosines = _assign(vectors, centres)
    best_first = np.argsort(-cosines, kind="stable")
    chosen = best_first[np.unique(labels[best_first], return_index=True)[1]]
    others = np.setdiff1d(
        best_first, chosen
    )  # equal memories leave clusters empty: the first of the others stay instead
    return np.concatenate((chosen, others[: k - len(chosen)]))


def seeds(vectors: Vectors, k: int, draw: np.random.Generator) -> Rows:
    """k-means++: each next row is drawn with a chance that grows with its squared distance to the nearest so far."""
    chosen = [int(draw.integers(len(vectors)))]
    distance = np.full(len(vectors), np.inf)
    for _ in range(k - 1):
        # Squared distance of unit rows, which rounding may leave below 0; chosen rows and their equals have none.
        distance = np.minimum(distance, 2.0 - 2.0 * (vectors @ vectors[chosen[-1]]))
        distance[chosen[-1]] = 0
        chances = np.cumsum(np.maximum(distance, 0))
        drawn = int(np.searchsorted(chances, draw.random() * chances[-1], side="right"))
        chosen.append(min(drawn, len(vectors) - 1))  # past the end, where no row is left that differs from all chosen
    return np.array(chosen, np.intp)


def _assign(vectors: Vectors, centres: Vectors) -> tuple[Rows, NDArray[np.float32]]:
    """The nearest centre of each row, and the cosine with it."""
    cosines = vectors @ centres.T
    labels = cosines.argmax(axis=1)
    return labels, cosines[np.arange(len(vectors)), labels]


def _means(vectors: Vectors, labels: Rows, cosines: NDArray[np.float32], k: int) -> Vectors:
    """The unit mean of each cluster; where it has no rows, or they cancel out, a row that its centre served worst."""
    order = np.argsort(labels, kind="stable")
    present, starts = np.unique(labels[order], return_index=True)
    sums = np.zeros((k, vectors.shape[1]), np.float32)
    sums[present] = np.add.reduceat(vectors[order], starts, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    empty = np.flatnonzero(lengths[:, 0] == 0)
    sums[empty] = vectors[np.argsort(cosines, kind="stable")[: len(empty)]]
    lengths[empty] = 1
    unit: Vectors = sums / lengths
    return unit
