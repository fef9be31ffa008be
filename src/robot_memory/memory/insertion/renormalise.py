"""After the rules of normalisation have changed: all claims of an older file as the new rules compare them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from robot_memory.memory.insertion.claim import NORMALISER, Claim, normalise
from robot_memory.memory.insertion.equals import first_wording
from robot_memory.memory.insertion.insert import day_of
from robot_memory.memory.insertion.sentence import Frame

BATCH = 1000
COLUMNS = ("subject", "attribute", "value", "polarity", "norm", "matter")


@dataclass(frozen=True)
class _Held:
    """A claim of a chain, in the order in which intervals.py puts what excludes each other."""

    since_ns: int
    denied: bool
    norm: str
    memory: int
    until_ns: int | None

    @property
    def place(self) -> tuple[int, bool, str, int]:
        return self.since_ns, self.denied, self.norm, self.memory

    def ends(self, other: _Held) -> bool:
        """Another value, or the opposite of the same."""
        return self.denied != other.denied if self.norm == other.norm else not (self.denied or other.denied)


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
        f"SELECT id, clip, start_ns, valid_from_ns, {', '.join(COLUMNS)} FROM memories "
        "WHERE subject IS NOT NULL AND id > ? ORDER BY id LIMIT ?",
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
        _in_order(db, memories)
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


def _in_order(db: sqlite3.Connection, memories: list[int]) -> None:
    """End every interval that is open, or reaches too far, where the next one that excludes it begins."""
    held = sorted((_held(db, memory) for memory in memories), key=lambda one: one.place)
    for place, one in enumerate(held):
        after = next((then for then in held[place + 1 :] if then.ends(one)), None)
        if after is not None and (one.until_ns is None or one.until_ns > after.since_ns):
            db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (after.since_ns, one.memory))
            db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'supersedes')", (after.memory, one.memory))


def _held(db: sqlite3.Connection, memory: int) -> _Held:
    row = db.execute(
        "SELECT norm, polarity, valid_from_ns AS since, valid_until_ns AS until FROM memories WHERE id = ?", (memory,)
    ).fetchone()
    return _Held(row["since"], row["polarity"] < 0, first_wording(db, row["norm"]), memory, row["until"])
