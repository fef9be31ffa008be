"""The idea of each baseline, on graphs small enough to see what has to stay."""

from __future__ import annotations

import numpy as np
import pytest
from compressing import at, kinds, life, nodes

from robot_memory.evaluation.compressors import make
from robot_memory.evaluation.compressors.centres import Centres, nearest_to_centres, seeds
from robot_memory.evaluation.compressors.pivots import Pivots, likeness
from robot_memory.evaluation.compressors.replacing import BLOCK
from robot_memory.evaluation.compressors.streammeco import StreamMeCo, ratio_for
from robot_memory.memory.compression.parity import whole

SEEDS = range(5)


def test_random_takes_each_with_the_same_chance() -> None:
    graph = life(40)
    counts = np.sum([make("random").keep(graph, 10, seed) for seed in range(400)], axis=0)
    assert abs(counts - 100).max() < 5 * np.sqrt(400 * 0.25 * 0.75)  # five standard deviations


@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_keeps_one_of_each_kind(seed: int) -> None:
    """However unequal they are, which random pruning would miss."""
    sizes = [400, 200, 50, 10, 4]
    kept = make("k-means").keep(nodes(kinds(sizes, spread=0.001)), 5, seed)
    assert np.bincount(np.repeat(range(5), sizes)[kept]).tolist() == [1, 1, 1, 1, 1]


def test_k_means_keeps_the_middle_of_a_kind() -> None:
    kept = make("k-means").keep(nodes(at(0, 5, 10, 100, 106, 110)), 2, seed=0)
    assert np.flatnonzero(kept).tolist() == [1, 4]


def test_k_means_gives_each_run_its_share() -> None:
    kept = Centres(run=100).keep(life(400), 120, seed=0)
    assert [int(quarter.sum()) for quarter in np.split(kept, 4)] == [30, 30, 30, 30]


@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_seeds_prefer_what_is_far(seed: int) -> None:
    rows = kinds([1000, 2, 2, 2], spread=0.001)
    drawn = seeds(rows, 4, np.random.default_rng(seed))
    assert len(set((rows[drawn] @ rows[[0, 1000, 1002, 1004]].T).argmax(axis=1))) == 4


