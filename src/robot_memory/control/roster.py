"""Everyone the robot knows, for people to read: names, faces, voices, when they were first and last there; page after
page, since telling how sure a person's links are takes looking at all evidence around them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.control.operator import quoted
from robot_memory.memory.people.corrections import CorrectionInvalid, PersonUnknown
from robot_memory.memory.people.explain import link_confidence, maybe_same
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.storage.store import Store


@dataclass(frozen=True)
class Known:
    """One person. Ids are tokens (person_2, face_3, voice_7); times are nanoseconds; `crop_uri` is crop/<face> or
    empty; `state` of the name is none, heard, confirmed or given.
    """

    id: str
    name: str
    description: str
    faces: tuple[str, ...]
    voices: tuple[str, ...]
    aliases: tuple[str, ...]
    first_ns: int
    last_ns: int
    crop_uri: str
    state: str
    other_names: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A person with what evidence says of them: `link_confidence`, 0..1, is that faces and voices are one human's, 0
    where there is nothing to tell; `maybe_same` are those a merge with whom is proposed.
    """

    known: Known
    link_confidence: float
    maybe_same: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """People, and the cursor of the next page: empty if there are no more."""

    entries: tuple[Entry, ...]
    next: str


def page(store: Store, ids: Collection[str] = (), only_named: bool = False, limit: int = 0, cursor: str = "") -> Page:
    """At most `limit` people (0: all) from `cursor` on, in order of id; of `ids` only, former ones included, if there
    are any. Raises PersonUnknown for ids of nobody, CorrectionInvalid for what is no cursor.
    """
    with store.snapshot() as db:
        everyone = People(db)
        wanted = _wanted([one for one in everyone.all() if one.name or not only_named], ids)
        tokens = [one.token for one in wanted]
        if cursor and cursor not in tokens:
            raise CorrectionInvalid(f"{quoted(cursor)} is no cursor of this list")
        first = tokens.index(cursor) if cursor else 0
        last = first + limit if limit else len(wanted)
        entries = (_entry(db, everyone, one) for one in wanted[first:last])
        return Page(tuple(entries), tokens[last] if last < len(tokens) else "")


def people(db: sqlite3.Connection) -> list[Known]:
    """Everyone, in order of id."""
    return [_known(db, person) for person in People(db).all()]


def _wanted(found: list[Person], ids: Collection[str]) -> list[Person]:
    if not ids:
        return found
    by_id = {id: one for one in found for id in (one.token, *(f"person_{n}" for n in one.aliases))}
    if lost := sorted(set(ids) - set(by_id)):
        raise PersonUnknown(f"nobody is known as {', '.join(quoted(id) for id in lost[:5])}")
    chosen = {by_id[id].id for id in ids}
    return [one for one in found if one.id in chosen]


def _entry(db: sqlite3.Connection, everyone: People, person: Person) -> Entry:
    return Entry(
        _known(db, person),
        link_confidence(db, person),
        tuple(other.token for other in maybe_same(db, everyone, person)),
    )


def _known(db: sqlite3.Connection, person: Person) -> Known:
    first_ns, last_ns = _span(db, person.entities)
    return Known(
        person.token,
        person.name,
        person.describe(),
        tuple(f"face_{n}" for n in person.faces),
        tuple(f"voice_{n}" for n in person.voices),
        tuple(f"person_{n}" for n in person.aliases),
        first_ns,
        last_ns,
        _crop_uri(db, person.faces),
        person.state,
        person.others,
    )


def _span(db: sqlite3.Connection, entities: Collection[int]) -> tuple[int, int]:
    """When these were first and last seen or heard; zeros if they never were."""
    marks = ", ".join("?" * len(entities))
    row = db.execute(
        f"SELECT min(start_ns), max(end_ns) FROM ("
        f"SELECT start_ns, end_ns FROM sightings WHERE entity IN ({marks}) "
        f"UNION ALL SELECT start_ns, end_ns FROM turns WHERE entity IN ({marks}))",
        (*entities, *entities),
    ).fetchone()
    return row[0] or 0, row[1] or 0


def _crop_uri(db: sqlite3.Connection, faces: Collection[int]) -> str:
    """Of the best picture."""
    marks = ", ".join("?" * len(faces))
    row = db.execute(
        f"SELECT id FROM entities WHERE id IN ({marks}) AND crop IS NOT NULL ORDER BY crop_quality DESC LIMIT 1",
        (*faces,),
    ).fetchone()
    return f"crop/{row['id']}" if row else ""


def crop(db: sqlite3.Connection, uri: str) -> bytes:
    """The JPEG behind a crop_uri. Raises KeyError if it is gone."""
    row = db.execute("SELECT crop FROM entities WHERE id = ?", (int(uri.removeprefix("crop/")),)).fetchone()
    if row is None or row["crop"] is None:
        raise KeyError(uri)
    return bytes(row["crop"])
