"""After the rules of normalisation have changed: all claims of an older file as the new rules compare them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from robot_memory.memory.insertion.claim import NORMALISER, Claim, normalise
from robot_memory.memory.insertion.insert import day_of
from robot_memory.memory.insertion.sentence import Frame

BATCH = 1000


def claims_are_old(db: sqlite3.Connection) -> bool:
    """Were the claims of this file normalised by another version of the rules?"""
    return bool(db.execute("SELECT normaliser FROM meta").fetchone()["normaliser"] != NORMALISER)


def renormalise(db: sqlite3.Connection) -> int:
    """Recompute every claim if the file's were made by another version; returns how many changed. Claims that have
    become equal stay two rows, of which the next observation strengthens one; what excludes each other since is put in
    order of time.
    """
    if not claims_are_old(db):
        return 0
    changed, last = 0, 0
    chains: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    while batch := db.execute(
        "SELECT id, clip, start_ns, subject, attribute, value, polarity, norm, valid_from_ns FROM memories "
        "WHERE subject IS NOT NULL AND id > ? ORDER BY id LIMIT ?",
        (last, BATCH),
    ).fetchall():
        for row in batch:
            frame = Frame(row["subject"], row["attribute"], row["value"], row["polarity"])
            claim = normalise(frame, day_of(db, row["clip"], row["start_ns"]))
            changed += _update(db, row, claim)
            if claim.matter is not None:
                chains[claim.subject, claim.attribute, claim.matter].append(row["id"])
        last = batch[-1]["id"]
    for memories in chains.values():
        _in_order(db, memories)
    db.execute("UPDATE meta SET normaliser = ?", (NORMALISER,))
    return changed


def _update(db: sqlite3.Connection, row: sqlite3.Row, claim: Claim) -> bool:
    new = (claim.subject, claim.attribute, claim.value, claim.polarity, claim.norm)
    old = (row["subject"], row["attribute"], row["value"], row["polarity"], row["norm"])
    if new == old and row["valid_from_ns"] is not None:
        return False
    db.execute(
        "UPDATE memories SET subject = ?, attribute = ?, value = ?, polarity = ?, norm = ?, "
        "valid_from_ns = coalesce(valid_from_ns, start_ns) WHERE id = ?",
        (*new, row["id"]),
    )
    return True


def _in_order(db: sqlite3.Connection, memories: list[int]) -> None:
    """End every interval that is open, or reaches too far, where the next one that excludes it begins."""
    rows = [
        db.execute(
            "SELECT id, norm, polarity, valid_from_ns AS since, valid_until_ns AS until FROM memories WHERE id = ?",
            (one,),
        ).fetchone()
        for one in memories
    ]
    rows.sort(key=lambda row: (row["since"], row["id"]))
    for place, row in enumerate(rows):
        after = next((then for then in rows[place + 1 :] if _excludes(then, row)), None)
        if after is not None and (row["until"] is None or row["until"] > after["since"]):
            db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (after["since"], row["id"]))
            db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'supersedes')", (after["id"], row["id"]))


def _excludes(then: sqlite3.Row, row: sqlite3.Row) -> bool:
    """Another value, or the opposite of the same."""
    if then["norm"] == row["norm"]:
        return bool(then["polarity"] != row["polarity"])
    return bool(then["polarity"] > 0 and row["polarity"] > 0)
