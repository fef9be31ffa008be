"""EMsampling by hand: quotas of clusters and how they are trimmed, farthest-point sampling, its ties, clips apart."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from robot_memory.memory.compression.parity.arrays import share, unit
from robot_memory.memory.compression.parity.clustering import ClusteringMissing, Clusters, k_means
from robot_memory.memory.compression.parity.sampling import em_sampling, farthest, sample, share_out


def at(*degrees: float) -> NDArray[np.float32]:
    """Unit vectors in the plane."""
    angles = np.radians(degrees)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1).astype(np.float32)


def in_halves(vectors: NDArray[np.float32], k: int) -> Clusters:
    """Clusters of neighbouring rows, as equal as can be."""
    labels = np.arange(len(vectors)) * k // len(vectors)
    centres = unit(np.stack([vectors[labels == label].mean(axis=0) for label in range(k)]))
    return Clusters(labels, centres)


def test_shares_round_up_and_leave_one() -> None:
    assert [share(size, 0.3) for size in (0, 1, 2, 3, 4, 10)] == [0, 1, 1, 1, 2, 3]
    assert [share(size, 1.0) for size in (0, 1, 7)] == [0, 1, 7]
    assert share(5, 0.0) == 1


def test_quotas_that_fit_stay() -> None:
    assert share_out([10, 10], 0.5, 10) == [5, 5]


def test_one_too_many_goes_from_the_smallest_fraction() -> None:
    """0.7 of 8, 9 and 3 is 5.6, 6.3 and 2.1: rounded up 6, 7 and 3, and 14 of 20 are to stay."""
    assert share_out([8, 9, 3], 0.7, 14) == [6, 6, 2]


def test_of_equal_fractions_the_smaller_cluster_loses() -> None:
    """Half of 7, 3 and 5 is 3.5, 1.5 and 2.5, rounded up 4, 2 and 3, and 8 of 15 are to stay."""
    assert share_out([7, 3, 5], 0.5, 8) == [4, 1, 3]


def test_of_equal_clusters_the_one_met_first_loses() -> None:
    assert share_out([3, 3, 3], 0.5, 5) == [1, 2, 2]


def test_no_cluster_loses_its_last() -> None:
    """A tenth of 1, 1 and 18: 1, 1 and 2; the last two of 20 cannot be had, as the first clusters are down to one."""
    assert share_out([1, 1, 18], 0.1, 2) == [1, 1, 1]


def test_trimming_goes_round_until_it_fits() -> None:
    assert share_out([4, 4], 0.75, 3) == [1, 2]


def test_what_is_short_goes_to_the_greatest_fraction_that_has_room() -> None:
    assert share_out([2, 9, 8], 0.7, 16) == [2, 7, 7]
    assert share_out([2, 9, 8], 0.7, 17) == [2, 8, 7]
    assert share_out([3, 3], 0.5, 6) == [3, 3]
    assert share_out([3, 3], 0.5, 9) == [3, 3]  # more than there are


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.floats(0.05, 1))
def test_quotas_are_the_target_wherever_that_can_be(sizes: list[int], keep: float) -> None:
    total = share(sum(sizes), keep)
    quotas = share_out(sizes, keep, total)
    assert sum(quotas) == max(total, len(sizes))
    assert all(1 <= quota <= size for quota, size in zip(quotas, sizes, strict=True))


def test_nearest_to_the_centre_then_farthest_from_all_chosen() -> None:
    """40 is nearest to 45, 100 farthest from 40, 0 then 40 away from the nearest chosen one, and 75 still 25."""
    chosen = farthest(at(0, 20, 40, 75, 100), at(45)[0], 4)
    assert chosen.tolist() == [2, 4, 0, 3]


def test_of_equal_distances_the_first() -> None:
    assert farthest(at(0, 90, -90, 0), at(0)[0], 3).tolist() == [0, 1, 2]


def test_an_equal_of_a_chosen_one_comes_last() -> None:
    assert farthest(at(10, 10, 10, 60), at(10)[0], 3).tolist() == [0, 3, 1]


def test_farthest_is_as_published() -> None:
    """The published way, which asks all chosen ones again for each candidate."""
    draw = np.random.default_rng(3)
    rows = unit(draw.standard_normal((60, 8)).astype(np.float32) + 1)
    centre = unit(rows.mean(axis=0, keepdims=True))[0]
    slow = [int(np.argmax(rows @ centre))]
    while len(slow) < 40:
        left = [row for row in range(60) if row not in slow]
        slow.append(max(left, key=lambda row: min(1 - float(rows[row] @ rows[other]) for other in slow)))
    assert farthest(rows, centre, 40).tolist() == slow


def test_a_lone_memory_stays() -> None:
    assert em_sampling(np.array([7]), at(30), 0.1).tolist() == [True]


def test_none_is_none() -> None:
    assert em_sampling(np.zeros(0, np.int64), np.zeros((0, 2), np.float32), 0.7).tolist() == []


def test_each_clip_by_itself() -> None:
    """One clip's memories do not lie together, and each clip keeps half, rounded up."""
    clips = np.array([5, 1, 5, 1, 1, 9])
    kept = em_sampling(clips, at(0, 0, 90, 1, 80, 45), 0.5)
    assert {clip: int(kept[clips == clip].sum()) for clip in (1, 5, 9)} == {1: 2, 5: 1, 9: 1}
    assert kept[4]  # nothing else in clip 1 is like it


