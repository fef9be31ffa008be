"""Rules for times measured from now: "two hours ago", "in the last 10 minutes", "recently", "in two days".

Up to hours, time passes as on a stopwatch; from days on, the calendar counts, so that "yesterday at this time" stays
at this time when the clocks change. On a simulation's clock everything is a stopwatch.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from robot_memory.control.times import words
from robot_memory.control.times.calendar_words import RANKS, add_months, unit_window
from robot_memory.control.times.elements import Element, Stretch
from robot_memory.control.times.patterns import count_of, unit_of, weekday_of
from robot_memory.control.times.wall import Now
from robot_memory.control.times.windows import DAY, WEEK, Ambiguous, Fixed, Window
from robot_memory.streams.media import SECOND

Said = re.Match[str]
LONGEST_S = 100 * 366 * 86400
STOPWATCH = ("second", "minute", "hour")
HALF_UNIT = {"week": 3, "fortnight": 3, "month": 15}  # days to either side of "two weeks ago": a fortnight is two weeks
SMALLER = {"year": ("month", 12), "month": ("day", 30), "fortnight": ("day", 14), "week": ("day", 7)}
SMALLER |= {"day": ("hour", 24)}
RANK_AGO = {"day": DAY, "week": WEEK, "fortnight": WEEK, "month": WEEK, "year": WEEK}


def ago(said: Said, now: Now) -> Element:
    """ "two hours ago", "about a month ago"."""
    (low, high), unit = measure(said)
    more = said["more"] or ""
    if more in ("over", "more than") or more == "less than":
        edge = _back(now, high, unit)
        return Stretch(edge, now.stamp_ns + 1) if more == "less than" else Stretch(None, edge)
    return measured(low, high, unit, now)


def measured(low: float, high: float, unit: str, now: Now) -> Stretch | Fixed:
    """So long before a moment; negative: after it."""
    if unit in STOPWATCH or not now.has_calendar:
        return _stopwatch_ago(low, high, words.UNITS[unit], now)
    if low == high and low != int(low):
        unit, factor = SMALLER[unit]
        return measured(low * factor, high * factor, unit, now)
    return Fixed(_days_ago(now, low, high, unit), RANK_AGO[unit])


def ahead(said: Said, now: Now) -> Element:
    """ "in two hours", "two days from now"."""
    (low, high), unit = measure(said)
    return measured(-high, -low, unit, now)


def ago_counted_from(said: Said, now: Now) -> Fixed:
    """ "a week ago today", "a year ago yesterday", "three days before yesterday": exactly that day."""
    (low, high), unit = measure(said)
    day = now.today - timedelta(days=said["from"].endswith("yesterday"))
    if low != high or unit in STOPWATCH:
        raise Ambiguous
    start = shift(day, -int(low), unit)
    return Fixed(Window(start, start + timedelta(days=1)), DAY)


def weeks_before(said: Said, now: Now) -> Fixed:
    """ "A week last Friday", "a fortnight yesterday": exactly that day."""
    (low, high), unit = measure(said)
    if low != high or low != int(low):
        raise Ambiguous
    back = (now.today.weekday() - weekday_of(said["weekday"]) - 1) % 7 + 1 if said["weekday"] else 1
    start = shift(now.today - timedelta(days=back), -int(low), unit)
    return Fixed(Window(start, start + timedelta(days=1)), DAY)


def weekdays_ago(said: Said, now: Now) -> Fixed:
    """ "two Fridays ago", "three weekends ago"."""
    low, high = count_of(said["count"])
    if low != high:
        raise Ambiguous
    if said["which"] in RANKS:
        return Fixed(unit_window(said["which"], now, -int(low)), RANKS[said["which"]])
    back = (now.today.weekday() - weekday_of(said["which"].removesuffix("s")) - 1) % 7 + 1
    start = now.today - timedelta(days=back + 7 * (int(low) - 1))
    return Fixed(Window(start, start + timedelta(days=1)), DAY)


def last_units(said: Said, now: Now) -> Stretch:
    """ "in the last 10 minutes", "the past few weeks": up to now."""
    (_, high), unit = measure(said)
    return Stretch(_back(now, high, unit), now.stamp_ns + 1)


def next_units(said: Said, now: Now) -> Stretch:
    """ "in the next 10 minutes"."""
    (_, high), unit = measure(said)
    return Stretch(now.stamp_ns, _back(now, -high, unit))


def a_while(said: Said, now: Now) -> Stretch:
    """ "just now", "a moment ago", "recently"."""
    name = " ".join(said[0].split())
    longest, shortest = words.WHILES[name]
    end_ns = now.stamp_ns - shortest * SECOND if shortest else now.stamp_ns + 1
    is_now = "now" if name in words.NOW_WORDS else ""
    days, seconds = divmod(longest, 86400)
    start_ns = _back(now, days, "day") if days else now.stamp_ns - seconds * SECOND
    return Stretch(start_ns, end_ns, name in words.VAGUE_WORDS, is_now)


def measure(said: Said) -> tuple[tuple[float, float], str]:
    """The count (at least, at most) and the unit. Raises Ambiguous where it is longer than any memory."""
    fields = said.groupdict()
    low, high = count_of(fields["count"]) if fields.get("count") else (1.0, 1.0)
    if fields.get("andhalf"):
        low, high = low + 0.5, high + 0.5
    unit = unit_of(fields["unit"])
    if high * words.UNITS[unit] > LONGEST_S or not high:
        raise Ambiguous
    return (low, high), unit


def _stopwatch_ago(low: float, high: float, seconds: int, now: Now) -> Stretch:
    """Around an exact count, half a unit or a quarter of the whole; a loose count has its own bounds."""
    slack = max(seconds / 2, abs(low) * seconds / 4) if low == high else 0.0
    if 0 < abs(low) < 1:
        slack = abs(low) * seconds / 4
    start_ns = now.stamp_ns - round((high * seconds + slack) * SECOND)
    return Stretch(start_ns, now.stamp_ns - round((low * seconds - slack) * SECOND) + 1)


def _back(now: Now, count: float, unit: str) -> int:
    if unit in STOPWATCH or not now.has_calendar:
        count = count if count < 1 or count == int(count) else _at_most(count)
        return now.stamp_ns - round(count * words.UNITS[unit] * SECOND)
    return now.start_ns(shift(now.wall, -_at_most(count), unit))


def _at_most(count: float) -> float:
    """The highest whole count of a loose one: "a couple" is two or three."""
    return int(count) if abs(count) >= 1 else count


def _days_ago(now: Now, low: float, high: float, unit: str) -> Window:
    if unit == "day":
        first, last = int(high), -int(-low // 1)
        return Window(now.today - timedelta(days=first), now.today - timedelta(days=last - 1))
    if low != high:
        return Window(shift(now.today, -high, unit), shift(now.today, -low, unit) + timedelta(days=1), "stretch")
    middle = shift(now.today, -low, unit)
    if unit == "year":
        return Window(add_months(middle, -6), add_months(middle, 6) + timedelta(days=1), "stretch")
    half = timedelta(days=HALF_UNIT[unit])
    return Window(middle - half, middle + half + timedelta(days=1), "stretch")


def shift(day: datetime, count: float, unit: str) -> datetime:
    if unit in ("month", "year"):
        months = count * (12 if unit == "year" else 1)
        whole = int(months // 1)
        return add_months(day, whole) + timedelta(days=round((months - whole) * 30))
    per = {"day": 1, "week": 7, "fortnight": 14}[unit]
    return day + timedelta(days=count * per)
