"""`robot-memory bench memory --only compression` measures steps that really compress. How fast is no matter here."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from robot_memory.evaluation.bench import compression
from robot_memory.evaluation.bench.figure import Figure
from robot_memory.evaluation.bench.plan import Plan
from robot_memory.memory.compression.nodes import read_nodes
from robot_memory.memory.compression.parity.pruning import ew_pruning
from robot_memory.memory.storage.store import Store

SIZE, ROUNDS = 400, 3
CAME = (1 + ROUNDS * compression.CLIPS) * compression.BROUGHT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def figures(folder: Path) -> list[Figure]:
    return list(compression.measure(Plan((SIZE,), (8, 16), ROUNDS, folder)))


def test_all_is_measured_in_the_largest_dimension(figures: list[Figure]) -> None:
    assert [one.name for one in figures] == [
        "70% at once",
        "a step after a clip of 12, median",
        "a step after a clip of 12, 95 of 100",
        "memory above",
    ]
    assert {one.dimension for one in figures} == {16}
    assert all(one.measured > 0 and one.ratio for one in figures[:3])
    assert not any(one.target for one in figures)  # they are for 100,000


def test_each_step_weighs_and_the_budget_holds(figures: list[Figure]) -> None:
    assert figures[1].more["weighed"] > compression.BROUGHT
    assert figures[1].more["over_budget"] == 0


def test_what_came_took_the_place_of_what_went(figures: list[Figure], folder: Path) -> None:
    with Store(folder / f"compressed-{SIZE}.sqlite") as store:
        rows = store.reader().execute("SELECT archived, count(*) FROM memories GROUP BY archived").fetchall()
    assert dict(map(tuple, rows)) == {0: SIZE, 1: CAME}


def test_the_direct_formulation_is_the_papers(figures: list[Figure], folder: Path) -> None:
    """It is raced against; so it had better be the same as the parity mode, which the golden cases prove."""
    db = sqlite3.connect(folder / f"compressed-{SIZE}.sqlite")
    db.row_factory = sqlite3.Row
    nodes = read_nodes(db)
    db.close()
    kept = ew_pruning(nodes.vectors, nodes.weights.astype(np.float64), 0.3)
    assert np.array_equal(compression.direct(nodes, int(kept.sum())), kept)


def test_a_new_peak_of_memory_is_seen() -> None:
    before = compression.peak_bytes(afresh=True)
    held = np.ones(5_000_000)
    del held
    assert 35e6 < compression.peak_bytes() - before < 60e6
