"""After the rules of normalisation have changed: all claims of an older file as the new rules compare them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from robot_memory.memory.insertion.claim import NORMALISER, Claim, normalise
from robot_memory.memory.insertion.equals import first_wording
from robot_memory.memory.insertion.insert import day_of
from robot_memory.memory.insertion.order import put_in_order
from robot_memory.memory.insertion.sentence import Frame

BATCH = 1000
COLUMNS = ("subject", "attribute", "value", "polarity", "norm", "matter")


def claims_are_old(db: sqlite3.Connection) -> bool:
    """Were the claims of this file normalised by another version of the rules?"""
    return bool(db.execute("SELECT normaliser FROM meta").fetchone()["normaliser"] != NORMALISER)


def renormalise(db: sqlite3.Connection) -> int:
    """Recompute every claim if the file's were made by another version; returns how many changed. Claims that have
    become equal stay two rows, of which the next observation strengthens one; what excludes each other since is put in
    order of time. What consolidation derived stays as it wrote it: each of its rules stands for itself.
    """
    if not claims_are_old(db):
        return 0
    changed, last = 0, 0
    chains: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    while batch := db.execute(
        f"SELECT id, clip, start_ns, valid_from_ns, {', '.join(COLUMNS)} FROM memories "
        "WHERE subject IS NOT NULL AND source != 'derived' AND id > ? ORDER BY id LIMIT ?",
        (last, BATCH),
    ).fetchall():
        for row in batch:
            frame = Frame(row["subject"], row["attribute"], row["value"], row["polarity"])
            claim = normalise(frame, day_of(db, row["clip"], row["start_ns"]))
            changed += _update(db, row, claim)
            if claim.matter is not None:
                chains[first_wording(db, claim.subject), claim.attribute, claim.matter].append(row["id"])
        last = batch[-1]["id"]
    for memories in chains.values():
        put_in_order(db, memories)
    db.execute("UPDATE meta SET normaliser = ?", (NORMALISER,))
    return changed


def _update(db: sqlite3.Connection, row: sqlite3.Row, claim: Claim) -> bool:
    new = tuple(getattr(claim, column) for column in COLUMNS)
    if new == tuple(row[column] for column in COLUMNS) and row["valid_from_ns"] is not None:
        return False
    db.execute(
        f"UPDATE memories SET ({', '.join(COLUMNS)}) = (?, ?, ?, ?, ?, ?), "
        "valid_from_ns = coalesce(valid_from_ns, start_ns) WHERE id = ?",
        (*new, row["id"]),
    )
    return True
