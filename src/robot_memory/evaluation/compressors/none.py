"""No compression: every memory stays, whatever the target. The upper end of every table, by recall and by bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_memory.evaluation.compressors.compressor import Mask
from robot_memory.memory.compression.nodes import Nodes


@dataclass(frozen=True)
class Everything:
    """The one compressor that does not keep to its target."""

    name: str = "none"

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] all True."""
        return np.ones(len(nodes), bool)
