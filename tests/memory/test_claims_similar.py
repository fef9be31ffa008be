"""A sentence without a frame is never merged, only linked to the nearest of the newest about the same person."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from claiming import memory_of, relations, tell
from remembering import unit

from robot_memory.memory.insertion.similar import NEAREST, NEWEST

ANNA, BERT = {"face_1": 1.0}, {"face_2": 1.0}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with memory_of(tmp_path, ("face",), ("face",)) as db:
        yield db


def test_alike_and_about_the_same(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> pours some tea.", unit(1.0), ANNA)
    done = tell(db, "<face_1> is pouring tea.", unit(1.0, 0.1), ANNA)
    assert done.new and relations(db, "similar") == [(2, 1)]


@pytest.mark.parametrize(
    ("text", "vector", "about"),
    [
        ("<face_1> reads a book.", unit(0.0, 1.0), ANNA),
        ("<face_2> pours some tea.", unit(1.0), BERT),
        ("<face_1> pours no tea.", unit(1.0), ANNA),
        ("Somebody pours some tea.", unit(1.0), {}),
    ],
)
def test_not_linked(db: sqlite3.Connection, text: str, vector: object, about: dict[str, float]) -> None:
    """Another vector; somebody else; a veto; about nobody."""
    tell(db, "<face_1> pours some tea.", unit(1.0), ANNA)
    tell(db, text, vector, about)  # type: ignore[arg-type]
    assert relations(db, "similar") == []


def test_few_are_linked_and_only_new_ones_looked_at(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> pours some tea.", unit(1.0), ANNA)
    for _ in range(NEWEST):
        tell(db, "<face_1> sleeps.", unit(0.0, 1.0), ANNA)
    memory = tell(db, "<face_1> pours some tea.", unit(1.0), ANNA).memory
    assert [other for one, other in relations(db, "similar") if one == memory] == []
    memory = tell(db, "<face_1> sleeps.", unit(0.0, 1.0), ANNA).memory
    assert len([other for one, other in relations(db, "similar") if one == memory]) == NEAREST


def test_another_model_s_vectors_are_not_compared(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> pours some tea.", unit(1.0), ANNA)
    db.execute("UPDATE memories SET model = 'older'")
    tell(db, "<face_1> pours some tea.", unit(1.0), ANNA)
    assert relations(db, "similar") == []
