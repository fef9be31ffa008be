"""A search as of a moment finds what was recorded by then, as it was recorded then; and `before_clip` likewise."""

from __future__ import annotations

import pytest
from searched import DAY, SECOND, START, Told, found, look

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame


@pytest.fixture
def told(graph: MemoryGraph, embedder: TextEmbedder) -> Told:
    """Clara lives in Berlin, says so again two days later, and moves to Rome on the fourth."""
    told = Told(graph, embedder)
    (clara,) = told.person("Clara", "voice")
    for day, town in ((0, "Berlin"), (2, "Berlin"), (3, "Rome")):
        told.remember(f"<{clara}> lives in {town}.", [clara], day * DAY, frame=Frame(f"<{clara}>", "home", town))
    return told


def day(number: float) -> int:
    return START + int(number * DAY) * SECOND


def test_as_of_a_moment_a_home_was_still_one(told: Told) -> None:
    berlin, rome = sorted(look(told).evidence, key=lambda one: one.memory)
    assert (berlin.count, berlin.valid_from_ns, berlin.valid_until_ns) == (2, day(0), day(3))
    assert (rome.count, rome.valid_from_ns, rome.valid_until_ns) == (1, day(3), None)
    then = look(told, "Where does Clara live?", as_of_ns=day(2.5)).evidence
    assert [one.memory for one in then] == [berlin.memory]
    assert (then[0].count, then[0].valid_until_ns, then[0].end_ns) == (2, None, day(2) + SECOND)
    (first,) = look(told, as_of_ns=day(1)).evidence
    assert (first.count, first.start_ns, first.end_ns) == (1, day(0), day(0) + SECOND)
    assert look(told, as_of_ns=day(-1)).evidence == ()


def test_before_a_clip_nothing_of_later_shows(told: Told) -> None:
    (first,) = look(told, before_clip=3).evidence
    assert (first.count, first.valid_until_ns) == (2, None)
    assert look(told, before_clip=2).evidence[0].count == 1
    assert look(told, before_clip=0).evidence == ()


def test_today_is_the_day_of_that_moment(told: Told) -> None:
    assert len(found(look(told, "What was said today?", as_of_ns=day(0.1)))) == 1
    assert found(look(told, "What was said today?", as_of_ns=day(1.1))) == []
