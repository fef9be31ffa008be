"""Moments and lengths of time as one says them: by the day of asking, in the session's zone, without a calendar too."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from robot_memory.control.answering import times
from robot_memory.control.clock import Zone
from robot_memory.streams.media import SECOND

BERLIN = Zone("Europe/Berlin")


def stamp(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Berlin")).timestamp()) * SECOND


NOW = stamp("2026-03-04T17:30")  # a Wednesday


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("2026-03-04T09:12", "this morning at 9:12"),
        ("2026-03-04T12:00", "this afternoon at 12:00"),
        ("2026-03-04T02:10", "today at 2:10"),
        ("2026-03-03T18:40", "yesterday evening at 18:40"),
        ("2026-03-02T09:12", "on Monday at 9:12"),
        ("2026-02-26T09:12", "on Thursday at 9:12"),
        ("2026-02-25T09:12", "on 25 February at 9:12"),
        ("2025-12-03T09:12", "on 3 December 2025 at 9:12"),
        ("2026-03-05T08:00", "tomorrow morning at 8:00"),
        ("2026-03-09T15:30", "on Monday at 15:30"),
    ],
)
def test_a_moment_is_said_as_seen_from_now(then: str, said: str) -> None:
    assert times.at(stamp(then), NOW, BERLIN) == said


def test_a_stretch_is_said_with_its_day_once() -> None:
    start = stamp("2026-03-04T11:40")
    assert times.between(start, stamp("2026-03-04T11:55"), NOW, BERLIN) == "this morning from 11:40 to 11:55"
    assert times.between(start, stamp("2026-03-04T12:20"), NOW, BERLIN) == "today from 11:40 to 12:20"
    assert times.between(start, start + SECOND, NOW, BERLIN) == "this morning at 11:40"
    night = times.between(stamp("2026-03-02T23:50"), stamp("2026-03-03T00:10"), NOW, BERLIN)
    assert night == "from Monday at 23:50 to yesterday at 0:10"


def test_several_moments_are_grouped_by_days() -> None:
    some = [stamp(f"2026-03-0{day}") for day in ("3T09:12", "4T10:05", "4T10:05:40", "4T17:05")]
    assert times.moments(some, NOW, BERLIN) == "yesterday at 9:12, and today at 10:05 and 17:05"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(4, "4 seconds"), (40, "40 seconds"), (60, "about 1 minute"), (719, "about 12 minutes"), (3580, "about 1 hour")]
    + [(4800, "about 1 hour and 20 minutes"), (7190, "about 2 hours")],
)
def test_a_length_is_said_as_exactly_as_one_would(seconds: int, said: str) -> None:
    assert times.lasting(seconds * SECOND) == said


def test_a_length_is_said_in_the_unit_asked_for() -> None:
    assert times.lasting(4800 * SECOND, "minutes") == "about 80 minutes"
    assert times.lasting(4 * SECOND, "minutes") == "4 seconds"


def test_a_clock_without_a_calendar_keeps_its_seconds() -> None:
    assert times.at(95 * SECOND, 100 * SECOND, BERLIN) == "at 95 s"
    assert times.between(95 * SECOND, 110 * SECOND, 120 * SECOND, BERLIN) == "from 95 s to 110 s"
    assert times.moments([5 * SECOND, 6 * SECOND], 9 * SECOND, BERLIN) == "at 5 s and 6 s"


def test_when_the_clocks_change_days_and_lengths_hold() -> None:
    before, after = stamp("2026-03-28T23:00"), stamp("2026-03-29T09:00")  # nine hours: one was left out
    assert times.at(before, after, BERLIN) == "yesterday evening at 23:00"
    assert times.lasting(after - before) == "about 9 hours"
