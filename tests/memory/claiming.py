"""Builders for tests of claims: a store with some people, and short ways to say things into it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from remembering import SECOND, add_clip, random_unit

from robot_memory.memory.insertion.insert import Inserted, take_in
from robot_memory.memory.insertion.parity import Rules
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.index import Vector


@contextmanager
def memory_of(folder: Path, *persons: tuple[str, ...]) -> Iterator[sqlite3.Connection]:
    """A store being written in which entities are numbered as they are named: ("voice", "face"), ("face",) are voice_1
    and face_2 of person_1, face_3 of person_2.
    """
    with Store(folder / "memory.sqlite") as store, store.write() as db:
        clip = add_clip(db)
        for kinds in persons:
            person = db.execute("INSERT INTO persons DEFAULT VALUES").lastrowid
            for kind in kinds:
                db.execute("INSERT INTO entities(kind, person, clip) VALUES (?, ?, ?)", (kind, person, clip))
        yield db


def claim(
    db: sqlite3.Connection,
    subject: str,
    attribute: str,
    value: str,
    polarity: int = 1,
    *,
    at: float = 0.0,
    text: str = "",
    about: dict[str, float] | None = None,
) -> Inserted:
    """Somebody claims something at `at` seconds."""
    frame = Frame(subject, attribute, value, polarity)
    start_ns = int(at * SECOND)
    said = Sentence(
        "semantic", text or f"{subject} {attribute} {value}", start_ns, start_ns + SECOND, "heard", about or {}, frame
    )
    return take_in(db, 1, said, random_unit(1)[0], "text 1")


def tell(
    db: sqlite3.Connection,
    text: str,
    vector: Vector,
    about: dict[str, float] | None = None,
    rules: Rules = Rules.FRAMES,
    kind: str = "semantic",
) -> Inserted:
    """A sentence without a frame."""
    return take_in(db, 1, Sentence(kind, text, 0, SECOND, "heard", about or {}), vector, "text 1", rules)


def intervals(db: sqlite3.Connection, *attributes: str) -> list[tuple[str, int, float, float | None, int]]:
    """(norm, polarity, from, until, count) of all claims in order of time, in seconds."""
    rows = db.execute("SELECT * FROM memories WHERE subject IS NOT NULL ORDER BY valid_from_ns, norm, polarity")
    return [
        (
            row["norm"],
            row["polarity"],
            row["valid_from_ns"] / SECOND,
            None if row["valid_until_ns"] is None else row["valid_until_ns"] / SECOND,
            row["count"],
        )
        for row in rows
        if not attributes or row["attribute"] in attributes
    ]


def relations(db: sqlite3.Connection, kind: str) -> list[tuple[int, int]]:
    rows = db.execute("SELECT memory, other FROM relations WHERE kind = ? ORDER BY memory, other", (kind,))
    return [(row["memory"], row["other"]) for row in rows]


def weights(db: sqlite3.Connection, memory: int) -> dict[int, float]:
    rows = db.execute("SELECT entity, weight FROM edges WHERE memory = ? ORDER BY entity", (memory,))
    return {row["entity"]: row["weight"] for row in rows}
