"""Every observation of a claim is kept: when, in which clip, from which turn, in which words; and what speaks against
it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from claiming import claim, memory_of, relations, weights
from remembering import SECOND, add_clip, random_unit

from robot_memory.memory.insertion.insert import take_in
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.vectors.packing import unpack


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with memory_of(tmp_path, ("voice", "face"), ("face",)) as db:
        yield db


def supports(db: sqlite3.Connection, memory: int) -> list[tuple[object, ...]]:
    rows = db.execute("SELECT * FROM supports WHERE memory = ? ORDER BY id", (memory,))
    return [(row["clip"], row["turn"], row["start_ns"] // SECOND, row["source"], row["text"]) for row in rows]


def test_observed_once_it_is_its_own_support(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "tea")
    assert supports(db, 1) == []


def test_observed_again_all_observations_are_kept(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "likes", "tea", at=5, text="<voice_1> likes tea.")
    later = add_clip(db, 7)
    db.execute("INSERT INTO turns(clip, start_ns, end_ns, text, confidence) VALUES (?, 0, 1, 'x', 0.5)", (later,))
    frame = Frame("<voice_1>", "likes", "tea")
    for text in ("<voice_1> likes tea.", "<voice_1> is fond of tea."):
        said = Sentence("semantic", text, 9 * SECOND, 10 * SECOND, "inferred", frame=frame, turn=1)
        assert not take_in(db, later, said, random_unit(2)[0], "text 1").new
    assert supports(db, 1) == [
        (1, None, 5, "heard", None),
        (later, 1, 9, "inferred", None),
        (later, 1, 9, "inferred", "<voice_1> is fond of tea."),
    ]
    row = db.execute("SELECT * FROM memories").fetchone()
    assert (row["count"], row["text"], row["clip"]) == (3, "<voice_1> likes tea.", 1)
    assert (row["start_ns"], row["end_ns"], row["valid_from_ns"]) == (5 * SECOND, 10 * SECOND, 5 * SECOND)


def test_a_parted_interval_keeps_its_words_vector_and_weights(db: sqlite3.Connection) -> None:
    for at in (10, 30, 40):
        claim(db, "<voice_1>", "home", "Rome", at=at, about={"voice_1": 1.0}, text="<voice_1> lives in Rome.")
    done = claim(db, "<voice_1>", "home", "Oslo", at=20)
    first, second = (db.execute("SELECT * FROM memories WHERE id = ?", (n,)).fetchone() for n in (1, 2))
    assert (first["count"], second["count"]) == (1, 2) and first["text"] == second["text"]
    assert first["embedding"] == second["embedding"]
    assert np.array_equal(done.added[0][1], unpack(first["embedding"]))
    assert weights(db, 1) == pytest.approx({1: 1.0}) and weights(db, 2) == pytest.approx({1: 2.0})
    assert [row[2] for row in supports(db, 1)] == [10] and [row[2] for row in supports(db, 2)] == [30, 40]
    found = db.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH 'rome'").fetchall()
    assert [row[0] for row in found] == [1, 2]


def test_the_opposite_is_kept_beside_it_and_weakens_it(db: sqlite3.Connection) -> None:
    about = {"voice_1": 1.0, "face_3": 0.5}
    claim(db, "<voice_1>", "likes", "tea", at=1, about=about)
    claim(db, "<voice_1>", "likes", "tea", at=2, about=about)
    claim(db, "<voice_1>", "hates", "tea", at=3, about={"voice_1": 1.0})
    assert relations(db, "contradicts") == [(2, 1)]
    assert weights(db, 1) == {1: 1.0, 3: 0.0} and weights(db, 2) == {1: 1.0}
    until = db.execute("SELECT valid_until_ns FROM memories").fetchall()
    assert [row[0] for row in until] == [None, None]


def test_an_edge_is_never_removed_nor_below_nothing(db: sqlite3.Connection) -> None:
    """M3-Agent deletes it, and the memory is about nobody from then on."""
    claim(db, "<voice_1>", "likes", "tea", about={"voice_1": 1.0})
    for _ in range(5):
        claim(db, "<voice_1>", "likes", "tea", -1)
    assert weights(db, 1) == {1: 0.0}
    claim(db, "<voice_1>", "likes", "tea", about={"voice_1": 1.0})
    assert weights(db, 1) == {1: 1.0} and relations(db, "contradicts") == [(2, 1)]


def test_an_archived_interval_ends_where_it_is_and_comes_back_when_it_is_observed_again(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=10)
    db.execute("UPDATE memories SET archived = 1")
    assert claim(db, "<voice_1>", "home", "Oslo", at=20).new
    rows = "SELECT value, valid_until_ns, count, archived FROM memories ORDER BY valid_from_ns"
    assert [tuple(row) for row in db.execute(rows)] == [("Rome", 20 * SECOND, 1, 1), ("Oslo", None, 1, 0)]
    back = claim(db, "<voice_1>", "home", "Rome", at=15)
    assert back.new and [memory for memory, _ in back.added] == [back.memory]
    assert [tuple(row) for row in db.execute(rows)] == [("Rome", 20 * SECOND, 2, 0), ("Oslo", None, 1, 0)]
    assert relations(db, "supersedes") == [(2, back.memory)]


def test_what_was_ended_is_not_strengthened_later(db: sqlite3.Connection) -> None:
    """Also of what there may be many of: somebody may have said that it is over."""
    claim(db, "<voice_1>", "owns", "a boat", at=10)
    db.execute("UPDATE memories SET valid_until_ns = ?", (20 * SECOND,))
    assert not claim(db, "<voice_1>", "owns", "a boat", at=15).new
    assert claim(db, "<voice_1>", "owns", "a boat", at=30).new
