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
    db.execute("UPDATE memories SET norm = NULL, valid_from_ns = NULL, valid_until_ns = NULL")
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


def test_nothing_changes_where_nothing_differs(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "a mushroom", at=0)
    claim(db, "the keys", "place", "in the drawer", at=0)
    db.execute("UPDATE meta SET normaliser = 0")
    assert renormalise(db) == 0
