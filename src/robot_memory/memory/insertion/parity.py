"""M3-Agent's rule for semantic memories (its section on memory updates), to compare ours with: cosine decides.

Candidates are the semantic memories about the first entity whose own entities include all of the new sentence's. Above
0.85 each is reinforced and the sentence is not kept; below 0 each is weakened, and an edge that falls to 0 is deleted.
Weights change by one; the published code changes them by two because it visits each edge from both ends.
"""

from __future__ import annotations

import sqlite3
from enum import Enum

from robot_memory.memory.insertion import rows
from robot_memory.memory.insertion.claim import Claim
from robot_memory.memory.insertion.rows import Observation
from robot_memory.memory.insertion.vetoes import veto
from robot_memory.memory.tokens import split, tokens_in
from robot_memory.memory.vectors.packing import unpack

REINFORCE_ABOVE, WEAKEN_BELOW = 0.85, 0.0


class Rules(Enum):
    """Who decides what is the same. FRAMES: the claim a sentence makes. PAPER: cosine, as the paper says. CODE: as its
    code does, where a sentence that weakens another one is lost itself. GUARDED: as PAPER, but nothing is reinforced
    against a veto.
    """

    FRAMES = "frames"
    PAPER = "paper"
    CODE = "code"
    GUARDED = "guarded"


def insert_by_cosine(
    db: sqlite3.Connection, seen: Observation, rules: Rules, claim: Claim | None = None
) -> tuple[int, bool]:
    """The memory that holds the sentence now, and whether it is a new one. Its claim is written down, no more."""
    reinforced, weakened = _compare(db, seen, rules) if seen.sentence.kind == "semantic" else ([], [])
    for memory in reinforced:
        rows.reinforce(db, memory, seen)
        db.execute("UPDATE edges SET weight = weight + 1 WHERE memory = ?", (memory,))
    for memory in weakened:
        db.execute("UPDATE edges SET weight = weight - 1 WHERE memory = ?", (memory,))
        db.execute("DELETE FROM edges WHERE memory = ? AND weight <= 0", (memory,))
    if reinforced or (weakened and rules is Rules.CODE):
        return (reinforced or weakened)[0], False
    return rows.add(db, seen, claim), True


def _compare(db: sqlite3.Connection, seen: Observation, rules: Rules) -> tuple[list[int], list[int]]:
    """The memories to reinforce and those to weaken, oldest first."""
    entities = _entities(db, seen.sentence.text)
    if not entities:
        return [], []
    reinforced, weakened = list[int](), list[int]()
    for row in db.execute(
        "SELECT id, text, embedding FROM edges JOIN memories ON id = memory WHERE entity = ? AND kind = 'semantic' "
        "AND archived = 0 AND model = ? ORDER BY id",
        (split(entities[0])[1], seen.model),
    ).fetchall():
        if not set(entities) <= set(_entities(db, row["text"])):
            continue
        cosine = float(unpack(row["embedding"]) @ seen.vector)
        guarded = rules is Rules.GUARDED and veto(seen.sentence.text, row["text"]) is not None
        if cosine > REINFORCE_ABOVE and not guarded:
            reinforced.append(row["id"])
        elif cosine < WEAKEN_BELOW:
            weakened.append(row["id"])
    return reinforced, weakened


def _entities(db: sqlite3.Connection, text: str) -> list[str]:
    """The faces and voices a sentence names; tokens of nobody are dropped."""
    return [
        token
        for token in tokens_in(text)
        if db.execute("SELECT 1 FROM entities WHERE kind = ? AND id = ?", split(token)).fetchone()
    ]
