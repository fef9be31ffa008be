"""Random pruning: each memory stays with the same chance. What does not beat it has learned nothing of its input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes


@dataclass(frozen=True)
class Chance:
    """A sample without replacement, by seed."""

    name: str = "random"

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True."""
        kept = len(nodes) - excess(nodes, target)
        return mask(len(nodes), np.random.default_rng(seed).permutation(len(nodes))[:kept])
