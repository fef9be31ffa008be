"""Chains of claims that exclude each other, put in order of time as a whole: after the rules have changed, or after it
has changed whose claims they are. One claim more is placed by intervals.py, to the same effect.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from robot_memory.memory.insertion.equals import first_wording, tokens_like


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


def reorder(db: sqlite3.Connection, entities: Collection[int]) -> None:
    """Two persons became one, or one two: each has one home at a time again. `entities`: whose person has changed."""
    chains = {
        (first_wording(db, subject), row["attribute"], row["matter"])
        for subject in _subjects(db, entities)
        for row in db.execute(
            "SELECT DISTINCT attribute, matter FROM memories WHERE subject = ? AND matter IS NOT NULL", (subject,)
        ).fetchall()
    }
    for chain in sorted(chains):
        put_in_order(db, _chain(db, *chain))


def put_in_order(db: sqlite3.Connection, memories: Sequence[int]) -> None:
    """Each holds until the next one begins that excludes it."""
    held = sorted((_held(db, memory) for memory in memories), key=lambda one: one.place)
    for place, one in enumerate(held):
        after = next((then for then in held[place + 1 :] if then.ends(one)), None)
        until_ns = after.since_ns if after else None
        if until_ns == one.until_ns:
            continue
        db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (until_ns, one.memory))
        db.execute("DELETE FROM relations WHERE other = ? AND kind = 'supersedes'", (one.memory,))
        if after is not None:
            db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'supersedes')", (after.memory, one.memory))


def _subjects(db: sqlite3.Connection, entities: Collection[int]) -> list[str]:
    """All wordings of the persons that these belong to now."""
    kinds = (db.execute("SELECT kind FROM entities WHERE id = ?", (one,)).fetchone()["kind"] for one in entities)
    tokens = (f"<{kind}_{one}>" for kind, one in zip(kinds, entities, strict=True))
    return sorted({wording for token in tokens for wording in _wordings(db, token)})


def _wordings(db: sqlite3.Connection, subject: str) -> list[str]:
    return [f"<{token}>" for token in tokens_like(db, subject.strip("<>"))]


def _chain(db: sqlite3.Connection, subject: str, attribute: str, matter: str) -> list[int]:
    return [
        row["id"]
        for wording in _wordings(db, subject)
        for row in db.execute(
            "SELECT id FROM memories WHERE subject = ? AND attribute = ? AND matter = ?", (wording, attribute, matter)
        )
    ]


def _held(db: sqlite3.Connection, memory: int) -> _Held:
    row = db.execute(
        "SELECT norm, polarity, valid_from_ns AS since, valid_until_ns AS until FROM memories WHERE id = ?", (memory,)
    ).fetchone()
    return _Held(row["since"], row["polarity"] < 0, first_wording(db, row["norm"]), memory, row["until"])
