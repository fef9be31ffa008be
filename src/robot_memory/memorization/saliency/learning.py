"""What answers teach: memories that were cited, against those that were found and not used, by reason.

A ridge-regularised logistic regression (le Cessie and van Houwelingen 1992) whose penalty draws the weights not to zero
but to the table: with few answers the table holds, with hundreds the robot's own questions decide. Only ids are logged,
on the robot; what is forgotten is no longer learnt from.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from robot_memory.memorization.saliency.parts import remembered
from robot_memory.memorization.saliency.surprise import experience, halve
from robot_memory.memorization.saliency.table import reasons
from robot_memory.memorization.saliency.weights import Weights, weights

RIDGE = 25.0  # a weight strays from the table by some 0.2 as easily as by chance: 1 / 0.2²
FREE = 0.01  # the ridge of what is not drawn anywhere
KEPT = 20_000  # rows of `answered`; older ones are forgotten
LEARNT_FROM = 4000  # the newest
STEPS = 20  # of Newton's method; it ends earlier
STILL = 1e-6
CHANGED = 0.02  # less is not worth weighing all memories anew
CITED = "SELECT id, ?, 1 FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
UNUSED = """
    SELECT m.id, ?, 0 FROM json_each(?) AS found JOIN memories AS m ON m.id = found.value
    WHERE m.id NOT IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
        SELECT 1 FROM json_each(?) AS proof JOIN memories AS used ON used.id = proof.value
        WHERE used.clip = m.clip AND used.turn = m.turn)
    ORDER BY found.key
"""


def note_answered(db: sqlite3.Connection, cited: Collection[int], found: Collection[int], at_ns: int) -> None:
    """Log which memories an answer cited, and which were found for it and not used. Left out is what is no memory, and
    what was learnt from the same words as one that is cited: it was as good.
    """
    proof = json.dumps(sorted(set(cited)))
    db.execute("INSERT INTO answered(memory, at_ns, cited) " + CITED, (at_ns, proof))
    unused = json.dumps(list(dict.fromkeys(found)))
    db.execute("INSERT INTO answered(memory, at_ns, cited) " + UNUSED, (at_ns, unused, proof, proof))
    db.execute("DELETE FROM answered WHERE id <= (SELECT max(id) FROM answered) - ?", (KEPT,))


def learn(db: sqlite3.Connection) -> Weights:
    """Learn the weights from the newest answers, write them down where they changed, and return them. `weigh_anew` then
    brings the memories up to date (teaching.py does both). To be called in a transaction, when the robot is idle.
    """
    halve(db)
    names = [one.name for one in reasons()]
    table = np.array([one.adds for one in reasons()])
    amounts, cited = _examples(db, names)
    adds = fit(amounts, cited, table) if cited.any() and not cited.all() else table
    now = weights(db)
    if max(abs(now[name] - one) for name, one in zip(names, adds, strict=True)) < CHANGED:
        return now
    db.executemany(
        "INSERT INTO weights(name, value) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        [(name, float(more)) for name, more in zip(names, adds - table, strict=True)],
    )
    return weights(db)


def fit(amounts: NDArray[np.float64], cited: NDArray[np.bool_], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights [k] that best tell what is cited [n] by the amounts [n, k] of each reason, near those of the table.

    Far more is found than cited: both sides count as much as what was cited, so that it is learnt which of two, not how
    seldom; what is usual among them is fitted freely, and is of no use elsewhere.
    """
    share = np.where(cited, 1.0, cited.sum() / (~cited).sum())
    given = np.column_stack([amounts, np.ones(len(cited))])
    prior = np.append(table, 0.0)
    ridge = np.diag(np.append(np.full(len(table), RIDGE), FREE))
    adds: NDArray[np.float64] = prior.copy()
    for _ in range(STEPS):
        likely = 1.0 / (1.0 + np.exp(-(given @ adds)))
        slope = given.T @ (share * (cited - likely)) - ridge @ (adds - prior)
        curve = (given * (share * likely * (1.0 - likely))[:, None]).T @ given + ridge
        step = np.linalg.solve(curve, slope)
        adds = adds + step
        if np.abs(step).max() < STILL:
            break
    return adds[: len(table)]


def _examples(db: sqlite3.Connection, names: list[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The amounts [n, k] of each reason of the memories of the newest answers, and which were cited [n]."""
    rows = db.execute("SELECT memory, cited FROM answered ORDER BY id DESC LIMIT ?", (LEARNT_FROM,)).fetchall()
    known = {one.id: one for one in remembered(db, {row["memory"] for row in rows}) if one.surprise is not None}
    before = experience(db, {one.event for one in known.values()})
    amounts = {one.id: one.parts(one.surprise or 0.0, before.first_clip(one.event.place)) for one in known.values()}
    used = [row for row in rows if row["memory"] in amounts]
    given = np.array([[amounts[row["memory"]][name] for name in names] for row in used], np.float64)
    return given.reshape(-1, len(names)), np.array([row["cited"] for row in used], np.bool_)
