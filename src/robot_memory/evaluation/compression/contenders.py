"""Who decides what goes: the compressors by their names, and ours with one part switched off at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation import compressors
from robot_memory.memory.compression.batch import keep
from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.worth import Switches

NONE, OURS, WITHOUT = "none", "ours", "ours without "


@dataclass(frozen=True)
class Contender:
    """A compressor by its name. Picklable: it is made when it is asked."""

    name: str

    def going(self, nodes: Nodes, ratio: float, seed: int) -> list[int]:
        """The ids of the memories that are to go, so that `ratio` of all are gone."""
        target = round(len(nodes) * (1 - ratio))
        return [int(one) for one in nodes.ids[~self._kept(nodes, target, seed)]]

    def _kept(self, nodes: Nodes, target: int, seed: int) -> NDArray[np.bool_]:
        if self.name.startswith(WITHOUT):
            off = {self.name[len(WITHOUT) :].replace(" ", "_"): False}
            return keep(nodes, target, seed, replace(Switches(), **off))
        return compressors.make(self.name).keep(nodes, target, seed)


def contenders(names: Sequence[str], ablations: bool) -> list[Contender]:
    """Of these names, all there are for none; `ablations`: ours without each of its parts as well. That everything is
    kept, "none", is always measured and need not be named. Raises CompressorUnknown.
    """
    for name in names:
        compressors.make(name)
    chosen = [name for name in dict.fromkeys(names or compressors.names()) if name != NONE]
    return [Contender(name) for name in [*chosen, *(without_each() if ablations else ())]]


def without_each() -> list[str]:
    """The names of ours with one part switched off."""
    return [WITHOUT + field.name.replace("_", " ") for field in fields(Switches)]
