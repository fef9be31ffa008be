"""TimeChat-Memory: of two neighbours in time that are alike the earlier goes; if that is not enough, the oldest go.

Source: TimeChat-Online (arXiv 2504.17343), whose differential token drop compares each vision token with the one at
its place in the frame before; as StreamMeCo (arXiv 2604.09000) compares with it on memories: cosine above 0.7, first
in first out.
Where this departs: TimeChat drops the later token and so keeps how a scene began; in a memory the later wording holds
now, so the earlier goes. To leave exactly the target, alike ones stop going, oldest first, once enough have gone.
O(n x d).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes

ALIKE = 0.7  # cosine


@dataclass(frozen=True)
class Neighbours:
    """What the next memory repeats goes, then whatever is oldest. Nothing is drawn: the seed changes nothing."""

    name: str = "timechat"
    alike: float = ALIKE

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True."""
        repeated = np.zeros(len(nodes), bool)
        repeated[:-1] = np.einsum("nd,nd->n", nodes.vectors[:-1], nodes.vectors[1:]) > self.alike
        first_to_go = np.concatenate((np.flatnonzero(repeated), np.flatnonzero(~repeated)))
        return mask(len(nodes), first_to_go[excess(nodes, target) :])
