"""One insert costs the same in a large memory: every query on the way is a few steps in an index."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from claiming import claim, memory_of, tell
from remembering import unit

ANNA = {"voice_1": 1.0}
ROOT = Path(__file__).parents[2]
KINDS: dict[str, Callable[[sqlite3.Connection], object]] = {
    "no frame": lambda db: tell(db, "<voice_1> is pouring tea.", unit(1.0), ANNA),
    "one of many": lambda db: claim(db, "<face_2>", "owns", "a boat", about=ANNA),
    "known again": lambda db: claim(db, "<face_2>", "likes", "tea", about=ANNA),
    "contradiction": lambda db: claim(db, "<face_2>", "hates", "tea", about=ANNA),
    "one at a time": lambda db: claim(db, "<voice_1>", "home", "Bonn", at=60, about=ANNA),
    "one at a time, known again": lambda db: claim(db, "<voice_1>", "home", "Rome", at=60, about=ANNA),
    "one of each": lambda db: claim(db, "<face_2>", "appointment", "dentist on Friday", at=60),
    "state": lambda db: claim(db, "the door", "is", "closed", at=60),
    "at the same moment": lambda db: claim(db, "<voice_1>", "home", "Bonn", at=40),
    "no longer": lambda db: claim(db, "<voice_1>", "no longer lives in", "Rome", at=60),
    "late": lambda db: claim(db, "<face_2>", "home", "Oslo", at=20, about=ANNA),
    "late, and no longer": lambda db: claim(db, "<voice_1>", "no longer lives in", "Rome", at=20),
    "late, of a state": lambda db: claim(db, "the door", "is", "closed", at=20),
    "late, of an appointment": lambda db: claim(db, "<voice_1>", "appointment", "dentist on Friday", at=20),
}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """All that comes later has something to strengthen, to end, to part and to contradict."""
    with memory_of(tmp_path, ("voice", "face"), ("voice",)) as db:
        for at in (10, 40):
            claim(db, "<voice_1>", "home", "Rome", at=at, about=ANNA)
            claim(db, "<voice_1>", "appointment", "dentist on Tuesday", at=at)
            claim(db, "the door", "is", "open", at=at)
        claim(db, "<voice_1>", "likes", "tea", about=ANNA)
        tell(db, "<voice_1> pours tea.", unit(1.0), ANNA)
        yield db


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_is_in_an_index(db: sqlite3.Connection, kind: str) -> None:
    said: list[str] = []
    db.set_trace_callback(said.append)
    KINDS[kind](db)
    db.set_trace_callback(None)
    steps = {(sql, step) for sql in said for step in plan(db, sql)}
    assert sum("memories" in step for _, step in steps) > 1, "nothing was looked at"
    slow = {step for step in steps if "SCAN" in step[1] or "TEMP B-TREE" in step[1]}
    assert not slow, "read through, or sorted"
    searches = [step for _, step in steps if "memories_chain" in step or "memories_claim" in step]
    assert all("polarity=?" in step for step in searches), "not through all that was ever claimed of a value"
    in_time = [step for step in searches if step.startswith("SEARCH memories USING COVERING INDEX")]
    assert all("valid_from_ns" in step for step in in_time)
    assert in_time or kind in ("no frame", "one of many", "known again", "contradiction")


def plan(db: sqlite3.Connection, sql: str) -> list[str]:
    """The steps of a statement as it was run; what belongs to the keyword index is its own business."""
    if not sql.startswith(("SELECT", "INSERT INTO", "INSERT OR", "UPDATE", "DELETE")) or "fts" in sql:
        return []
    return [row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]


@pytest.mark.parametrize("at", [1_000_000, 30.5], ids=["new", "late"])
def test_a_long_chain_costs_what_a_short_one_does(db: sqlite3.Connection, at: float) -> None:
    """Counted in steps of SQLite's machine, which a busy computer leaves as they are: a door in use for years."""
    cost = list[int]()
    for until in (50, 3_000):
        for moment in range(20, until):
            claim(db, "the door", "is", ("open", "closed")[moment % 2], at=moment)
        cost.append(steps_of(db, lambda: claim(db, "the door", "is", "closed", at=at)))
    assert cost[1] == pytest.approx(cost[0], rel=0.2)


def steps_of(db: sqlite3.Connection, insert: Callable[[], object]) -> int:
    """How much SQLite does for an insert, which is taken back."""
    done = 0

    def count() -> int:
        nonlocal done
        done += 1
        return 0

    db.execute("SAVEPOINT one")
    db.set_progress_handler(count, 10)
    insert()
    db.set_progress_handler(None, 0)
    db.execute("ROLLBACK TO one")
    return done


def test_the_cost_can_be_measured() -> None:
    few = ["--memories", "30", "60", "--samples", "3", "--faces", "50", "--dimensions", "64"]
    command = [sys.executable, "tools/measure_memory.py", *few]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=120).stdout
    assert "ms per insert" in told and "40/40" in told and "role-swap" in told
