"""What stays while anything else is left: not a ban, since the budget is the law, but a class of its own.

| reason | what |
|---|---|
| name | what somebody is called |
| operator | an operator's words |
| holds | a claim that still does (a home, a job, where the keys are) |
| to come | a promise, plan or appointment told in the last TO_COME_DAYS that the robot lived |
| support | a derived memory rests on it |
| few | one of the last FEW memories of a person and a day |
"""

from __future__ import annotations

import sqlite3
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.days import DAY_NS

TIMED = ("promise", "plan", "appointment")
TO_COME_DAYS = 30.0
FEW = 3
OPERATOR = "operator"
REASONS = ("name", "operator", "holds", "to come", "support", "few")


def reasons(nodes: Nodes, now_lived: float, few: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """For each reason which memories [n] it protects. `few` [n]: which are the last of a person and a day."""
    attributes = np.array(nodes.attributes, object)
    timed = np.isin(attributes, TIMED)
    return {
        "name": attributes == "name",
        "operator": np.array([source == OPERATOR for source in nodes.sources], np.bool_),
        "holds": nodes.holds & ~timed,
        "to come": nodes.holds & timed & (now_lived - nodes.lived < TO_COME_DAYS),
        "support": nodes.bears,
        "few": few,
    }


def protected(nodes: Nodes, now_lived: float, few: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which memories [n] are protected for any reason."""
    held: NDArray[np.bool_] = np.logical_or.reduce(list(reasons(nodes, now_lived, few).values()))
    return held


def few_in_store(db: sqlite3.Connection, nodes: Nodes) -> NDArray[np.bool_]:
    """Which of the nodes [n] are among the last FEW memories of a person and a day that the store has."""
    few = np.zeros(len(nodes), np.bool_)
    left: dict[int, Counter[int]] = {}
    for row, person in zip(nodes.edge_node.tolist(), nodes.edge_person.tolist(), strict=True):
        day = int(nodes.days[row])
        if day not in left:
            left[day] = _of_day(db, day * DAY_NS - int(nodes.offset_ns[row]))
        few[row] |= left[day][person] <= FEW
    return few


def _of_day(db: sqlite3.Connection, start_ns: int) -> Counter[int]:
    """How many memories there are of each person, of those that begin on a day."""
    rows = db.execute(
        "SELECT person, count(DISTINCT memory) FROM memories JOIN edges ON memory = memories.id "
        "JOIN entities ON entities.id = entity WHERE archived = 0 AND memories.start_ns >= ? AND memories.start_ns < ? "
        "GROUP BY person",
        (start_ns, start_ns + DAY_NS),
    )
    return Counter(dict(tuple(row) for row in rows))


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
