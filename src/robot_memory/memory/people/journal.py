"""The journal: every change of who is who, by whom, why, and whether it still stands.

A change is never erased. Taking it back is a change of its own; what an operator said counts while the change that
said it stands.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from robot_memory.errors import RobotMemoryError

MOST = 100


class ChangeUnknown(RobotMemoryError):
    """There is no change of that number."""


@dataclass(frozen=True)
class Word:
    """Who wants a change, in whose name it is noted, why, and when."""

    actor: str
    reason: str
    at_ns: int


@dataclass(frozen=True)
class Change:
    """One entry. `actor` is empty where the robot concluded it by itself; `subjects` are tokens (person_4, voice_7);
    `detail` is what the action needs to be explained and taken back; `undone_by` is the change that took it back, or 0.
    """

    id: int
    at_ns: int
    actor: str
    action: str
    clip: int | None
    reason: str
    subjects: tuple[str, ...]
    detail: dict[str, Any]
    undone_by: int

    @property
    def undone(self) -> bool:
        return self.undone_by != 0

    @property
    def entities(self) -> list[int]:
        """The faces and voices it is about."""
        return [int(token.split("_")[1]) for token in self.subjects if not token.startswith(("person_", "memory_"))]


def note(
    db: sqlite3.Connection, action: str, subjects: Iterable[str], detail: object, word: Word, clip: int | None = None
) -> int:
    """Write an entry; returns its number."""
    row = db.execute(
        "INSERT INTO journal(at_ns, actor, action, clip, detail, reason) VALUES (?, ?, ?, ?, ?, ?)",
        (word.at_ns, word.actor, action, clip, json.dumps(detail), word.reason),
    )
    assert row.lastrowid is not None
    db.executemany(
        "INSERT OR IGNORE INTO journal_subjects(change, token) VALUES (?, ?)",
        [(row.lastrowid, token) for token in subjects],
    )
    return row.lastrowid


def get(db: sqlite3.Connection, change: int) -> Change:
    """Raises ChangeUnknown."""
    row = db.execute("SELECT * FROM journal WHERE id = ?", (change,)).fetchone()
    if row is None:
        raise ChangeUnknown(f"there is no change {change}: list them with robot-memory changes")
    return _change(db, row)


def changes(
    db: sqlite3.Connection, subject: str = "", since_ns: int = 0, limit: int = MOST, before: int = 0
) -> list[Change]:
    """The newest first, at most `limit`; only those about `subject`, made at or after `since_ns`, older than change
    `before`.
    """
    conditions, values = ["at_ns >= ?"], list[object]([since_ns])
    if subject:
        conditions.append("id IN (SELECT change FROM journal_subjects WHERE token = ?)")
        values.append(subject)
    if before:
        conditions.append("id < ?")
        values.append(before)
    rows = db.execute(
        f"SELECT * FROM journal WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT ?", (*values, limit)
    ).fetchall()
    return [_change(db, row) for row in rows]


def take_back(db: sqlite3.Connection, change: Change, by: int | None) -> None:
    """Note that `by` takes the change back, or (None) that it stands again. What an undo had taken back stands again
    with the undo's fall, and the other way round.
    """
    db.execute("UPDATE journal SET undone_by = ? WHERE id = ?", (by, change.id))
    if "undoes" in change.detail:
        take_back(db, get(db, change.detail["undoes"]), None if by else change.id)


def later(db: sqlite3.Connection, change: Change) -> Change | None:
    """The first standing change of an operator that rests on `change`: a merge or split after it that is about any of
    the same people, faces or voices, or the undo of one from before it.
    """
    marks = ", ".join("?" * len(change.subjects))
    rows = db.execute(
        f"SELECT * FROM journal WHERE id > ? AND undone_by IS NULL AND action IN ('merge', 'split', 'undo') AND id IN "
        f"(SELECT change FROM journal_subjects WHERE token IN ({marks})) ORDER BY id",
        (change.id, *change.subjects),
    ).fetchall()
    mine = root(db, change).id
    for other in (_change(db, row) for row in rows):
        about = root(db, other)
        if other.action != "undo" or (about.id < change.id and about.id != mine and about.undone):
            return other
    return None


def root(db: sqlite3.Connection, change: Change) -> Change:
    """What an undo, or the undo of one, is about in the end."""
    while change.action == "undo":
        change = get(db, change.detail["undoes"])
    return change


def _change(db: sqlite3.Connection, row: sqlite3.Row) -> Change:
    subjects = db.execute("SELECT token FROM journal_subjects WHERE change = ? ORDER BY token", (row["id"],))
    return Change(
        row["id"],
        row["at_ns"],
        row["actor"],
        row["action"],
        row["clip"],
        row["reason"],
        tuple(one["token"] for one in subjects),
        json.loads(row["detail"]),
        row["undone_by"] or 0,
    )
