"""Early, mid and late parts of a window; halves and weeks of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from robot_memory.control.times import words
from robot_memory.control.times.calendar_words import add_months
from robot_memory.control.times.elements import Slice
from robot_memory.control.times.windows import Ambiguous, Window

# Where "early" ends and "late" begins: days or months after the start.
DAYS = {"week": (2, 4), "month": (10, 20)}
MONTHS = {"season": (1, 2), "year": (4, 8), "decade": (40, 80)}


def cut(window: Window, slices: Sequence[Slice]) -> Window:
    """The part meant. Raises Ambiguous where there is none."""
    for one in slices:
        start, end = _edges(window, one)
        if start >= end:
            raise Ambiguous
        window = replace(window, start=start, end=end, unit="stretch")
    return window


def _edges(window: Window, one: Slice) -> tuple[datetime, datetime]:
    start, end = window.start, window.end
    if one.which in ("first half", "second half"):
        middle = start + (end - start) / 2
        middle = middle.replace(hour=0, minute=0, second=0, microsecond=0) if end - start > timedelta(2) else middle
        return (start, middle) if one.which == "first half" else (middle, end)
    if one.which == "week":
        week = timedelta(weeks=1)
        first = end - week if one.number < 0 else start + week * (one.number - 1)
        return first, min(end, first + week)
    if one.which == "week around":
        monday = start - timedelta(days=start.weekday())
        return monday, monday + timedelta(weeks=1)
    early, late = _borders(window)
    return {"early": (start, early), "mid": (early, late), "late": (late, end)}[one.which]


def _borders(window: Window) -> tuple[datetime, datetime]:
    start, unit = window.start, window.unit
    if unit in words.PARTS:
        begins, _, early, late = words.PARTS[unit]
        begins = begins if unit != "day" else 0
        return start + timedelta(hours=early - begins), start + timedelta(hours=late - begins)
    if unit in DAYS:
        return start + timedelta(days=DAYS[unit][0]), start + timedelta(days=DAYS[unit][1])
    if unit in MONTHS:
        return add_months(start, MONTHS[unit][0]), add_months(start, MONTHS[unit][1])
    raise Ambiguous
