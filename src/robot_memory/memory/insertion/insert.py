"""How a sentence enters memory. Cosine never decides: a frame (who, what about them, which value) does.

The same frame again strengthens what is there; everything else is added. "Likes coffee" and "does not like coffee" are
0.88 alike as vectors and opposite as frames.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Mapping

from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.tokens import split
from robot_memory.memory.vectors import Vector, pack


def insert(db: sqlite3.Connection, clip: int, sentence: Sentence, vector: Vector, model: str) -> tuple[int, bool]:
    """Remember a sentence; returns its id and whether it is new (False: an equal frame was strengthened)."""
    if (known := _same_frame(db, sentence)) is not None:
        db.execute(
            "UPDATE memories SET count = count + 1, start_ns = min(start_ns, ?), end_ns = max(end_ns, ?) WHERE id = ?",
            (sentence.start_ns, sentence.end_ns, known),
        )
        _weigh(db, known, sentence.about)
        return known, False
    frame = sentence.frame
    claim = (frame.subject, frame.attribute, frame.value, frame.polarity) if frame else (None, None, None, None)
    row = db.execute(
        "INSERT INTO memories"
        "(clip, kind, text, start_ns, end_ns, source, turn, subject, attribute, value, polarity, pose, model,"
        " embedding) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            clip,
            sentence.kind,
            sentence.text,
            sentence.start_ns,
            sentence.end_ns,
            sentence.source,
            sentence.turn,
            *claim,
            sentence.pose,
            model,
            pack(vector),
        ),
    )
    assert row.lastrowid is not None
    _weigh(db, row.lastrowid, sentence.about)
    return row.lastrowid, True


def _same_frame(db: sqlite3.Connection, sentence: Sentence) -> int | None:
    """The memory with an equal frame, values compared after normalisation."""
    if sentence.frame is None:
        return None
    frame = sentence.frame
    rows = db.execute(
        "SELECT id, value FROM memories WHERE subject = ? AND attribute = ? AND polarity = ? AND archived = 0",
        (frame.subject, frame.attribute, frame.polarity),
    )
    return next((row["id"] for row in rows if _normal(row["value"]) == _normal(frame.value)), None)


def _normal(value: str) -> str:
    """The value however it was written: case, spaces, composed or decomposed letters."""
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def _weigh(db: sqlite3.Connection, memory: int, about: Mapping[str, float]) -> None:
    """Raises ValueError for a token that is no face or voice of this memory."""
    for token, weight in about.items():
        kind, entity = split(token)
        if db.execute("SELECT 1 FROM entities WHERE id = ? AND kind = ?", (entity, kind)).fetchone() is None:
            raise ValueError(f"a sentence cannot be about {token}: this memory has no such face or voice")
        db.execute(
            "INSERT INTO edges(memory, entity, weight) VALUES (?, ?, ?) "
            "ON CONFLICT(memory, entity) DO UPDATE SET weight = weight + excluded.weight",
            (memory, entity, weight),
        )
