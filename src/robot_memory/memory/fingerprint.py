"""The logical hash of a store: equal when the same things are remembered about the same people at the same times.

Row ids, processing times and raw floats are left out; entities are numbered by when they first appear, persons by their
first entity. Two replays of one bag on one machine must agree on it.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator

from robot_memory.memory.people.people import People
from robot_memory.memory.tokens import TOKEN, split


def fingerprint(db: sqlite3.Connection) -> str:
    """The hash as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines(db):
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def lines(db: sqlite3.Connection) -> Iterator[str]:
    """What is hashed, one JSON line a fact: compare these when two hashes differ. Sorted by what they say, kind by
    kind.
    """
    numbers = _Numbers(db)
    for kind, facts in (
        ("clip", _clips(db)),
        ("memory", _memories(db, numbers)),
        ("turn", _turns(db, numbers)),
        ("sighting", _sightings(db, numbers)),
        ("person", numbers.persons()),
        ("embeddings", _embeddings(db, numbers)),
        ("name", _names(db, numbers)),
        ("vote", _votes(db, numbers)),
        ("apart", _pairs(db, "SELECT one, other FROM apart", numbers)),
        ("alike", _pairs(db, "SELECT one, other FROM alike", numbers)),
        ("decided", _decisions(db, numbers)),
        ("observed again", _supports(db, numbers)),
        ("relation", _relations(db, numbers)),
        ("derived", _derivations(db, numbers)),
        ("snapshot", _snapshots(db)),
    ):
        yield from sorted(json.dumps([kind, *fact], ensure_ascii=False) for fact in facts)


Facts = Iterator[tuple[object, ...]]


class _Numbers:
    """Numbers that do not depend on row ids."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._people = People(db)
        self._kind: dict[int, str] = {
            row["id"]: row["kind"] for row in db.execute("SELECT id, kind FROM entities ORDER BY id")
        }
        self._entity = {entity: number for number, entity in enumerate(self._kind, start=1)}
        self._person: dict[int, int] = {}
        for entity in self._kind:
            self._person.setdefault(self._people.of_entity(entity).id, len(self._person) + 1)

    def entity(self, entity: int | None) -> int | None:
        return None if entity is None else self._entity[entity]

    def text(self, text: str | None) -> str | None:
        return text and TOKEN.sub(self._token, text)

    def persons(self) -> Facts:
        for person in self._people.all():
            yield (sorted(f"{self._kind[entity]}_{self._entity[entity]}" for entity in person.entities),)

    def _token(self, token: re.Match[str]) -> str:
        kind, row = split(token.group(1))
        number = self._person.get(self._people.now(row), 0) if kind == "person" else self._entity.get(row, 0)
        return f"<{kind}_{number}>"


def _clips(db: sqlite3.Connection) -> Facts:
    for row in db.execute("SELECT * FROM clips"):
        yield row["start_ns"], row["end_ns"], row["skipped"], row["frames"], round(row["audio_s"], 3)


def _memories(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    for row in db.execute("SELECT * FROM memories").fetchall():
        about = db.execute("SELECT entity, weight FROM edges WHERE memory = ? ORDER BY entity", (row["id"],))
        yield (
            row["start_ns"],
            row["end_ns"],
            row["kind"],
            numbers.text(row["text"]),
            row["source"],
            row["count"],
            numbers.text(row["subject"]),
            row["attribute"],
            row["value"],
            row["polarity"],
            row["valid_from_ns"],
            row["valid_until_ns"],
            row["archived"],
            [(numbers.entity(edge["entity"]), round(edge["weight"], 3)) for edge in about],
        )


def _turns(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    for row in db.execute("SELECT * FROM turns"):
        yield row["start_ns"], row["end_ns"], numbers.entity(row["entity"]), row["text"]


def _sightings(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    for row in db.execute("SELECT * FROM sightings"):
        yield row["start_ns"], row["end_ns"], numbers.entity(row["entity"])


def _embeddings(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    for row in db.execute("SELECT entity, count(*) AS n FROM embeddings GROUP BY entity"):
        yield numbers.entity(row["entity"]), row["n"]


def _names(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    rows = db.execute(
        "SELECT entity, name, source FROM names LEFT JOIN journal ON journal.id = change WHERE undone_by IS NULL"
    )
    for row in rows:
        yield numbers.entity(row["entity"]), row["name"], row["source"]


def _votes(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    for row in db.execute("SELECT voice, face, at_ns, share FROM votes"):
        yield row["at_ns"], numbers.entity(row["voice"]), numbers.entity(row["face"]), round(row["share"], 3)


def _pairs(db: sqlite3.Connection, query: str, numbers: _Numbers) -> Facts:
    for row in db.execute(query):
        yield tuple(sorted(str(numbers.entity(entity)) for entity in (row["one"], row["other"])))


def _decisions(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    """What operators said and stands; of several words about a pair the last."""
    rows = db.execute(
        "SELECT one, other, same FROM decisions JOIN journal ON journal.id = change WHERE undone_by IS NULL "
        "ORDER BY decisions.id"
    )
    for (one, other), same in {(row["one"], row["other"]): row["same"] for row in rows}.items():
        yield sorted(str(numbers.entity(entity)) for entity in (one, other)), same


def _supports(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    rows = db.execute("SELECT supports.*, memories.text AS said FROM supports JOIN memories ON memories.id = memory")
    for row in rows:
        yield row["start_ns"], row["end_ns"], row["source"], numbers.text(row["text"]), numbers.text(row["said"])


def _relations(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    rows = db.execute(
        "SELECT relations.kind, a.start_ns, a.text, b.start_ns AS since, b.text AS said FROM relations "
        "JOIN memories AS a ON a.id = memory JOIN memories AS b ON b.id = other"
    )
    for row in rows:
        yield row["start_ns"], numbers.text(row["text"]), row["kind"], row["since"], numbers.text(row["said"])


def _derivations(db: sqlite3.Connection, numbers: _Numbers) -> Facts:
    rows = db.execute(
        "SELECT a.start_ns, a.text, b.start_ns AS since, b.text AS said FROM derivations "
        "JOIN memories AS a ON a.id = memory JOIN memories AS b ON b.id = support"
    )
    for row in rows:
        yield row["start_ns"], numbers.text(row["text"]), row["since"], numbers.text(row["said"])


def _snapshots(db: sqlite3.Connection) -> Facts:
    for row in db.execute("SELECT stamp_ns FROM snapshots"):
        yield (row["stamp_ns"],)
