"""What benches search: made-up talk in a real store, and a clock that takes turns."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from robot_memory.evaluation.bench.filling import fill
from robot_memory.evaluation.bench.opened import product
from robot_memory.evaluation.bench.racing import race
from robot_memory.evaluation.bench.sentences import spoken
from robot_memory.evaluation.bench.stages import Clock, TimedConnection
from robot_memory.memory.storage.checking import check_pages, check_search
from robot_memory.memory.storage.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    path: Path = tmp_path_factory.mktemp("made-up") / "memory.sqlite"
    embedder = product().embedder
    fill(path, spoken(600, embedder), embedder.name)
    assert check_pages(path, None).whole
    return Store(path)


def test_it_is_a_whole_store(store: Store) -> None:
    with store.write() as db:
        assert check_search(db, None).whole
        assert not db.execute("PRAGMA foreign_key_check").fetchall()
    assert store.damage is None


def test_lines_are_varied_and_searchable(store: Store) -> None:
    db = store.reader()
    texts = [row["text"] for row in db.execute("SELECT text FROM memories WHERE source = 'heard'")]
    assert len(texts) > 200 and len(set(texts)) > 0.95 * len(texts)
    rare = next(text for text in texts if "It is called" in text).rstrip(".”").split()[-1]
    found = db.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?", (rare,)).fetchall()
    assert 1 <= len(found) < 5


def test_who_speaks_a_line_is_who_its_turn_is_of(store: Store) -> None:
    rows = store.reader().execute(
        "SELECT memories.text, turns.entity FROM memories JOIN turns ON turns.id = memories.turn"
    )
    assert all(row["text"].startswith(f"<voice_{row['entity']}> said: “") for row in rows.fetchall())


def test_one_seed_one_memory() -> None:
    embedder = product().embedder
    one, other = spoken(200, embedder), spoken(200, embedder)
    assert one.texts == other.texts and np.array_equal(one.vectors, other.vectors)
    assert spoken(200, embedder, seed=1).texts != one.texts


def test_contestants_take_turns() -> None:
    order = list[str]()
    done = race({name: lambda n, name=name: order.append(f"{name}{n}") for name in "ab"}, rounds=3)  # type: ignore[misc]
    assert [order[at : at + 2] for at in range(0, 8, 2)] == [["a2", "b2"], ["b0", "a0"], ["a1", "b1"], ["b2", "a2"]]
    assert {name: len(seconds) for name, seconds in done.seconds.items()} == {"a": 3, "b": 3}


def test_a_slow_contest_ends_after_three_rounds() -> None:
    done = race({"slow": lambda n: time.sleep(0.01)}, rounds=1000, most_s=0.0)
    assert len(done.wall["slow"]) == 3
    assert done.wall_ms("slow") >= 10 > done.ms("slow")  # who sleeps takes no processor time


def test_a_statement_is_noted_under_the_module_that_asked(store: Store) -> None:
    clock = Clock()
    with clock.question():
        rows = TimedConnection(store.reader(), clock).execute("SELECT 1 AS one")
    assert [row["one"] for row in rows] == [1] == [rows.fetchone()["one"]]
    assert set(clock.stages) == {"test_bench_made_up (SQL)", "rest (Python)"}
    (slowest,) = clock.slowest(store.reader(), "kind", 5)
    assert slowest["sql"] == "SELECT 1 AS one" and slowest["ms"] > 0
