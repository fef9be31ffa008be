"""Days and their parts as routines speak of them: "on weekday mornings". One table of hours, BANDS.

A day begins at five, so that a night is one night, and belongs to the day before.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.memory.days import DAY_NS

HOUR_NS = DAY_NS // 24
BEGINS = 5  # the hour at which a day does
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EVERY, WORKING, WEEKEND = frozenset(range(7)), frozenset(range(5)), frozenset((5, 6))
EPOCH = 3  # 1 January 1970 was a Thursday


@dataclass(frozen=True)
class Band:
    """A part of the day: from one hour up to another (past 24: of the next day), how it is said, and in the plural."""

    first_hour: int
    end_hour: int
    phrase: str
    plural: str


BANDS = (
    Band(5, 7, "in the early morning", "early mornings"),
    Band(7, 11, "in the morning", "mornings"),
    Band(11, 14, "around noon", "middays"),
    Band(14, 18, "in the afternoon", "afternoons"),
    Band(18, 22, "in the evening", "evenings"),
    Band(22, 29, "at night", "nights"),
)


@dataclass(frozen=True)
class Slot:
    """A band (its place in BANDS) of a day (since 1970)."""

    day: int
    band: int


def slot_of(stamp_ns: int, offset_s: int) -> Slot:
    """The slot that a moment is in, by the clock on the wall, `offset_s` ahead of UTC."""
    local_ns = stamp_ns + offset_s * 10**9 - BEGINS * HOUR_NS
    hour = local_ns % DAY_NS // HOUR_NS + BEGINS
    return Slot(local_ns // DAY_NS, next(n for n, band in enumerate(BANDS) if hour < band.end_hour))


def weekday_of(day: int) -> int:
    """0 is Monday."""
    return (day + EPOCH) % 7


def days_in_words(weekdays: Collection[int]) -> str:
    """ "every day", "on weekdays", "at weekends", "on Mondays and Fridays"."""
    some = frozenset(weekdays)
    if some == EVERY:
        return "every day"
    if some == WORKING:
        return "on weekdays"
    if some == WEEKEND:
        return "on weekends"
    return f"on {listed([f'{WEEKDAYS[one]}s' for one in sorted(some)])}"


def days_from_words(words: str) -> frozenset[int]:
    """The weekdays of `days_in_words`; empty where the words are none of them."""
    classes = {"every day": EVERY, "on weekdays": WORKING, "on weekends": WEEKEND}
    return classes.get(words) or frozenset(n for n, name in enumerate(WEEKDAYS) if f"{name}s" in words)


def such(weekdays: Collection[int], band: Band | None) -> str:
    """What those days, or their bands, are called where they are counted: "weekday mornings", "Mondays"."""
    some = frozenset(weekdays)
    if some == EVERY:
        return band.plural if band else "days"
    lead = {WORKING: "weekday", WEEKEND: "weekend"}.get(some)
    if lead is None and len(some) == 1:
        lead = WEEKDAYS[next(iter(some))]
    if band:
        return f"{lead or 'such'} {band.plural}"
    return f"{lead}s" if lead else "such days"


def listed(words: Collection[str]) -> str:
    """ "Mondays", "Mondays and Fridays", "Mondays, Tuesdays and Fridays"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
