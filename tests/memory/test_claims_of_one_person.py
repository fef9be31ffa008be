"""Whose claim it is goes by person, not by token: a voice and a face of one human make the same claim."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from claiming import claim, intervals, memory_of, relations

from robot_memory.memory.insertion import equals


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """voice_1 and face_2 are person_1; face_3 is person_2; voice_4 to voice_12 are others."""
    with memory_of(tmp_path, ("voice", "face"), ("face",), *[("voice",)] * 9) as db:
        yield db


def test_voice_and_face_of_one_person(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "tea", about={"voice_1": 1.0})
    done = claim(db, "<face_2>", "likes", "tea", about={"face_2": 1.0})
    assert (done.memory, done.new) == (1, False)
    edges = db.execute("SELECT entity, weight FROM edges WHERE memory = 1 ORDER BY entity").fetchall()
    assert [tuple(edge) for edge in edges] == [(1, 1.0), (2, 1.0)]


@pytest.mark.parametrize("subject", ["<face_3>", "<voice_12>", "<voice_11>", "<person_2>", "<face_1>"])
def test_somebody_else(db: sqlite3.Connection, subject: str) -> None:
    """<voice_1> is not the beginning of <voice_12>, and <face_1> is nobody: entity 1 is a voice."""
    claim(db, "<voice_1>", "likes", "tea")
    assert claim(db, subject, "likes", "tea").new


def test_the_person_s_own_token(db: sqlite3.Connection) -> None:
    claim(db, "<person_1>", "likes", "tea")
    assert not claim(db, "<voice_1>", "likes", "tea").new
    assert not claim(db, "person_1", "likes", "tea").new


def test_a_merge_makes_one_person_of_two(db: sqlite3.Connection) -> None:
    claim(db, "<person_2>", "home", "Rome", at=10)
    claim(db, "<face_3>", "likes", "tea", at=10)
    db.execute("UPDATE entities SET person = 1 WHERE id = 3")
    db.execute("UPDATE persons SET merged_into = 1 WHERE id = 2")
    assert not claim(db, "<voice_1>", "likes", "tea", at=20).new
    claim(db, "<voice_1>", "home", "Oslo", at=20)
    assert intervals(db, "home") == [("rome", 1, 10, 20, 1), ("oslo", 1, 20, None, 1)]
    assert not claim(db, "<person_2>", "home", "Oslo", at=30).new


def test_a_split_makes_two_again(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=10)
    db.execute("UPDATE entities SET person = 2 WHERE id = 2")
    claim(db, "<face_2>", "home", "Oslo", at=20)
    assert intervals(db) == [("rome", 1, 10, None, 1), ("oslo", 1, 20, None, 1)]


def test_people_in_values_and_things_of_people(db: sqlite3.Connection) -> None:
    claim(db, "<face_3>", "relation", "sister <voice_1>")
    assert not claim(db, "<face_3>", "relation", "sister <face_2>").new
    assert claim(db, "<face_3>", "relation", "sister <voice_12>").new
    claim(db, "<voice_1>'s car", "place", "in the garage", at=10)
    claim(db, "<face_2>'s car", "place", "outside", at=20)
    assert intervals(db, "place") == [("garage", 1, 10, 20, 1), ("outside", 1, 20, None, 1)]


def test_contradictions_go_by_person(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "tea")
    claim(db, "<face_2>", "hates", "tea")
    claim(db, "<face_3>", "hates", "tea")
    assert relations(db, "contradicts") == [(2, 1)]


def test_too_many_wordings_are_told_of_once(db: sqlite3.Connection, caplog: pytest.LogCaptureFixture) -> None:
    """Seventeen tokens of one person and of another make 289 ways to name both: the claim is kept as it stands."""
    db.executemany("INSERT INTO entities(kind, person, clip) VALUES ('face', ?, 1)", [(1,), (2,)] * 15)
    equals.tell_once_of_too_many.cache_clear()
    both = ("<voice_1> and <face_3>", "<face_2> and <face_3>")
    assert [claim(db, subject, "likes", "tea").new for subject in (*both, both[0])] == [True, True, False]
    assert len([record for record in caplog.records if record.name == "robot_memory.memory"]) == 1
    claim(db, "<voice_1>", "relation", "friend of <face_3>")
    assert not claim(db, "<face_2>", "relation", "friend of <face_3>").new, "one of them in each text is not too many"


def test_persons_merged_in_a_circle_end(db: sqlite3.Connection) -> None:
    db.execute("UPDATE persons SET merged_into = 2 WHERE id = 1")
    db.execute("UPDATE persons SET merged_into = 1 WHERE id = 2")
    assert claim(db, "<person_1>", "likes", "tea").new and not claim(db, "<person_2>", "likes", "tea").new
