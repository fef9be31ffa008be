"""StreamMeCo as published (arXiv 2604.09000): EMsampling of memories about nobody, EWpruning of all others.

Source: the paper and its code, which memory/compression/parity equals on the golden cases.
Where this departs: as published one gives a ratio, and rounding up in every clip keeps more than that. Here exactly the
target is to stay, at equal bytes with the others: the greatest ratio that keeps no more than the target, filled up by
the next in EWpruning's order, then by the oldest isolated ones. Where one a clip is already too many, the newest clips
keep theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.parity.arrays import share
from robot_memory.memory.compression.parity.clustering import Clustering, k_means
from robot_memory.memory.compression.parity.pruning import best_first, scores
from robot_memory.memory.compression.parity.sampling import em_sampling
from robot_memory.memory.compression.parity.split import edge_weights, split

HALVINGS = 40  # of the ratio


@dataclass(frozen=True)
class StreamMeCo:
    """The published compression at the ratio that meets the target. Its k-means has a seed of its own, always 42."""

    name: str = "streammeco"
    clustering: Clustering = k_means

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True. Raises ClusteringMissing (no scikit-learn) for more than 20 isolated in a clip."""
        if not excess(nodes, target):
            return np.ones(len(nodes), bool)
        isolated, connected = split(len(nodes), nodes.edge_node)
        clips = nodes.clips[isolated]
        ratio = ratio_for(np.unique(clips, return_counts=True)[1], len(connected), target)
        sampled = em_sampling(clips, nodes.vectors[isolated], ratio, clustering=self.clustering)
        weights = edge_weights(len(nodes), nodes.edge_node, nodes.edge_weight)[connected]
        ranked = connected[best_first(scores(nodes.vectors[connected], weights))]
        kept = share(len(connected), ratio)
        # What stays as published comes first, the newest isolated ones before the connected ones.
        order = (isolated[sampled][::-1], ranked[:kept], ranked[kept:], isolated[~sampled])
        return mask(len(nodes), np.concatenate(order)[:target])


def ratio_for(sizes: NDArray[np.intp], connected: int, target: int) -> float:
    """The greatest ratio that keeps at most `target` of clips with `sizes` isolated memories and of the connected.

    About 0, where one of each kind is more than that.
    """
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        ratio = (low + high) / 2
        if _kept(sizes, connected, ratio) <= target:
            low = ratio
        else:
            high = ratio
    return low


def _kept(sizes: NDArray[np.intp], connected: int, ratio: float) -> int:
    """How many stay as published: a share, rounded up, of each clip's isolated memories and of all connected ones."""
    return int(np.maximum(1, np.ceil(sizes * ratio)).sum()) + share(connected, ratio)