def test_length_says_nothing() -> None:
    short_and_long = at(0, 10, 80) * np.array([[9], [0.1], [3]], np.float32)
    clip = np.zeros(3, np.int64)
    assert em_sampling(clip, short_and_long, 0.6).tolist() == em_sampling(clip, at(0, 10, 80), 0.6).tolist()


def test_as_many_clusters_as_a_twentieth() -> None:
    asked = []

    def asked_for(vectors: NDArray[np.float32], k: int) -> Clusters:
        asked.append((len(vectors), k))
        return in_halves(vectors, k)

    clips = np.repeat([1, 2, 3], [20, 21, 41])
    em_sampling(clips, at(*range(82)), 0.5, clustering=asked_for)
    assert asked == [(20, 1), (21, 2), (41, 3)]


def test_each_cluster_keeps_its_own() -> None:
    """Six of one kind and two of another: half of each, although the other kind's are the farther ones."""
    rows = at(0, 1, 2, 3, 4, 5, 170, 171)
    kept = sample(rows, 0.5, 2 / 8, lambda vectors, k: Clusters(np.array([0] * 6 + [1] * 2), at(2.4, 170.4)))
    assert (len(kept[kept < 6]), len(kept[kept >= 6])) == (3, 1)


def test_over_the_target_the_lowest_rows_stay() -> None:
    """Four clusters must leave one each, but a tenth of eight is one."""
    kept = sample(at(0, 1, 40, 41, 80, 81, 120, 121), 0.1, 4 / 8, in_halves)
    assert len(kept) == 1
    assert kept[0] in (0, 1)


@pytest.mark.parametrize("keep", [0.1, 0.3, 0.5, 0.7, 1.0])
def test_a_clip_keeps_its_share_however_it_is_clustered(keep: float) -> None:
    rows = unit(np.random.default_rng(1).standard_normal((50, 6)).astype(np.float32))
    assert len(sample(rows, keep, 0.3, in_halves)) == math.ceil(50 * keep)


def test_small_clips_need_no_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    assert em_sampling(np.zeros(20, np.int64), at(*range(20)), 0.5).sum() == 10
    with pytest.raises(ClusteringMissing, match="pip install"):
        em_sampling(np.zeros(21, np.int64), at(*range(21)), 0.5)


def test_the_published_clustering_finds_what_lies_apart() -> None:
    pytest.importorskip("sklearn", reason="the published k-means is scikit-learn's, an extra: '.[cluster]'")
    labels, centres = k_means(at(0, 1, 2, 90, 91, 92), 2)
    assert len(set(labels[:3].tolist())) == len(set(labels[3:].tolist())) == 1
    assert labels[0] != labels[3]
    assert np.allclose(centres[labels[3]], at(91)[0], atol=1e-6)
