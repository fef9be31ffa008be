"""Two known people who score nearly the same: either they share a look, or nobody can say who this is."""

from __future__ import annotations

import numpy as np
from remembering import unit

from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.models.model import Threshold

RULE = MatchRule(Threshold(((0.0, 0.5),)), Threshold(((0.0, 0.7),)), margin=0.05, near=0.1)
ANNA, BEN = 1, 2


def known(**sets: np.ndarray) -> Gallery:
    """anna=, ben= and others: one view each, in this order."""
    made = Gallery(RULE)
    for entity, view in enumerate(sets.values(), start=1):
        made.replace(entity, view[None])
    return made


def test_a_clear_lead_is_a_match_that_teaches() -> None:
    match = known(anna=unit(1, 0.1), ben=unit(0, 1)).match(unit(1))
    assert (match.entity, match.learn, match.doubtful, match.alike) == (ANNA, True, False, ())


def test_between_two_unlike_people_is_nobody() -> None:
    match = known(anna=unit(1), ben=unit(0, 1)).match(unit(1, 0.97))
    assert match.entity is None and match.doubtful and not match.learn and match.maybe is None


def test_between_two_of_the_same_look_is_the_better_one_but_teaches_nothing() -> None:
    match = known(anna=unit(1, 0, 0.3), ben=unit(1, 0.1, 0.3)).match(unit(1, 0.1))
    assert (match.entity, match.learn, match.doubtful) == (BEN, False, False)
    ((other, likeness),) = match.alike
    assert other == ANNA and likeness > 0.9


def test_of_equals_it_is_the_older() -> None:
    assert known(anna=unit(1, 0.2), ben=unit(1, 0, 0.2)).match(unit(1)).entity == ANNA


def test_two_looks_of_one_person_do_not_compete() -> None:
    looks = known(anna=unit(1), glasses=unit(0.6, 0.8), carl=unit(0, 0, 1))
    assert looks.match(unit(1, 0.5)).doubtful is False
    between = unit(1.6, 0.8)
    assert looks.match(between, person=lambda entity: 9 if entity < 3 else entity).learn
    assert not looks.match(between).learn


def test_twins_known_to_be_two_are_not_taken_for_each_other() -> None:
    twins = known(anna=unit(1, 0.1), ben=unit(1, 0, 0.1))
    assert twins.match(unit(1)).entity == ANNA
    match = twins.match(unit(1), apart=lambda one, other: {one, other} == {ANNA, BEN})
    assert match.entity is None and match.doubtful


def test_who_is_visibly_someone_else_is_no_rival() -> None:
    match = known(anna=unit(1), ben=unit(0, 1)).match(unit(1, 0.97), forbidden=[BEN])
    assert (match.entity, match.learn) == (ANNA, True)


def test_one_like_and_one_unlike_rival_are_one_unlike_too_many() -> None:
    match = known(anna=unit(1), dora=unit(1, 0.05), ben=unit(0, 1)).match(unit(1, 1))
    assert match.doubtful


def test_who_is_nearly_good_enough_is_named() -> None:
    faces = known(anna=unit(1))
    assert faces.match(unit(0.45, np.sqrt(1 - 0.45**2))).maybe == ANNA
    assert faces.match(unit(0.35, np.sqrt(1 - 0.35**2))).maybe is None
    assert faces.match(unit(1)).maybe is None


def test_the_thresholds_of_a_model_make_its_rule() -> None:
    accept, learn, margin = (Threshold(((0.0, value),)) for value in (0.5, 0.6, 0.03))
    assert MatchRule.of({"accept": accept, "learn": learn}) == MatchRule(accept, learn)
    assert MatchRule.of({"accept": accept, "learn": learn, "margin": margin, "near": accept}).margin == 0.03
