"""Whose claims they are can change: two persons become one, or one two. Each has one home at a time again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from claiming import claim, intervals, memory_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robot_memory.memory.insertion.order import reorder

VOICE, OTHER = "<voice_1>", "<voice_2>"


def make_one(db: sqlite3.Connection) -> None:
    db.execute("UPDATE entities SET person = 1")
    reorder(db, [1, 2])


def make_two(db: sqlite3.Connection) -> None:
    db.execute("UPDATE entities SET person = id")
    reorder(db, [1, 2])


def test_two_who_become_one_have_one_home(tmp_path: Path) -> None:
    with memory_of(tmp_path, ("voice",), ("voice",)) as db:
        claim(db, VOICE, "home", "Paris", at=0)
        claim(db, OTHER, "home", "Rome", at=5)
        assert [end for _, _, _, end, _ in intervals(db)] == [None, None]
        make_one(db)
        assert [(start, end) for _, _, start, end, _ in intervals(db)] == [(0, 5), (5, None)]
        claim(db, VOICE, "home", "Oslo", at=10)
        assert [(start, end) for _, _, start, end, _ in intervals(db)] == [(0, 5), (5, 10), (10, None)]


def test_and_two_again_when_they_are_parted(tmp_path: Path) -> None:
    with memory_of(tmp_path, ("voice",), ("voice",)) as db:
        claim(db, VOICE, "home", "Paris", at=0)
        claim(db, OTHER, "home", "Rome", at=5)
        before = intervals(db), db.execute("SELECT count(*) FROM relations").fetchone()[0]
        make_one(db)
        make_two(db)
        assert (intervals(db), db.execute("SELECT count(*) FROM relations").fetchone()[0]) == before


SAID = st.lists(
    st.tuples(st.sampled_from([VOICE, OTHER]), st.sampled_from("abc"), st.sampled_from([1, 1, -1]), st.integers(0, 9)),
    max_size=12,
)


@given(said=SAID)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_chain_that_stands_is_left_as_it_is(tmp_path: Path, said: list[tuple[str, str, int, int]]) -> None:
    """Putting the whole of it in order says what placing one after the other has said."""
    for old in tmp_path.glob("memory*"):
        old.unlink()
    with memory_of(tmp_path, ("voice", "voice")) as db:
        for subject, value, polarity, at in said:
            claim(db, subject, "home", value, polarity, at=at)
        before = intervals(db)
        reorder(db, [1, 2])
        assert intervals(db) == before
