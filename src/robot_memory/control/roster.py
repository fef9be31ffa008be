"""Everyone the robot knows, for people to read: names, faces, voices, when they were first and last there."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from robot_memory.memory.people.explain import link_confidence, maybe_same
from robot_memory.memory.people.people import People
from robot_memory.memory.storage.store import Store


@dataclass(frozen=True)
class Known:
    """One person. Ids are tokens (person_2, face_3, voice_7); times are nanoseconds; `crop_uri` is crop/<face> or
    empty; `state` of the name is none, heard, confirmed or given; `link_confidence`, 0..1, is that faces and voices are
    one human's, 0 where there is nothing to tell; `maybe_same` are those a merge with whom is proposed.
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
    state: str = "none"
    other_names: tuple[str, ...] = ()
    link_confidence: float = 0.0
    maybe_same: tuple[str, ...] = ()


def people(db: sqlite3.Connection) -> list[Known]:
    """Everyone, in order of id."""
    known, everyone = [], People(db)
    for person in everyone.all():
        entities = (*person.faces, *person.voices)
        marks = ", ".join("?" * len(entities))
        span = db.execute(
            f"SELECT min(start_ns) AS first, max(end_ns) AS last FROM ("
            f"SELECT start_ns, end_ns FROM sightings WHERE entity IN ({marks}) "
            f"UNION ALL SELECT start_ns, end_ns FROM turns WHERE entity IN ({marks}))",
            (*entities, *entities),
        ).fetchone()
        best = db.execute(
            f"SELECT id FROM entities WHERE id IN ({marks}) AND crop IS NOT NULL ORDER BY crop_quality DESC LIMIT 1",
            entities,
        ).fetchone()
        known.append(
            Known(
                person.token,
                person.name,
                person.describe(),
                tuple(f"face_{n}" for n in person.faces),
                tuple(f"voice_{n}" for n in person.voices),
                tuple(f"person_{n}" for n in person.aliases),
                span["first"] or 0,
                span["last"] or 0,
                f"crop/{best['id']}" if best else "",
                person.state,
                person.others,
                link_confidence(db, person),
                tuple(other.token for other in maybe_same(db, everyone, person)),
            )
        )
    return known


def everyone(store: Store) -> list[Known]:
    """Everyone in a store, as of one moment."""
    with store.snapshot() as db:
        return people(db)


def crop(db: sqlite3.Connection, uri: str) -> bytes:
    """The JPEG behind a crop_uri. Raises KeyError if it is gone."""
    row = db.execute("SELECT crop FROM entities WHERE id = ?", (int(uri.removeprefix("crop/")),)).fetchone()
    if row is None or row["crop"] is None:
        raise KeyError(uri)
    return bytes(row["crop"])
