"""A file whose claims were compared by older rules is brought up to the present ones, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from claiming import claim, intervals, memory_of, relations

from robot_memory.memory.insertion.claim import NORMALISER
from robot_memory.memory.insertion.renormalise import renormalise


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with memory_of(tmp_path, ("voice", "face")) as db:
        yield db


def forget_rules(db: sqlite3.Connection, version: int = 0) -> None:
    db.execute("UPDATE memories SET norm = NULL, matter = NULL, valid_from_ns = NULL, valid_until_ns = NULL")
    db.execute("UPDATE meta SET normaliser = ?", (version,))
    db.execute("DELETE FROM relations")


def test_an_older_file_is_recomputed_once(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=10)
    claim(db, "<voice_1>", "home", "Oslo", at=20)
    claim(db, "<voice_1>", "does not like", "Mushroom soup", at=30)
    before = intervals(db)
    forget_rules(db)
    assert renormalise(db) == 3
    assert intervals(db) == before and relations(db, "supersedes") == [(2, 1)]
    assert renormalise(db) == 0
    assert db.execute("SELECT normaliser FROM meta").fetchone()[0] == NORMALISER


def test_attributes_and_denials_as_an_older_version_kept_them(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=10)
    db.execute("UPDATE memories SET attribute = 'lives in', value = 'not in Rome'")
    forget_rules(db)
    assert renormalise(db) == 1
    row = db.execute("SELECT attribute, value, polarity, norm FROM memories").fetchone()
    assert tuple(row) == ("home", "in Rome", -1, "rome")
    assert not claim(db, "<face_2>", "no longer lives in", "Rome", at=20).new


def test_matters_are_filled_in(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=10)
    claim(db, "<voice_1>", "appointment", "dentist on Friday", at=10)
    claim(db, "the door", "is", "open", at=10)
    claim(db, "<voice_1>", "likes", "tea", at=10)
    forget_rules(db)
    renormalise(db)
    assert [row[0] for row in db.execute("SELECT matter FROM memories ORDER BY id")] == ["", "dentist|", "open|", None]
    claim(db, "<voice_1>", "appointment", "dentist on Tuesday", at=20)
    claim(db, "the door", "is", "closed", at=20)
    assert relations(db, "supersedes") == [(5, 2), (6, 3)]


def test_what_voice_and_face_of_one_person_said_is_put_in_one_order(db: sqlite3.Connection) -> None:
    """At one moment in the same order as while it is told."""
    for subject, home, at in (("<voice_1>", "Rome", 20), ("<face_2>", "Oslo", 10), ("<face_2>", "Bonn", 20)):
        claim(db, subject, "home", home, at=at)
    before = intervals(db)
    assert [home for home, *_ in before] == ["oslo", "bonn", "rome"] and before[2][3] is None
    forget_rules(db)
    renormalise(db)
    assert intervals(db) == before


def test_nothing_changes_where_nothing_differs(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "a mushroom", at=0)
    claim(db, "the keys", "place", "in the drawer", at=0)
    db.execute("UPDATE meta SET normaliser = 0")
    assert renormalise(db) == 0
