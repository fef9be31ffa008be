"""DART-like: what resembles a few pivots is a duplicate and goes; what is least like them stays.

Source: DART, "Stop Looking for Important Tokens in Multimodal Language Models: Duplication Matters More"
(arXiv 2502.11494), which prunes the vision tokens of one prompt: a few pivots stay, and with them the tokens with the
least cosine to them.
Where this departs: a memory has no attention keys, whose norms choose DART's pivots, so 2 % are drawn by seed. DART's
code lets each pivot choose its own few tokens, which may be duplicates of another pivot; here the nearest pivot counts.
O(pivots x n x d), in blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes

PIVOTS = 0.02  # of all
BLOCK = 4096  # rows compared with the pivots at once


@dataclass(frozen=True)
class Pivots:
    """Seeded pivots, then the rows least like the nearest of them."""

    name: str = "dart"
    share: float = PIVOTS

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True, the pivots first."""
        kept = len(nodes) - excess(nodes, target)
        pivots = np.random.default_rng(seed).permutation(len(nodes))[: min(kept, math.ceil(len(nodes) * self.share))]
        if not len(pivots):
            return mask(len(nodes), pivots)
        duplication = likeness(nodes.vectors, nodes.vectors[pivots])
        duplication[pivots] = -np.inf
        return mask(len(nodes), np.argsort(duplication, kind="stable")[:kept])


def likeness(vectors: NDArray[np.float32], pivots: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n] the cosine of each unit row with the pivot it resembles most."""
    return np.concatenate(
        [(vectors[start : start + BLOCK] @ pivots.T).max(axis=1) for start in range(0, len(vectors), BLOCK)]
    )
