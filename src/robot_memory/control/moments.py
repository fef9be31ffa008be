"""Moments as people write them into options: 2026-03-02T09:30, 2026-03-02, yesterday, "two weeks ago", "March"."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime

from robot_memory.control.clock import CALENDAR_NS, Zone
from robot_memory.control.operator import quoted
from robot_memory.control.times import NotAMoment, Span, UnknownTime, moment_ns, span_in
from robot_memory.control.times.wall import Now
from robot_memory.errors import RobotMemoryError
from robot_memory.streams.media import SECOND

SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")  # of a simulation's clock
SINCE, UNTIL = "since", "until"
EXAMPLES = 'write 2026-03-02T09:30, 2026-03-02, yesterday, "last Tuesday" or "two weeks ago"'


class MomentUnclear(RobotMemoryError):
    """Words that name no time."""


def moment_of(written: str, bound: str, now_ns: int, zone: Zone) -> int:
    """The moment, in ns. Of a day or a longer time where it begins (`bound` since) or ends (until). Without a zone of
    its own it is in `zone`. Raises MomentUnclear.
    """
    text = written.strip()
    if now_ns < CALENDAR_NS and SECONDS.fullmatch(text):
        return int(float(text) * SECOND)
    with suppress(NotAMoment):
        return moment_ns(text)
    if "T" in text or ":" in text:
        with suppress(ValueError, OverflowError):
            wall, now = datetime.fromisoformat(text), Now.at(now_ns, zone)
            if wall.tzinfo is None:  # an hour that autumn has twice is the first of them since, the second until
                return now.start_ns(wall) if bound == SINCE else now.end_ns(wall)
    span = _span(f"{bound} {text}", written, now_ns, zone)
    found = span.start_ns if bound == SINCE else span.end_ns
    if found is None:
        raise MomentUnclear(f"{quoted(written)} names no time: {EXAMPLES}")
    return found


def range_of(words: str, now_ns: int, zone: Zone) -> Span:
    """The time range that a phrase names. Raises MomentUnclear."""
    span = _span(words, words, now_ns, zone)
    if span.anchor or (span.start_ns is None and span.end_ns is None):
        raise MomentUnclear(f"{quoted(words)} names no range of time: {EXAMPLES}")
    return span


def _span(text: str, written: str, now_ns: int, zone: Zone) -> Span:
    try:
        span, rest = span_in(text, now_ns, zone)
    except UnknownTime as error:
        raise MomentUnclear(f"{quoted(written)} is not understood as a time: {EXAMPLES}") from error
    return Span() if re.search(r"\w", rest) else span
