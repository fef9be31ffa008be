"""MemoryLLM-like: a memory of fixed size, in which a new one takes the place of the one it resembles most.

Source: MemoryLLM (arXiv 2402.04624), a pool of memory tokens of fixed size inside a language model, into which new
tokens are written while as many old ones are dropped.
Where this departs: MemoryLLM drops at random and its tokens are learned, hidden states; here they are memories, and the
most similar one is replaced, of equals the one in the lowest place. What was unlike all that followed stays for ever.
O((n - target) x target x d), in blocks: the cosines of a block with the pool and with itself, then one row at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_memory.evaluation.compressors.compressor import Mask, excess, mask
from robot_memory.memory.compression.nodes import Nodes

BLOCK = 256  # new memories compared with the pool at once


@dataclass(frozen=True)
class Replacing:
    """A pool of `target` places. Nothing is drawn: the seed changes nothing."""

    name: str = "memoryllm"

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True."""
        vectors = nodes.vectors
        pool = np.arange(len(nodes) - excess(nodes, target))  # the row in each place
        for start in range(len(pool), len(nodes) if len(pool) else 0, BLOCK):
            block = vectors[start : start + BLOCK]
            cosines = block @ vectors[pool].T  # [block, places]
            among = block @ block.T
            for n in range(len(block)):
                place = int(np.argmax(cosines[n]))
                pool[place] = start + n
                cosines[n + 1 :, place] = among[n + 1 :, n]  # who comes later meets the new one there
        return mask(len(nodes), pool)