def test_k_means_fills_up_where_there_are_fewer_kinds() -> None:
    """Three different sentences, one of them ninety times, and ten are to stay: all kinds, and no row twice."""
    rows = at(*[0.0] * 90, 60, 120)
    chosen = nearest_to_centres(rows, 10, 10, np.random.default_rng(0))
    assert len(set(chosen.tolist())) == 10
    assert {90, 91} <= set(chosen.tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_dart_drops_duplicates_of_its_pivots(seed: int) -> None:
    """Two pivots of a hundred, and each has a twin: neither twin stays."""
    draw = np.random.default_rng(1)
    once = np.linalg.qr(draw.standard_normal((50, 50)))[0].astype(np.float32)
    kept = make("dart").keep(nodes(np.concatenate((once, once))), 90, seed)
    pivots = np.random.default_rng(seed).permutation(100)[:2]
    assert kept[pivots].all()
    assert not kept[(pivots + 50) % 100].any()


def test_dart_keeps_what_is_least_like_the_nearest_pivot() -> None:
    """All are pivots' duplicates but for one kind, which no pivot was drawn of."""
    rows = kinds([300, 3])
    seed = next(seed for seed in range(99) if (np.random.default_rng(seed).permutation(303)[:7] < 300).all())
    assert make("dart").keep(nodes(rows), 10, seed)[300:].all()


def test_dart_compares_in_blocks_as_at_once() -> None:
    rows = kinds([3000] * 3)
    assert np.allclose(likeness(rows, rows[:7]), (rows @ rows[:7].T).max(axis=1), atol=1e-6)


def test_dart_has_two_pivots_in_a_hundred() -> None:
    """With room for the pivots only, these are what stays."""
    kept = Pivots().keep(nodes(kinds([100])), 2, seed=3)
    assert set(np.flatnonzero(kept)) == set(np.random.default_rng(3).permutation(100)[:2])


def test_timechat_keeps_the_later_of_two_alike() -> None:
    kept = make("timechat").keep(nodes(at(0, 90, 91, 180)), 3, seed=0)
    assert kept.tolist() == [True, False, True, True]


def test_timechat_compares_neighbours_only() -> None:
    """The first and the last are the same, but not neighbours: the oldest goes because nothing else is repeated."""
    kept = make("timechat").keep(nodes(at(0, 90, 180, 0)), 3, seed=0)
    assert kept.tolist() == [False, True, True, True]


def test_timechat_lets_the_oldest_go_when_repeats_are_not_enough() -> None:
    kept = make("timechat").keep(nodes(at(0, 90, 180, 181, 270)), 3, seed=0)
    assert kept.tolist() == [False, True, False, True, True]


def test_timechat_takes_alike_from_seven_tenths_on() -> None:
    """45 degrees are 0.707, 46 are 0.695."""
    assert not make("timechat").keep(nodes(at(200, 0, 45)), 2, seed=0)[1]
    assert make("timechat").keep(nodes(at(200, 0, 46)), 2, seed=0)[1]


def test_timechat_stops_when_enough_are_gone() -> None:
    kept = make("timechat").keep(nodes(at(0, 1, 90, 91, 180, 181)), 4, seed=0)
    assert kept.tolist() == [False, True, False, True, True, True]


def test_memoryllm_replaces_the_most_similar() -> None:
    """80 takes the place of 90, then 85 that of 80, not that of 60."""
    kept = make("memoryllm").keep(nodes(at(0, 90, 180, 80, 85)), 3, seed=0)
    assert kept.tolist() == [True, False, True, False, True]


@pytest.mark.parametrize("target", [1, 40, BLOCK + 7])
def test_memoryllm_in_blocks_as_one_by_one(target: int) -> None:
    graph = life(3 * BLOCK)
    pool = list(range(target))
    for row in range(target, len(graph)):
        pool[int(np.argmax(graph.vectors[pool] @ graph.vectors[row]))] = row
    assert np.flatnonzero(make("memoryllm").keep(graph, target, seed=0)).tolist() == sorted(pool)


def test_streammeco_is_the_published_one_where_its_share_is_the_target() -> None:
    """At a ratio that keeps exactly what is asked for, nothing is filled up."""
    graph = life(300)
    published = whole.keep(graph.clips, graph.vectors, graph.edge_node, graph.edge_weight, 0.4)
    ours = StreamMeCo().keep(graph, int(published.sum()), seed=0)
    assert (ours == published).all()


def test_streammeco_keeps_what_is_published_and_fills_up() -> None:
    graph = life(300)
    sizes = np.unique(graph.clips[np.setdiff1d(np.arange(300), graph.edge_node)], return_counts=True)[1]
    for target in (120, 140, 170, 233):
        ratio = ratio_for(sizes, len(np.unique(graph.edge_node)), target)
        published = whole.keep(graph.clips, graph.vectors, graph.edge_node, graph.edge_weight, ratio)
        assert published.sum() <= target
        assert make("streammeco").keep(graph, target, seed=0)[published].all()


def test_streammeco_takes_the_greatest_ratio_that_fits() -> None:
    """Clips of 10 and 4 isolated memories and 20 connected ones: 0.4 keeps 4 + 2 + 8, a little more 5 + 2 + 9."""
    assert ratio_for(np.array([10, 4]), 20, 14) == pytest.approx(0.4)
    assert ratio_for(np.array([10, 4]), 20, 15) == pytest.approx(0.4)
    assert ratio_for(np.array([10, 4]), 20, 16) == pytest.approx(0.45)
    assert ratio_for(np.array([10, 4]), 20, 2) == pytest.approx(0)


def test_streammeco_keeps_the_rare_and_the_heavy() -> None:
    """Nine of a kind and one of another, all about Anna, one of the nine with more weight: both outlive the rest."""
    edges = [(row, 1, 9.0 if row == 4 else 1.0) for row in range(10)]
    kept = make("streammeco").keep(nodes(at(*[0.0] * 9, 120), edges=edges), 2, seed=0)
    assert np.flatnonzero(kept).tolist() == [4, 9]


def test_streammeco_keeps_the_newest_clips_where_one_each_is_too_many() -> None:
    kept = make("streammeco").keep(nodes(at(*range(10)), clips=range(10)), 4, seed=0)
    assert np.flatnonzero(kept).tolist() == [6, 7, 8, 9]
