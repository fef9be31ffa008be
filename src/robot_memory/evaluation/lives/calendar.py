"""The days of a life: one after the other from a first of January on, in a zone whose clocks never change."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from robot_memory.evaluation.lives.life import Month
from robot_memory.evaluation.worlds.dayplan import AWAKE, OPENING, Calendar
from robot_memory.evaluation.worlds.world import Day
from robot_memory.streams.media import SECOND

ZONES = ("UTC", "Asia/Tokyo", "Asia/Kolkata", "America/Phoenix")
FIRST_DAY = datetime(2026, 1, 1)


def calendar(throw: random.Random, count: int) -> Calendar:
    """`count` days in a row, each from eight o'clock sharp."""
    zone = throw.choice(ZONES)
    days = []
    for number in range(count):
        here = (FIRST_DAY + timedelta(days=number)).replace(tzinfo=ZoneInfo(zone), hour=OPENING)
        start_ns = int(here.timestamp()) * SECOND
        days.append(Day(number, start_ns, start_ns + int(AWAKE.total_seconds()) * SECOND))
    offset = FIRST_DAY.replace(tzinfo=ZoneInfo(zone)).utcoffset() or timedelta()
    return Calendar(zone, int(offset.total_seconds()), tuple(days))


def months(count: int) -> tuple[Month, ...]:
    """The calendar months that `count` days from the first day on reach into."""
    dates = [(number, FIRST_DAY + timedelta(days=number)) for number in range(count)]
    found = []
    for (year, name), days in groupby(dates, key=lambda one: (one[1].year, f"{one[1]:%B}")):
        numbers = [number for number, _ in days]
        found.append(Month(f"{name} {year}", numbers[0], numbers[-1] + 1))
    return tuple(found)


def weekday(day: int) -> int:
    """0 is Monday."""
    return (FIRST_DAY + timedelta(days=day)).weekday()
