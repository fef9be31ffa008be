"""What is known about pairs of entities: those that cannot be one human, and those that look or sound the same.

Who is one person with whom is decided from this elsewhere: here it is only noted.
"""

from __future__ import annotations

import sqlite3


def note_apart(db: sqlite3.Connection, one: int, other: int, clip: int) -> None:
    """The two were met at the same moment. The first time is kept."""
    one, other = sorted((one, other))
    db.execute("INSERT OR IGNORE INTO apart(one, other, clip) VALUES (?, ?, ?)", (one, other, clip))


def are_apart(db: sqlite3.Connection, one: int, other: int) -> bool:
    one, other = sorted((one, other))
    return db.execute("SELECT 1 FROM apart WHERE one = ? AND other = ?", (one, other)).fetchone() is not None


def note_alike(db: sqlite3.Connection, one: int, other: int, score: float, clip: int) -> None:
    """The two are this much alike. The highest score is kept, with its clip; nothing is noted of those kept apart."""
    one, other = sorted((one, other))
    if not are_apart(db, one, other):
        db.execute(
            "INSERT INTO alike(one, other, score, clip) VALUES (?, ?, ?, ?) ON CONFLICT(one, other) "
            "DO UPDATE SET score = excluded.score, clip = excluded.clip WHERE excluded.score > score",
            (one, other, score, clip),
        )


def kin(db: sqlite3.Connection, entity: int) -> list[int]:
    """All entities of the entity's kind and person, itself included."""
    rows = db.execute(
        "SELECT kin.id FROM entities AS kin JOIN entities AS own ON kin.person = own.person AND kin.kind = own.kind "
        "WHERE own.id = ? ORDER BY kin.id",
        (entity,),
    )
    return [row["id"] for row in rows]


def person_of(db: sqlite3.Connection, entity: int) -> int:
    return int(db.execute("SELECT person FROM entities WHERE id = ?", (entity,)).fetchone()["person"])
