"""When something told was, from the day it was told: as exact as the words are, and no more."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from robot_memory.control.answering.open_times import moments, the_day
from robot_memory.control.clock import Zone
from robot_memory.streams.media import SECOND

UTC = Zone("UTC")
THURSDAY = int(datetime(2023, 6, 15, 14, 30, tzinfo=timezone.utc).timestamp()) * SECOND


@pytest.mark.parametrize(
    ("told", "was"),
    [
        ("I saw the doctor yesterday.", "14 June 2023"),
        ("We're moving tomorrow!", "16 June 2023"),
        ("Two days ago I fell off my bike.", "13 June 2023"),
        ("Since we last spoke, I went diving last Saturday, with Jo.", "the Saturday before 15 June 2023"),
        ("Last weekend was mad.", "the weekend before 15 June 2023"),
        ("I ran the race last week", "the week before 15 June 2023"),
        ("She applied this week.", "the week of 15 June 2023"),
        ("Two weeks ago we met her.", "two weeks before 15 June 2023"),
        ("The shop opens next month.", "July 2023"),
        ("My daughter was born last year.", "2022"),
        ("I moved here ten years ago.", "2013"),
        ("A few years ago I got the tattoo.", "a few years before 15 June 2023"),
        ("It was on 3 May 2021.", "3 May 2021"),
    ],
)
def test_a_time_phrase_is_looked_up_from_the_day_it_was_said(told: str, was: str) -> None:
    (moment,) = moments(told, THURSDAY, UTC)
    assert moment.words == was
    assert moment.start_ns < moment.end_ns and moment.clear


@pytest.mark.parametrize(
    "told", ["I like tea.", "May I ask you something?", "He runs every morning.", "We talked a lot."]
)
def test_what_tells_no_time_gives_none(told: str) -> None:
    assert list(moments(told, THURSDAY, UTC)) == []


def test_a_bare_weekday_may_be_the_last_one_or_the_next() -> None:
    (moment,) = moments("I'm seeing her on Friday.", THURSDAY, UTC)
    assert not moment.clear


def test_a_clock_without_a_calendar_tells_nothing() -> None:
    assert list(moments("I saw her yesterday.", 40 * SECOND, UTC)) == []


def test_the_day_of_telling_is_that_of_the_zone() -> None:
    late = int(datetime(2023, 6, 15, 23, 30, tzinfo=timezone.utc).timestamp()) * SECOND
    assert the_day(late, UTC).words == "15 June 2023"
    assert the_day(late, Zone("", 7200)).words == "16 June 2023"
