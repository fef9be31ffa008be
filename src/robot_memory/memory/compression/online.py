"""After each clip: what is new is weighed, and where more is held than the budget allows, the least worth go to the
archive. A bounded piece of work in the clip's own transaction.

All that it knows is in the file, so a restart, a crash or an undone change alters nothing. What seems to be worth
least, by what was known when it was weighed, is weighed anew before it goes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robot_memory.memory.compression import running
from robot_memory.memory.compression.collapse import strengthen_alike
from robot_memory.memory.compression.floor import Floor
from robot_memory.memory.compression.protection import expire
from robot_memory.memory.compression.scale import Scale
from robot_memory.memory.compression.worth import PROTECTED, Switches
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.vectors.index import Vector

WEIGHED = 256  # memories weighed in one call, beside the clip's own
GONE = 64  # archived in one call, or twice what the clip brings: so it never falls behind


@dataclass(frozen=True)
class NodeBudget:
    """How much is searched: memories, and bytes of their words and vectors; 0 is no limit. A memory's worth halves in
    `half_life_days` that the robot lives.
    """

    items: int
    bytes: int = 0
    half_life_days: float = 120.0


@dataclass(frozen=True)
class Compressed:
    """What one call did: ids that are to go to the archive (Change.archive), how many of them strengthened another, how
    many were weighed.
    """

    going: tuple[int, ...]
    collapsed: int
    weighed: int


def compress(
    db: sqlite3.Connection,
    model: str,
    added: Mapping[int, Vector],
    budget: NodeBudget,
    switches: Switches = Switches(),  # noqa: B008
) -> Compressed:
    """What has to go to keep within the budget, inside the caller's transaction: no more than a clip's worth, the rest
    at the next calls. `added`: the memories of this transaction, with their vectors [d] by `model`.
    """
    now_lived = _lived(db)
    expire(db, now_lived)
    seen = running.add(db, model, np.stack(list(added.values()))) if added else running.running(db, model)
    scale = Scale(db, model, seen, now_lived, budget.half_life_days, switches)
    fresh = sorted({*added, *_unweighed(db)})
    scale.weigh(fresh)
    scale.weigh_window()
    surplus = min(max(GONE, 2 * len(added)), _surplus(db, budget))
    if surplus <= 0:
        return Compressed((), 0, len(fresh))
    going, weighed = _choose(db, scale, surplus, switches)
    counted, stays = strengthen_alike(db, going) if switches.distinct else (set(), set())
    return Compressed(tuple(one for one in going if one not in stays), len(counted), len(fresh) + weighed)


def _choose(db: sqlite3.Connection, scale: Scale, most: int, switches: Switches) -> tuple[list[int], int]:
    """Up to `most` memories that are worth least, protected ones when nothing else is left; and how many were weighed.
    What only the floor keeps is worth more from now on, so that it is not asked about at each clip.
    """
    at_most = max(WEIGHED, 2 * most)
    free = _least(db, at_most, protected=False)
    nodes, scores = scale.weigh_again(free)
    floor = Floor(db, nodes) if switches.floor else None
    going, spared = list[int](), list[int]()
    for row in np.lexsort((nodes.ids, scores)).tolist():
        if len(going) == most or scores[row] > PROTECTED / 2:
            break
        (going if floor is None or floor.lets_go(row) else spared).append(int(nodes.ids[row]))
    db.executemany("UPDATE memories SET keep = keep + ? WHERE id = ?", [(PROTECTED, memory) for memory in spared])
    if len(going) < most and len(free) < at_most:
        held = _least(db, most - len(going), protected=True)
        return going + list(held), len(nodes) + len(held)
    return going, len(nodes)


def _lived(db: sqlite3.Connection) -> float:
    """Days that the robot has lived."""
    row = db.execute("SELECT lived_ns FROM clips ORDER BY id DESC LIMIT 1").fetchone()
    return row["lived_ns"] / DAY_NS if row else 0.0


def _unweighed(db: sqlite3.Connection) -> list[int]:
    """Some of what has no score: all of a store of before there were scores, what no longer holds, what is over."""
    rows = db.execute("SELECT id FROM memories WHERE archived = 0 AND keep IS NULL ORDER BY id LIMIT ?", (WEIGHED,))
    return [row["id"] for row in rows]


def _least(db: sqlite3.Connection, most: int, protected: bool) -> dict[int, float]:
    """The memories of a class that are worth least, with their scores."""
    rows = db.execute(
        f"SELECT id, keep FROM memories WHERE archived = 0 AND keep {'>=' if protected else '<'} ? "
        "ORDER BY keep, id LIMIT ?",
        (PROTECTED / 2, most),
    )
    return {row["id"]: row["keep"] for row in rows}


def _surplus(db: sqlite3.Connection, budget: NodeBudget) -> int:
    """How many memories the budget has no room for."""
    items, size = db.execute("SELECT items, bytes FROM held WHERE kind = 'memories'").fetchone()
    surplus = items - budget.items if budget.items else 0
    if budget.bytes and size > budget.bytes:
        surplus = max(surplus, -(-(size - budget.bytes) * items // max(size, 1)))
    return int(surplus)
