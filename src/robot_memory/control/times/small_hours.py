"""The small hours of a morning: "2:30 this morning" is before the morning that words.py knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from robot_memory.control.times import words
from robot_memory.control.times.elements import Element, Hours
from robot_memory.control.times.windows import Fixed

BEGINS = words.PARTS["morning"][0]


def with_small_hours(elements: Sequence[Element]) -> list[Element]:
    """Beside a clock time before five, a morning begins at midnight; elsewhere it begins as ever."""
    if not any(_is_small(one) for one in elements):
        return list(elements)
    return [_from_midnight(one) for one in elements]


def _is_small(element: Element) -> bool:
    if not isinstance(element, Hours) or element.unit != "moment":
        return False
    return any(option.start < BEGINS * 60 for option in element.options)


def _from_midnight(element: Element) -> Element:
    if isinstance(element, Hours) and element.unit == "morning":
        return replace(element, options=tuple(replace(one, start=0, before=0) for one in element.options))
    if isinstance(element, Fixed) and element.window.unit == "morning":
        start = element.window.start - timedelta(hours=BEGINS)
        return replace(element, window=replace(element.window, start=start))
    return element
