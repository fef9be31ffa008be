"""What stays while anything else is left: not a ban, since the budget is the law, but a class of its own.

| reason | what |
|---|---|
| name | what somebody is called |
| operator | an operator's words |
| holds | a claim that still does (a home, a job, where the keys are) |
| to come | a promise, plan or appointment told in the last TO_COME_DAYS that the robot lived |
| support | a derived memory rests on it |
| few | one of the last few memories of a person and a day (floor.py) |
"""

from __future__ import annotations

import sqlite3

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes
from robot_memory.memory.compression.worth import PROTECTED
from robot_memory.memory.days import DAY_NS

TIMED = ("promise", "plan", "appointment")
TO_COME_DAYS = 30.0
OVERDUE_DAYS = 8.0  # so long what is over is looked for: clips that are skipped look for nothing
OPERATOR = "operator"


def reasons(nodes: Nodes, now_lived: float, few: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """For each reason which memories [n] it protects. `few` [n]: which are the last of a person and day."""
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


def expire(db: sqlite3.Connection, now_lived: float) -> None:
    """Promises, plans and appointments that are no longer to come are to be weighed anew."""
    over = now_lived - TO_COME_DAYS
    if over < 0:
        return
    db.execute(
        f"UPDATE memories SET keep = NULL WHERE attribute IN {TIMED} AND clip >= ? AND clip < ? AND archived = 0 "
        "AND +keep > ?",
        (_first_clip(db, over - OVERDUE_DAYS), _first_clip(db, over), PROTECTED / 2),
    )


def _first_clip(db: sqlite3.Connection, lived: float) -> int:
    """The first clip by which the robot had lived so many days, by halving: they ascend with the clips' numbers."""
    low, high = db.execute("SELECT min(id), max(id) + 1 FROM clips").fetchone()
    while low < high:
        middle = (low + high) // 2
        row = db.execute("SELECT id, lived_ns FROM clips WHERE id >= ? ORDER BY id LIMIT 1", (middle,)).fetchone()
        if row["lived_ns"] > lived * DAY_NS:
            high = middle
        else:
            low = row["id"] + 1
    return int(low)
