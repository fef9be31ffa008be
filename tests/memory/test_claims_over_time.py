"""One home at a time: another one ends the one before, by when it happened and not by when it was heard of."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from claiming import claim, intervals, memory_of, relations
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import SECOND


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with memory_of(tmp_path, ("voice", "face")) as db:
        yield db


def lives(db: sqlite3.Connection, *homes: tuple[str, float]) -> None:
    for home, at in homes:
        claim(db, "<voice_1>", "home", home.lstrip("-"), -1 if home[0] == "-" else 1, at=at)


def test_another_home_ends_the_one_before(db: sqlite3.Connection) -> None:
    lives(db, ("Rome", 10), ("Oslo", 20))
    assert intervals(db) == [("rome", 1, 10, 20, 1), ("oslo", 1, 20, None, 1)]
    assert relations(db, "supersedes") == [(2, 1)]


def test_what_was_so_before_is_so_again_in_an_interval_of_its_own(db: sqlite3.Connection) -> None:
    lives(db, ("Rome", 10), ("Oslo", 20), ("Rome", 30), ("Rome", 40))
    assert intervals(db) == [
        ("rome", 1, 10, 20, 1),
        ("oslo", 1, 20, 30, 1),
        ("rome", 1, 30, None, 2),
    ]
    assert relations(db, "supersedes") == [(2, 1), (3, 2)]


def test_news_of_the_past_takes_its_place_in_the_past(db: sqlite3.Connection) -> None:
    """A bag of last year, replayed today."""
    lives(db, ("Rome", 10), ("Oslo", 30), ("Bonn", 20))
    assert intervals(db) == [("rome", 1, 10, 20, 1), ("bonn", 1, 20, 30, 1), ("oslo", 1, 30, None, 1)]
    assert relations(db, "supersedes") == [(2, 3), (3, 1)]


def test_an_observation_inside_an_old_interval_strengthens_it(db: sqlite3.Connection) -> None:
    lives(db, ("Rome", 10), ("Oslo", 30), ("Rome", 20))
    assert intervals(db) == [("rome", 1, 10, 30, 2), ("oslo", 1, 30, None, 1)]


def test_what_was_observed_before_and_after_is_parted(db: sqlite3.Connection) -> None:
    lives(db, ("Rome", 10), ("Rome", 30))
    done = claim(db, "<voice_1>", "home", "Oslo", at=20)
    assert intervals(db) == [("rome", 1, 10, 20, 1), ("oslo", 1, 20, 30, 1), ("rome", 1, 30, None, 1)]
    assert relations(db, "supersedes") == [(2, 3), (3, 1)]
    assert (done.memory, done.new, [memory for memory, _ in done.added]) == (3, True, [2, 3])
    spans = db.execute("SELECT start_ns, end_ns FROM memories ORDER BY valid_from_ns").fetchall()
    assert [tuple(row) for row in spans] == [(n * SECOND, (n + 1) * SECOND) for n in (10, 20, 30)]


def test_no_longer_there(db: sqlite3.Connection) -> None:
    lives(db, ("Rome", 10), ("-Rome", 20))
    assert intervals(db) == [("rome", 1, 10, 20, 1), ("rome", -1, 20, None, 1)]
    lives(db, ("Oslo", 30), ("-Bonn", 40))
    assert intervals(db)[1:] == [("rome", -1, 20, None, 1), ("oslo", 1, 30, None, 1), ("bonn", -1, 40, None, 1)]
    lives(db, ("Rome", 50))
    assert intervals(db)[1] == ("rome", -1, 20, 50, 1)


def test_another_appointment_stays(db: sqlite3.Connection) -> None:
    """One at a time of each matter: the dentist's is moved, the hairdresser's is not."""
    for at, value in enumerate(("dentist on Tuesday at 3 pm", "haircut on Friday", "dentist on Thursday at 3 pm")):
        claim(db, "<voice_1>", "appointment", value, at=at)
    assert [(norm, until) for norm, _, _, until, _ in intervals(db)] == [
        ("dentist|@15:00 @tuesday", 2),
        ("haircut|@friday", None),
        ("dentist|@15:00 @thursday", None),
    ]


def test_a_door_is_open_or_closed_and_may_be_red(db: sqlite3.Connection) -> None:
    for at, value in enumerate(("open", "red", "closed")):
        claim(db, "the door", "is", value, at=at)
    assert [(norm, until) for norm, _, _, until, _ in intervals(db)] == [
        ("open|open", 2),
        ("red", None),
        ("open|closed", None),
    ]


def test_other_people_and_other_attributes_are_left_alone(db: sqlite3.Connection) -> None:
    claim(db, "<voice_1>", "home", "Rome", at=1)
    claim(db, "<voice_11>", "home", "Oslo", at=2)
    claim(db, "<voice_1>", "job", "Oslo", at=3)
    claim(db, "<voice_1>", "likes", "Oslo", at=4)
    assert [until for _, _, _, until, _ in intervals(db)] == [None] * 4


@pytest.mark.parametrize("homes", list(permutations(("Rome", "Oslo", "-Rome", "Bonn"))), ids=" ".join)
def test_at_the_same_moment(db: sqlite3.Connection, homes: tuple[str, ...]) -> None:
    """Nothing is lost, and which of them holds does not depend on which was heard of first."""
    lives(db, *((home, 10) for home in homes), ("Oslo", 5), ("Rome", 15))
    assert intervals(db) == [
        ("oslo", 1, 5, 10, 1),
        ("bonn", 1, 10, 10, 1),
        ("oslo", 1, 10, 10, 1),
        ("rome", -1, 10, 15, 1),
        ("rome", 1, 10, 10, 1),
        ("rome", 1, 15, None, 1),
    ]


def test_tomorrow_is_another_day_tomorrow(db: sqlite3.Connection) -> None:
    day = 86_400
    for at in (0, 60, day, 2 * day):
        claim(db, "<voice_1>", "plan", "go swimming tomorrow", at=at)
    assert [(norm, count) for norm, _, _, _, count in intervals(db)] == [
        ("go swimming|@1970-01-02", 2),
        ("go swimming|@1970-01-03", 1),
        ("go swimming|@1970-01-04", 1),
    ]


AS_ONE = {"with <face_2>": "with <voice_1>"}  # one person; <person_9>, who is nobody, stands between the two
HOMES = ["rome", "oslo", "with <voice_1>", "with <face_2>", "with <person_9>"]
Told = tuple[str, int, int, float]  # value, polarity, when, weight
said = st.lists(
    st.tuples(
        st.sampled_from(HOMES), st.sampled_from([1, 1, -1]), st.integers(0, 12), st.sampled_from([1.0, 0.5, 0.25])
    ),
    max_size=14,
)


@given(said=said, throw=st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_arrival_does_not_matter(db: sqlite3.Connection, said: list[Told], throw: random.Random) -> None:
    arriving = list(said)
    throw.shuffle(arriving)
    db.execute("SAVEPOINT example")
    for value, polarity, at, weight in arriving:
        claim(db, "<voice_1>", "home", value, polarity, at=at, about={"voice_1": weight})
    found = sorted((AS_ONE.get(norm, norm), *rest) for norm, *rest in intervals(db))
    ended = {(row["memory"], row["other"]) for row in db.execute("SELECT * FROM relations")}
    ends = db.execute("SELECT id, valid_until_ns FROM memories WHERE valid_until_ns IS NOT NULL").fetchall()
    wrong = db.execute(
        "SELECT count(*) FROM relations JOIN memories AS later ON later.id = memory JOIN memories AS earlier "
        "ON earlier.id = other WHERE later.valid_from_ns != earlier.valid_until_ns"
    ).fetchone()[0]
    weights = db.execute("SELECT coalesce(sum(weight), 0) FROM edges").fetchone()[0]
    db.execute("ROLLBACK TO example")
    assert found == sorted(expected(said), key=lambda run: run[:3])
    assert sorted(other for _, other in ended) == sorted(row["id"] for row in ends) and not wrong
    assert weights == pytest.approx(sum(weight for *_, weight in said))


@given(said=said)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_of_observations_that_weigh_the_same_each_interval_has_its_own(
    db: sqlite3.Connection, said: list[Told]
) -> None:
    db.execute("SAVEPOINT example")
    for value, polarity, at, _ in said:
        claim(db, "<voice_1>", "home", value, polarity, at=at, about={"voice_1": 0.5})
    weights = [tuple(row) for row in db.execute("SELECT count, weight FROM memories JOIN edges ON memory = id")]
    db.execute("ROLLBACK TO example")
    assert all(weight == pytest.approx(count / 2) for count, weight in weights)


def expected(said: list[Told]) -> list[tuple[object, ...]]:
    """The intervals of all that was said: told plainly."""
    runs: list[list[Any]] = []
    for value, polarity, at, _ in sorted(said, key=place):
        value = AS_ONE.get(value, value)
        for run in runs:
            ends = run[:2] == [value, -polarity] or (polarity == run[1] == 1 and run[0] != value)
            if run[3] is None and ends:
                run[3] = at
        going_on = next((run for run in runs if run[:2] == [value, polarity] and run[3] is None), None)
        if going_on:
            going_on[4] += 1
        else:
            runs.append([value, polarity, at, None, 1])
    return [tuple(run) for run in runs]


def place(told: Told) -> tuple[int, bool, str]:
    """In time; at one moment claims before denials, each by value."""
    value, polarity, at, _ = told
    return at, polarity < 0, "with <face_2>" if value == "with <voice_1>" else value
