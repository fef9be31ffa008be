"""The floor: of each person and each day a few memories stay while anything else is left, so that no day and nobody
vanishes altogether.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.days import DAY_NS

FEW = 3
DAY = (  # without claims: one that was derived, parted or brought back has a new number and an old time
    "SELECT min(id), max(id) FROM memories WHERE start_ns >= ? AND start_ns < ? AND subject IS NULL"
)
LEFT = (  # by the person's own edges: a day may be long, and most of it about others
    "SELECT count(*) FROM (SELECT DISTINCT memory FROM entities CROSS JOIN edges ON entity = entities.id "
    "CROSS JOIN memories ON memories.id = memory WHERE person = ? AND memory BETWEEN ? AND ? AND archived = 0 "
    "AND memories.start_ns >= ? AND memories.start_ns < ? LIMIT ?)"
)


class Floor:
    """What is left of each person and day of a store, while some of its `nodes` go, one after the other."""

    def __init__(self, db: sqlite3.Connection, nodes: Nodes) -> None:
        self._db, self._nodes = db, nodes
        self._enough = FEW + len(nodes)  # no more can go
        self._left: dict[tuple[int, int], int] = {}
        self._ids: dict[int, tuple[int, int]] = {}

    def lets_go(self, row: int) -> bool:
        """Whether more than FEW are left of everybody that a node is about, and its day. If so, it is gone."""
        first, last = np.searchsorted(self._nodes.edge_node, [row, row + 1])
        persons = set(self._nodes.edge_person[first:last].tolist())
        if any(self._of(person, row) <= FEW for person in persons):
            return False
        for person in persons:
            self._left[person, int(self._nodes.days[row])] -= 1
        return True

    def _of(self, person: int, row: int) -> int:
        day = int(self._nodes.days[row])
        if (person, day) not in self._left:
            start_ns = day * DAY_NS - int(self._nodes.offset_ns[row])
            lies = start_ns, start_ns + DAY_NS
            if day not in self._ids:
                self._ids[day] = tuple(self._db.execute(DAY, lies).fetchone())
            found = self._db.execute(LEFT, (person, *self._ids[day], *lies, self._enough)).fetchone()
            self._left[person, day] = int(found[0])
        return self._left[person, day]


def few_of(nodes: Nodes, value: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Of all of a store's nodes [n] the FEW that are worth most, for each person and day."""
    few = np.zeros(len(nodes), np.bool_)
    seen = Counter[tuple[int, int]]()
    order = np.argsort(-value[nodes.edge_node], kind="stable")
    for row, person in zip(nodes.edge_node[order].tolist(), nodes.edge_person[order].tolist(), strict=True):
        key = (person, int(nodes.days[row]))
        if seen[key] < FEW:
            seen[key] += 1
            few[row] = True
    return few
