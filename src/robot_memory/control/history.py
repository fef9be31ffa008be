"""The journal for people to read: who changed what about whom, newest first, page after page; and who a word means."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from robot_memory.control.operator import NUMBER, TOKEN, quoted, token_of
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.people import explain, journal
from robot_memory.memory.people.corrections import CorrectionInvalid, PersonUnknown
from robot_memory.memory.people.journal import Change
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.storage.store import Store

MOST = 1000  # changes in a page, however many are wanted
WHERE = {"person": "persons", "face": "entities", "voice": "entities", "memory": "memories"}


class NameUnclear(RobotMemoryError):
    """A name that nobody goes by, or several do."""


@dataclass(frozen=True)
class Entry:
    """A change, in a sentence with names as known now, and whether it can be taken back now."""

    change: Change
    summary: str
    undoable: bool


@dataclass(frozen=True)
class Page:
    """Changes, and the cursor of the next page: empty if there are no more."""

    entries: tuple[Entry, ...]
    next: str


def page(store: Store, subject: str = "", since_ns: int = 0, limit: int = 0, cursor: str = "") -> Page:
    """At most `limit` changes (0: 100) from `cursor` on. Raises CorrectionInvalid for what is no id or no cursor,
    PersonUnknown for an id of nothing.
    """
    if subject:
        token_of(subject, "person", "face", "voice", "memory")
    if cursor and not re.fullmatch(NUMBER, cursor):
        raise CorrectionInvalid(f"{quoted(cursor)} is no cursor of this list")
    limit = min(limit or journal.MOST, MOST)
    with store.snapshot() as db:
        if subject and not _exists(db, subject):
            raise PersonUnknown(f"nothing is known as {subject}: robot-memory who lists everyone")
        people = People(db)
        found = journal.changes(db, subject, since_ns, limit + 1, before=int(cursor or 0))
        entries = (Entry(one, explain.summary(one, people), explain.undoable(db, one)) for one in found[:limit])
        return Page(tuple(entries), str(found[limit - 1].id) if len(found) > limit else "")


def person_meant(people: People, word: str) -> str:
    """The id of whom a word means: person_4, or a name that exactly one person goes by, as it is written: what merely
    sounds like it is offered, not taken. Raises NameUnclear or PersonUnknown.
    """
    if (found := TOKEN.fullmatch(word)) and found[1] == "person":
        known = people.get(int(found[2]))
        if known is None:
            raise PersonUnknown(f"nobody is known as {word}: robot-memory who lists everyone")
        return known.token
    called = [one for one in people.all() if _same(one.name, word)]
    called = called or [one for one in people.all() if any(_same(other, word) for other in one.others)]
    if len(called) == 1:
        return called[0].token
    if called:
        raise NameUnclear(f"{len(called)} people go by {quoted(word)}, say which: {'; '.join(map(_which, called))}")
    near = people.called(word)
    hint = f"is it {' or '.join(map(_which, near))}?" if near else "robot-memory who lists everyone, with ids"
    raise NameUnclear(f"nobody goes by {quoted(word)}: {hint}")


def _same(name: str, word: str) -> bool:
    return name.casefold() == word.strip().casefold() != ""


def _which(person: Person) -> str:
    members = [f"face_{n}" for n in person.faces] + [f"voice_{n}" for n in person.voices]
    return f"{person.token} ({', '.join([person.name, *members])})"


def _exists(db: sqlite3.Connection, token: str) -> bool:
    kind, _, number = token.partition("_")
    wanted = "" if kind in ("person", "memory") else f" AND kind = '{kind}'"
    row = db.execute(f"SELECT 1 FROM {WHERE[kind]} WHERE id = ?{wanted}", (int(number),)).fetchone()
    return row is not None
