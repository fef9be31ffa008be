"""What a face or voice is remembered by: its typical views, varied, not all of one day; wrong ones are thrown out."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import random_unit, unit

from robot_memory.memory.entities.core import MAX_PER_DAY, MAX_SNAPSHOTS, SAME_VIEW, choose, typical

FLOOR = 0.5


def around(axis: int, count: int, spread: float = 0.45, seed: int = 0) -> np.ndarray:
    """Views of somebody whose own direction is an axis; nobody else's is near."""
    own = np.zeros(8, np.float32)
    own[axis] = 1
    vectors = own + spread * random_unit(seed + 10 * axis, count)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def each_on_its_own_day(vectors: np.ndarray) -> list[int]:
    return list(range(len(vectors)))


def test_a_wrong_view_that_slipped_in_is_thrown_out() -> None:
    views = np.concatenate([around(0, 3), around(1, 1), around(0, 3, seed=5)])
    assert 3 not in choose(views, each_on_its_own_day(views), 4, FLOOR)
    assert len(choose(views, each_on_its_own_day(views), 4, FLOOR)) == 6


def test_a_wrong_first_view_is_thrown_out_once_right_ones_outnumber_it() -> None:
    views = np.concatenate([around(1, 1), around(0, 2)])
    assert choose(views[:2], [0, 1], 1, FLOOR) == [0, 1]  # of two nobody knows which one is wrong
    assert choose(views, [0, 1, 2], 2, FLOOR) == [1, 2]


def test_a_wrong_view_among_those_a_stranger_came_with_is_not_kept() -> None:
    views = np.concatenate([around(0, 2), around(1, 1), around(0, 1, seed=3)])
    assert 2 not in choose(views, each_on_its_own_day(views), 0, FLOOR)


def test_of_an_appearance_the_one_who_was_seen_more_is_believed() -> None:
    views = np.concatenate([around(1, 1), around(0, 3), around(1, 1, seed=3)])
    assert typical(views, FLOOR) == [1, 2, 3]
    assert typical(views[:2], FLOOR) == [0, 1] and typical(views[:1], FLOOR) == [0]


def test_near_copies_add_nothing() -> None:
    views = np.stack([unit(1.0), unit(0.7, 0.7), unit(1.0, 0.05), unit(0.68, 0.72)])
    assert choose(views, each_on_its_own_day(views), 2, FLOOR) == [0, 1]
    assert choose(views, each_on_its_own_day(views), 0, FLOOR) == [0, 1]


def test_one_day_has_three_views_and_those_differ() -> None:
    views = np.stack([unit(1.0, 0.3 * n, 0.1 * (n % 2)) for n in range(7)])
    chosen = choose(views, [0] * 7, 0, FLOOR)
    assert len(chosen) == MAX_PER_DAY
    assert {0, 6} & set(chosen) and choose(views, [0] * 3 + [1] * 4, 0, FLOOR) != chosen


def test_another_session_of_the_same_hour_is_another_day() -> None:
    views = around(0, 6)
    days = [("morning", 0)] * 3 + [("evening", 0)] * 3
    assert len(choose(views, days, 0, FLOOR)) == 6


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 12), st.floats(0.1, 1.5))
@settings(max_examples=80, deadline=None)
def test_a_set_stays_small_varied_and_typical(seed: int, count: int, days: int, spread: float) -> None:
    views = around(0, count, spread, seed)
    day = [n % days for n in range(count)]
    chosen = choose(views, day, 0, FLOOR)
    assert chosen and chosen == sorted(set(chosen)) and len(chosen) <= MAX_SNAPSHOTS
    assert max(Counter(day[n] for n in chosen).values()) <= MAX_PER_DAY
    kept = views[chosen]
    assert (kept @ kept.T - 2 * np.eye(len(kept))).max() < SAME_VIEW
    if len(chosen) > 2:
        assert max((kept @ kept.T).min(axis=1)) >= FLOOR - 1e-5  # one of them is near all others
    assert choose(views, day, 0, FLOOR) == chosen


@given(st.integers(0, 10**6), st.integers(1, 10))
@settings(max_examples=40, deadline=None)
def test_what_was_chosen_stands_until_something_new_is_seen(seed: int, count: int) -> None:
    views = around(0, count, seed=seed)
    kept = views[choose(views, each_on_its_own_day(views), 0, FLOOR)]
    again = np.concatenate([kept, kept[::-1]])
    assert choose(again, each_on_its_own_day(again), len(kept), FLOOR) == list(range(len(kept)))
