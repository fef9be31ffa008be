"""Our own compression over a batch, by the score that the robot keeps its memories by: see memory/compression/worth."""

from __future__ import annotations

from dataclasses import dataclass, field

from robot_memory.evaluation.compressors.compressor import Mask, excess
from robot_memory.memory.compression import batch
from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.worth import Switches


@dataclass(frozen=True)
class Ours:
    """What is worth most; `switches` turn its parts off one by one. Nothing is drawn: the seed changes nothing."""

    name: str = "ours"
    switches: Switches = field(default_factory=Switches)

    def keep(self, nodes: Nodes, target: int, seed: int) -> Mask:
        """[n] `target` of them True."""
        return batch.keep(nodes, len(nodes) - excess(nodes, target), seed, self.switches)
