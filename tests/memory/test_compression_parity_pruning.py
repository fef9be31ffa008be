"""EWpruning by hand: the formula, its min-max scaling, ties, one memory alone; row sums without the N x N matrix."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from robot_memory.memory.compression.parity import whole
from robot_memory.memory.compression.parity.arrays import scaled, unit
from robot_memory.memory.compression.parity.pruning import ew_pruning, scores, typicality
from robot_memory.memory.compression.parity.split import edge_weights, split

EAST, NORTH, WEST = [1, 0], [0, 1], [-1, 0]


def rows(*vectors: list[float]) -> NDArray[np.float32]:
    return np.array(vectors, np.float32)


def floats(*values: float) -> NDArray[np.float64]:
    return np.array(values, np.float64)


def test_scaled_from_least_to_greatest() -> None:
    assert scaled(floats(2, 4, 3)).tolist() == [0, 1, 0.5]


def test_all_equal_is_one() -> None:
    assert scaled(floats(3, 3)).tolist() == [1, 1]
    assert scaled(floats(0)).tolist() == [1]
    assert scaled(floats()).tolist() == []


def test_rounding_is_no_difference() -> None:
    assert scaled(floats(0.1 + 0.2, 0.3)).tolist() == [1, 1]


def test_typicality_is_the_sum_of_cosines_itself_included() -> None:
    """East and east: 1 + 1 + 0; north: 0 + 0 + 1. Length says nothing."""
    assert typicality(rows([5, 0], EAST, [0, 0.2])) == pytest.approx([2, 2, 1])


def test_typicality_is_the_row_sum_of_the_matrix() -> None:
    vectors = np.random.default_rng(0).standard_normal((300, 32)).astype(np.float32) + 0.3
    cosines = unit(vectors).astype(np.float64) @ unit(vectors).astype(np.float64).T
    assert np.allclose(typicality(vectors), cosines.sum(axis=1), rtol=0, atol=1e-4)


def test_the_formula() -> None:
    """Sums of cosines are 2, 2, 1, scaled 1, 1, 0, turned round 0, 0, 1; weights 1, 3, 2 are 0, 1, 0.5."""
    assert scores(rows(EAST, EAST, NORTH), floats(1, 3, 2)) == pytest.approx([0, 0.1, 0.95])


def test_how_much_the_edges_count_is_free() -> None:
    assert scores(rows(EAST, EAST, NORTH), floats(1, 3, 2), edges=1.0) == pytest.approx([0, 1, 0.5])
    assert scores(rows(EAST, EAST, NORTH), floats(1, 3, 2), edges=0.0) == pytest.approx([0, 0, 1])


def test_all_alike_the_edges_decide() -> None:
    """Equal sums scale to 1, turned round 0: only b times the weight is left."""
    assert scores(rows(EAST, EAST, EAST), floats(1, 2, 3)) == pytest.approx([0, 0.05, 0.1])


def test_equal_edges_count_in_full_for_all() -> None:
    assert scores(rows(EAST, EAST, NORTH), floats(4, 4, 4)) == pytest.approx([0.1, 0.1, 1])


def test_rarity_beats_any_weight_of_edges() -> None:
    """What the paper's b = 0.1 means: a lone odd sentence outlives the best supported typical one."""
    vectors = rows(EAST, EAST, EAST, WEST)
    assert ew_pruning(vectors, floats(50, 1, 1, 1), 0.25).tolist() == [False, False, False, True]


def test_of_equals_the_older_stay() -> None:
    assert ew_pruning(rows(EAST, EAST, EAST, EAST), floats(1, 1, 1, 1), 0.5).tolist() == [True, True, False, False]


def test_one_alone_stays_and_none_is_none() -> None:
    assert ew_pruning(rows(EAST), floats(1), 0.1).tolist() == [True]
    assert ew_pruning(np.zeros((0, 2), np.float32), floats(), 0.1).tolist() == []


def test_the_share_is_rounded_up() -> None:
    vectors = unit(np.random.default_rng(0).standard_normal((11, 4)).astype(np.float32))
    assert ew_pruning(vectors, np.ones(11), 0.3).sum() == 4


def test_weights_are_summed_over_a_memorys_edges() -> None:
    assert edge_weights(4, np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0])).tolist() == [1, 0, 5, 0]


def test_split_by_edges() -> None:
    isolated, connected = split(5, np.array([3, 1, 3]))
    assert (isolated.tolist(), connected.tolist()) == ([0, 2, 4], [1, 3])


def test_each_kind_keeps_its_own_share() -> None:
    """Four isolated memories of one clip and four connected ones: half of each."""
    vectors = unit(np.random.default_rng(5).standard_normal((8, 4)).astype(np.float32))
    kept = whole.keep(np.zeros(8, np.int64), vectors, np.array([1, 3, 5, 7]), np.ones(4), 0.5)
    assert (kept[::2].sum(), kept[1::2].sum()) == (2, 2)


def test_a_graph_without_edges_and_one_without_isolated_memories() -> None:
    vectors = unit(np.random.default_rng(5).standard_normal((4, 4)).astype(np.float32))
    clips = np.zeros(4, np.int64)
    assert whole.keep(clips, vectors, np.zeros(0, np.int64), np.zeros(0), 0.5).sum() == 2
    assert whole.keep(clips, vectors, np.arange(4), np.ones(4), 0.5).sum() == 2


def test_no_matrix_of_all_pairs() -> None:
    """20,000 memories would make 1.6 GB of cosines."""
    vectors = np.random.default_rng(0).standard_normal((20_000, 16)).astype(np.float32)
    tracemalloc.start()
    try:
        ew_pruning(vectors, np.ones(len(vectors)), 0.5)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20e6
