"""One memory with its pictures, or one picture by its uri, as results cite them."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from robot_memory.control import evidence
from robot_memory.control.answer import Evidence
from robot_memory.control.operator import NUMBER, quoted, token_of
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.people.corrections import find
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.filters import LARGEST
from robot_memory.memory.retrieval.query import Hit
from robot_memory.memory.storage.store import Store

URI = re.compile(rf"(snapshot|crop)/({NUMBER})")


class EvidenceUnknown(RobotMemoryError):
    """There is no such memory, or no such picture."""


@dataclass(frozen=True)
class Picture:
    """A JPEG and when it was taken; 0 where that is not kept. Empty `jpeg`: there is none."""

    jpeg: bytes = b""
    stamp_ns: int = 0


@dataclass(frozen=True)
class Shown:
    """`evidence` None: only a picture was asked for. `crop`: the best picture of whom the memory is about."""

    evidence: Evidence | None
    crop: Picture = Picture()
    snapshot: Picture = Picture()


def show(store: Store, memory: int, uri: str = "", asker: str = "") -> Shown:
    """A memory with its pictures; with `uri` that picture alone. Raises EvidenceUnknown; PersonUnknown or
    CorrectionInvalid for an asker who is nobody.
    """
    with store.snapshot() as db:
        if asker:
            find(db, token_of(asker, "person"))
        return _picture(db, uri) if uri else _memory(db, memory)


def _picture(db: sqlite3.Connection, uri: str) -> Shown:
    found = URI.fullmatch(uri)
    if found is None:
        raise EvidenceUnknown(f"{quoted(uri)} is no picture: write a snapshot_uri or crop_uri as it came, snapshot/7")
    picture = _snapshot(db, int(found[2])) if found[1] == "snapshot" else _crop(db, int(found[2]))
    if not picture.jpeg:
        raise EvidenceUnknown(f"there is no picture {uri}: it never was, or is no longer kept")
    return Shown(None, snapshot=picture) if found[1] == "snapshot" else Shown(None, crop=picture)


def _memory(db: sqlite3.Connection, memory: int) -> Shown:
    people = People(db)
    found = evidence.gather(db, people, [Hit(memory, 1.0)]) if 0 < memory <= LARGEST else []
    if not found:
        known = "give the memory_id of a result, or a picture's uri"
        raise EvidenceUnknown(f"there is no memory {memory}: {known}")
    return Shown(found[0], _best_crop(db, people, memory), _snapshot(db, found[0].snapshot))


def _best_crop(db: sqlite3.Connection, people: People, memory: int) -> Picture:
    """Of the faces that it is about; else of whoever's voice it is about."""
    about = [row[0] for row in db.execute("SELECT entity FROM edges WHERE memory = ? ORDER BY entity", (memory,))]
    theirs = [face for entity in about for face in people.of_entity(entity).faces]
    for faces in ([face for face in theirs if face in about], theirs):
        marks = ", ".join("?" * len(faces))
        best = db.execute(
            f"SELECT id FROM entities WHERE id IN ({marks}) AND crop IS NOT NULL "
            "ORDER BY crop_quality DESC, id LIMIT 1",
            faces,
        ).fetchone()
        if best:
            return _crop(db, best["id"])
    return Picture()


def _crop(db: sqlite3.Connection, face: int) -> Picture:
    row = db.execute("SELECT crop FROM entities WHERE id = ?", (face,)).fetchone()
    return Picture(bytes(row["crop"])) if row and row["crop"] is not None else Picture()


def _snapshot(db: sqlite3.Connection, snapshot: int) -> Picture:
    row = db.execute("SELECT jpeg, stamp_ns FROM snapshots WHERE id = ?", (snapshot,)).fetchone()
    return Picture(bytes(row["jpeg"]), row["stamp_ns"]) if row else Picture()
