"""The parts of a memory's worth, gathered from arrays alone, so that a store and an experiment weigh alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression import coverage as covering
from robot_memory.memory.compression.floor import few_of
from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.protection import protected
from robot_memory.memory.compression.repetition import nearest_earlier, repeated
from robot_memory.memory.compression.running import Running
from robot_memory.memory.compression.worth import Parts, Switches, keeps, values


def groups(nodes: Nodes) -> NDArray[np.int64]:
    """A number [n] for whom each memory is about; the same for the same people."""
    whom: list[set[int]] = [set() for _ in range(len(nodes))]
    for row, person in zip(nodes.edge_node.tolist(), nodes.edge_person.tolist(), strict=True):
        whom[row].add(person)
    known: dict[tuple[int, ...], int] = {}
    return np.array([known.setdefault(tuple(sorted(one)), len(known)) for one in whom], np.int64)


def parts(
    nodes: Nodes,
    seen: Running,
    repeats: NDArray[np.float32],
    covered: NDArray[np.float32],
    held: NDArray[np.bool_],
) -> Parts:
    """The parts of n memories. `repeats`, `covered`, `held` [n]: as in Parts."""
    typical = seen.typical(nodes.vectors) if len(nodes) else np.empty(0, np.float32)
    return Parts(
        nodes.weights, typical, nodes.quality, nodes.saliency, nodes.counts, repeats, covered, nodes.lived, held
    )


def of_all(nodes: Nodes, half_life_days: float, switches: Switches) -> NDArray[np.float64]:
    """The keep score [n] of all of a store's memories, compared with each other."""
    if not len(nodes):
        return np.empty(0)
    seen = Running(len(nodes), nodes.vectors.sum(0, dtype=np.float64))
    repeats = repeated(nearest_earlier(nodes.vectors, groups(nodes)))
    covered = np.full(len(nodes), np.nan, np.float32)
    covered[nodes.isolated] = covering.coverage(nodes.vectors[nodes.isolated])
    nobody = np.zeros(len(nodes), np.bool_)
    plain = parts(nodes, seen, repeats, covered, nobody)
    few = few_of(nodes, values(plain, switches)) if switches.floor else nobody
    held = protected(nodes, float(nodes.lived.max()), few) if switches.protection else few
    return keeps(parts(nodes, seen, repeats, covered, held), half_life_days, switches)
