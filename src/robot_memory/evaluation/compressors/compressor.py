"""What a compressor is: of the memories there are, it chooses as many as are to stay.

It sees the memories, never the questions that will be asked.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes

Mask = NDArray[np.bool_]


class Compressor(Protocol):
    """One way to choose. The same nodes, target and seed give the same choice."""

    @property
    def name(self) -> str:
        """As tables print it."""

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] True for exactly `target` of the nodes, or for all where there are no more than that."""


def excess(nodes: Nodes, target: int) -> int:
    """How many have to go; 0 where there are no more than `target`. Raises ValueError for a target below 0."""
    if target < 0:
        raise ValueError(f"{target} memories cannot be kept: the target is 0 or more")
    return max(0, len(nodes) - target)


def mask(count: int, rows: NDArray[np.intp]) -> Mask:
    """[count] True at `rows`."""
    kept = np.zeros(count, bool)
    kept[rows] = True
    return kept
