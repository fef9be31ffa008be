"""One insert costs the same in a large memory: every query on the way goes through an index."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from claiming import claim, memory_of, tell
from remembering import unit

from robot_memory.memory.insertion import cost


def test_no_table_is_read_through(tmp_path: Path) -> None:
    with memory_of(tmp_path, ("voice", "face"), ("voice",)) as db:
        for at in (10, 40):
            claim(db, "<voice_1>", "home", "Rome", at=at)  # so that the later ones take every path
        said: list[str] = []
        db.set_trace_callback(said.append)
        claim(db, "<face_2>", "home", "Oslo", at=20, about={"face_2": 1.0})
        claim(db, "<voice_1>", "no longer lives in", "Oslo", at=30)
        claim(db, "<voice_1>", "likes", "tea", about={"voice_1": 1.0})
        claim(db, "<face_2>", "hates", "tea", about={"face_2": 1.0})
        claim(db, "<face_2>", "appointment", "dentist on Friday", at=20)
        tell(db, "<voice_1> pours tea.", unit(1.0), {"voice_1": 1.0})
        tell(db, "<voice_1> is pouring tea.", unit(1.0), {"voice_1": 1.0})
        db.set_trace_callback(None)
        steps = {(sql, step) for sql in said for step in plan(db, sql)}
    assert len(said) > 40
    read_through = {one for one in steps if "SCAN" in one[1] and "merged_into = " not in one[0]}
    assert not read_through, "aliases apart: persons are few"
    by_value = [step for sql, step in steps if "+polarity" in sql and "memories" in step]
    assert by_value and all("norm" in step for step in by_value), "not through all that a person likes"


def plan(db: sqlite3.Connection, sql: str) -> list[str]:
    """The steps of a statement as it was run; what belongs to the keyword index is its own business."""
    if not sql.startswith(("SELECT", "INSERT INTO", "INSERT OR", "UPDATE", "DELETE")) or "fts" in sql:
        return []
    return [row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]


def test_the_cost_can_be_measured(tmp_path: Path) -> None:
    (one, other) = cost.measure(tmp_path, sizes=(30, 60), samples=3)
    assert (one.rows, other.rows) == (30, 60)
    assert set(one.ms) == set(cost.KINDS) and all(ms > 0 for ms in one.ms.values())
