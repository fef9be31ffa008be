"""A face or voice is matched by the mean of its best three views; only a sure match teaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import RULE, random_unit, unit

from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.likeness import best_three_of_each, centre
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.models.model import Threshold


def gallery(sets: dict[int, np.ndarray], rule: MatchRule = RULE) -> Gallery:
    made = Gallery(rule)
    for entity, vectors in sets.items():
        made.replace(entity, vectors)
    return made


def views(*cosines: float) -> np.ndarray:
    """Unit vectors with these cosines to the first axis."""
    return np.stack([unit(c, np.sqrt(1 - c * c)) for c in cosines])


PROBE = unit(1.0)


def test_the_best_three_count_and_no_more() -> None:
    sets = [views(0.9, 0.1, 0.8, 0.7, -0.9), views(0.9, 0.5), views(0.6)]
    assert best_three_of_each([kept.astype(np.float16) for kept in sets], PROBE) == pytest.approx(
        [0.8, 0.7, 0.6], abs=1e-3
    )


def test_the_best_entity_wins() -> None:
    match = gallery({1: views(0.6, 0.6, 0.6), 2: views(0.9, 0.8, 0.7), 3: views(0.99, 0.1, 0.1)}).match(PROBE)
    assert (match.entity, match.learn) == (2, True) and match.score == pytest.approx(0.8, abs=1e-3)


def test_thresholds_accept_and_learn() -> None:
    """Accept at 0.5, learn at 0.7, both inclusive of nothing below."""
    for cosine, entity, learn in ((0.49, None, False), (0.51, 1, False), (0.69, 1, False), (0.71, 1, True)):
        match = gallery({1: views(cosine)}).match(PROBE)
        assert (match.entity, match.learn) == (entity, learn)
        assert match.score == pytest.approx(cosine, abs=1e-3)


def test_who_is_visibly_someone_else_is_not_matched() -> None:
    known = gallery({1: views(0.9), 2: views(0.8), 3: views(0.3)})
    assert known.match(PROBE, forbidden={1}).entity == 2
    assert known.match(PROBE, forbidden=[1, 2]).entity is None
    assert known.match(PROBE, forbidden=[1, 2, 3]).entity is None
    assert gallery({}).match(PROBE).entity is None


def test_more_seconds_of_speech_may_ask_for_more() -> None:
    grows = Threshold(((1.0, 0.4), (5.0, 0.8)))
    known = gallery({1: views(0.6)}, MatchRule(grows, Threshold(((0.0, 0.7),))))
    assert [known.match(PROBE, seconds).entity for seconds in (0.0, 1.0, 2.9, 3.1, 60.0)] == [1, 1, 1, None, None]


def test_ties_go_to_the_one_known_longer() -> None:
    assert gallery({7: views(0.8), 3: views(0.8)}).match(PROBE).entity == 3


def test_many_sets_are_scored_as_one_by_one() -> None:
    sets = [random_unit(n, 1 + n % 7).astype(np.float16) for n in range(50)]
    one_by_one = [float(np.sort(kept.astype(np.float32) @ PROBE)[-3:].mean()) for kept in sets]
    assert best_three_of_each(sets, PROBE) == pytest.approx(one_by_one, abs=1e-6)


def test_a_set_is_not_changed_from_outside() -> None:
    known, mine = gallery({1: views(0.9)}), views(0.5)
    known.replace(2, mine)
    mine[:] = 0
    known.set_of(1)[:] = 0
    assert known.match(PROBE).entity == 1
    assert known.match(PROBE, forbidden=[1]).score == pytest.approx(0.5, abs=1e-3)


@given(st.integers(0, 10**6), st.integers(1, 10))
@settings(max_examples=30)
def test_the_centre_is_a_unit_vector_among_its_own(seed: int, count: int) -> None:
    vectors = random_unit(seed, count)
    middle = centre(vectors)
    assert middle.dtype == np.float32
    assert float(np.linalg.norm(middle)) == pytest.approx(1, abs=1e-5)
    assert float((vectors @ middle).mean()) >= float((vectors @ vectors.T).mean(axis=1).max()) - 1e-5
    assert np.isfinite(centre(np.stack([unit(1.0), unit(-1.0)]))).all()
