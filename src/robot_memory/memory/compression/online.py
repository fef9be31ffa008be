"""After each clip: what is new is weighed, and where more is held than the budget allows, the least worth go to the
archive. A bounded piece of work in the clip's own transaction.

All that it knows is in the file, so a restart, a crash or an undone change alters nothing. What seems to be worth
least, by what was known when it was weighed, is weighed anew before it goes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression import running
from robot_memory.memory.compression.collapse import strengthen_alike
from robot_memory.memory.compression.coverage import WINDOW, coverage
from robot_memory.memory.compression.nodes import Nodes, read_nodes
from robot_memory.memory.compression.protection import TIMED, TO_COME_DAYS, few_in_store, protected
from robot_memory.memory.compression.repetition import repeated
from robot_memory.memory.compression.weighing import parts
from robot_memory.memory.compression.worth import Switches, keeps
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import unpack_rows

WEIGHED = 256  # memories weighed in one call, beside the clip's own
GONE = 64  # archived in one call: more than a clip brings


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
    """What has to go to keep within the budget, inside the caller's transaction: at most GONE memories, the rest at the
    next calls. `added`: the memories of this transaction, with their vectors [d] by `model`.
    """
    now_lived = _lived(db)
    _expire(db, now_lived)
    fresh = sorted({*added, *_unweighed(db)})
    if not fresh and _surplus(db, budget) <= 0:
        return Compressed((), 0, 0)
    seen = _seen(db, model, added, fresh)
    _weigh(db, read_nodes(db, fresh), seen, now_lived, budget, switches)
    _weigh_window(db, seen, now_lived, budget, switches)
    surplus = min(GONE, _surplus(db, budget))
    if surplus <= 0:
        return Compressed((), 0, len(fresh))
    nodes = read_nodes(db, _least(db))
    scores = _weigh(db, nodes, seen, now_lived, budget, switches)
    going = nodes.ids[np.lexsort((nodes.ids, scores))[:surplus]].tolist()
    counted, stays = strengthen_alike(db, going, now_lived) if switches.distinct else (set(), set())
    return Compressed(tuple(one for one in going if one not in stays), len(counted), len(fresh) + len(nodes))


def _seen(db: sqlite3.Connection, model: str, added: Mapping[int, Vector], some: Collection[int]) -> running.Running:
    """The running sum, with the vectors of what is new."""
    if added:
        return running.add(db, model, np.stack(list(added.values())))
    any_id = next(iter(some), 0) or _least(db)[0]
    size = db.execute("SELECT length(embedding) / 2 FROM memories WHERE id = ?", (any_id,)).fetchone()[0]
    return running.running(db, model, size)


def _lived(db: sqlite3.Connection) -> float:
    """Days that the robot has lived."""
    row = db.execute("SELECT lived_ns FROM clips ORDER BY id DESC LIMIT 1").fetchone()
    return row["lived_ns"] / DAY_NS if row else 0.0


def _unweighed(db: sqlite3.Connection) -> list[int]:
    """Some of what has no score: all of a store of before there were scores, what no longer holds, what is over."""
    rows = db.execute("SELECT id FROM memories WHERE archived = 0 AND keep IS NULL LIMIT ?", (WEIGHED,))
    return [row["id"] for row in rows]


def _least(db: sqlite3.Connection) -> list[int]:
    rows = db.execute("SELECT id FROM memories WHERE archived = 0 AND keep NOT NULL ORDER BY keep LIMIT ?", (WEIGHED,))
    return [row["id"] for row in rows]


def _surplus(db: sqlite3.Connection, budget: NodeBudget) -> int:
    """How many memories the budget has no room for."""
    items, size = db.execute("SELECT items, bytes FROM held WHERE kind = 'memories'").fetchone()
    surplus = items - budget.items if budget.items else 0
    if budget.bytes and size > budget.bytes:
        surplus = max(surplus, -(-(size - budget.bytes) * items // max(size, 1)))
    return int(surplus)


def _expire(db: sqlite3.Connection, now_lived: float) -> None:
    """Promises, plans and appointments that are no longer to come are weighed anew."""
    db.execute(
        "UPDATE memories SET keep = NULL WHERE id IN (SELECT memories.id FROM memories JOIN clips ON clips.id = clip "
        f"WHERE attribute IN {TIMED} AND archived = 0 AND keep > 500 AND lived_ns < ? LIMIT ?)",
        (int((now_lived - TO_COME_DAYS) * DAY_NS), WEIGHED),
    )


def _weigh(
    db: sqlite3.Connection,
    nodes: Nodes,
    seen: running.Running,
    now_lived: float,
    budget: NodeBudget,
    switches: Switches,
    covered: NDArray[np.float32] | None = None,
) -> NDArray[np.float64]:
    """Score the nodes by what is known now, and write that down."""
    if not len(nodes):
        return np.empty(0)
    few = few_in_store(db, nodes) if switches.floor else np.zeros(len(nodes), np.bool_)
    held = protected(nodes, now_lived, few) if switches.protection else few
    if covered is None:
        covered = np.full(len(nodes), np.nan, np.float32)
    scores = keeps(parts(nodes, seen, _repeats(db, nodes), covered, held), budget.half_life_days, switches)
    db.executemany("UPDATE memories SET keep = ? WHERE id = ?", zip(scores.tolist(), nodes.ids.tolist(), strict=True))
    waiting = [(memory,) for memory in nodes.ids[nodes.isolated].tolist()]
    if waiting and np.isnan(covered).all():
        db.executemany("INSERT OR IGNORE INTO windows VALUES (?)", waiting)
    return scores


def _weigh_window(
    db: sqlite3.Connection, seen: running.Running, now_lived: float, budget: NodeBudget, switches: Switches
) -> None:
    """Where a window of what is about nobody is full, its memories are weighed against each other."""
    waiting = [row["memory"] for row in db.execute("SELECT memory FROM windows ORDER BY memory LIMIT ?", (WINDOW,))]
    if len(waiting) < WINDOW:
        return
    nodes = read_nodes(db, waiting)
    _weigh(db, nodes, seen, now_lived, budget, switches, coverage(nodes.vectors))
    db.executemany("DELETE FROM windows WHERE memory = ?", [(memory,) for memory in waiting])


def _repeats(db: sqlite3.Connection, nodes: Nodes) -> NDArray[np.float32]:
    """How much of each node [n] an earlier memory says: of those that were found similar when it was inserted."""
    cosines = np.full(len(nodes), -1.0, np.float32)
    at = {memory: row for row, memory in enumerate(nodes.ids.tolist())}
    for memory, vectors in _similar(db, nodes.ids.tolist()).items():
        row = at[memory]
        cosines[row] = float((vectors @ nodes.vectors[row]).max())
    return repeated(cosines)


def _similar(db: sqlite3.Connection, memories: Collection[int]) -> dict[int, NDArray[np.float32]]:
    """The vectors [m, d] of the memories, not archived, that each of these was found to resemble."""
    marks = ", ".join("?" * len(memories))
    rows = db.execute(
        "SELECT relations.memory, embedding FROM relations JOIN memories ON memories.id = other "
        f"WHERE relations.kind = 'similar' AND relations.memory IN ({marks}) AND archived = 0",
        tuple(memories),
    ).fetchall()
    found: dict[int, list[bytes]] = {}
    for row in rows:
        found.setdefault(row["memory"], []).append(row["embedding"])
    return {memory: unpack_rows(blobs, len(blobs[0]) // 2) for memory, blobs in found.items()}
