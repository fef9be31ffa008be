"""All of a store at once, by the same score as online, over arrays: to compare compressors, and to choose constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.weighing import of_all
from robot_memory.memory.compression.worth import Switches

HALF_LIFE_DAYS = 120.0


def keep(nodes: Nodes, target: int, seed: int = 0, switches: Switches = Switches()) -> NDArray[np.bool_]:  # noqa: B008
    """[n] True for the `target` that are worth most; of equals the later. Nothing is drawn: `seed` changes nothing."""
    score = of_all(nodes, HALF_LIFE_DAYS, switches)
    order = np.lexsort((np.arange(len(nodes)), score))
    kept = np.ones(len(nodes), np.bool_)
    kept[order[: max(0, len(nodes) - target)]] = False
    return kept
