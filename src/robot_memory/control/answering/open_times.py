"""When something told was: the time phrase of a sentence, looked up from the day on which it was said.

"I went there yesterday", said on 8 May 2023, was on 7 May 2023. What is told loosely stays as loose: "last week" is
the week before the day of telling, "last year" a year. A sentence without a time phrase says nothing of when.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.control.answering.open_words import TOLD_TIMES
from robot_memory.control.clock import CALENDAR_NS, Zone
from robot_memory.control.times import Span, UnknownTime, span_in
from robot_memory.streams.media import SECOND

DAY_NS = 86_400 * SECOND
A_DAY, A_WEEKEND, A_WEEK, A_MONTH = 1.3 * DAY_NS, 3.5 * DAY_NS, 9 * DAY_NS, 32 * DAY_NS  # the longest of each
BEFORE_OR_AFTER = re.compile(r"\b(?:last|past|next|coming|this|on)\b", re.IGNORECASE)
AGO = re.compile(r"\b(?:ago|back)$", re.IGNORECASE)
DAYS_AGO = re.compile(r"\bdays? (?:ago|back)$", re.IGNORECASE)
UNCLEAR = re.compile(r"(?:on|over|by) (?!.*\d)|this (?!morning|afternoon|evening|week|month|year)", re.IGNORECASE)
VAGUE = re.compile(r"\b(?:few|couple|several)\b", re.IGNORECASE)
FORMS = ("this past ", "past ", "coming ", "on ", "over ", "this ", "back ", "by ", "the ")


@dataclass(frozen=True)
class Moment:
    """`words`: as it is said in an answer; `at`: how it was told, at `said_ns`; the range in ns, half-open. `clear`: it
    can mean no other ("on Friday" may be the last one or the next).
    """

    words: str
    at: str
    start_ns: int
    end_ns: int
    said_ns: int
    clear: bool = True


def moments(text: str, said_ns: int, zone: Zone) -> Iterator[Moment]:
    """Every time that a sentence tells, in its order. None of a clock without a calendar."""
    if said_ns < CALENDAR_NS:
        return
    for match in TOLD_TIMES.finditer(text):
        at = match.group()
        span = _span(at, said_ns, zone)
        if span is not None and span.start_ns is not None and span.end_ns is not None:
            clear = not UNCLEAR.match(at)
            yield Moment(_said(at, span, said_ns, zone), at, span.start_ns, span.end_ns, said_ns, clear)


def the_day(said_ns: int, zone: Zone) -> Moment:
    """The day on which something was said."""
    return Moment(date(said_ns, zone), "", said_ns, said_ns + 1, said_ns)


def date(stamp_ns: int, zone: Zone) -> str:
    """ "7 May 2023"."""
    then = zone.at(stamp_ns)
    return f"{then.day} {then:%B %Y}"


def _span(at: str, said_ns: int, zone: Zone) -> Span | None:
    """The range of a phrase as told: what it is in a question, else in the plainest words for it."""
    low = at.lower()
    for form in FORMS:
        if low.startswith(form):
            plain = low.removeprefix(form)
            lead = "next " if form == "coming " else "last " if "past" in form else ""
            break
    else:
        plain, lead = low, ""
    for words in (low, lead + plain, plain, f"in {plain}"):
        try:
            span, rest = span_in(words, said_ns, zone)
        except UnknownTime:
            continue
        if span.start_ns is not None and span.end_ns is not None and not re.search(r"\w", rest):
            return span
    return None


def _said(at: str, span: Span, said_ns: int, zone: Zone) -> str:
    """The range in words, as exact as it was told."""
    assert span.start_ns is not None and span.end_ns is not None
    long, low = span.end_ns - span.start_ns, at.lower()
    middle = zone.at((span.start_ns + span.end_ns) // 2)
    told, later = date(said_ns, zone), span.start_ns > said_ns
    side = "after" if later else "before"
    if AGO.search(low) and not DAYS_AGO.search(low):
        count, unit = low.rsplit(" ", 1)[0].rsplit(" ", 1)
        if VAGUE.search(count):
            return f"{count} {unit} before {told}"
        if unit.startswith("year"):
            return f"{middle:%Y}"
        if unit.startswith("month") and long <= A_MONTH + A_WEEK:
            return f"{middle:%B %Y}"
        return f"{count} {unit} before {told}"
    if long <= A_DAY:
        named = f"{middle:%A}".lower()
        if re.search(rf"\b(?:last|past|next|coming|this|on)\b.*\b{named[:3]}", low):
            return f"the {middle:%A} {side} {told}"
        return date(span.start_ns, zone)
    if long <= A_WEEKEND:
        return f"the weekend {side} {told}"
    if long <= A_WEEK:
        return f"the week of {told}" if low.startswith("this") and "past" not in low else f"the week {side} {told}"
    if long <= A_MONTH:
        return f"{middle:%B %Y}"
    return f"{middle:%Y}" if long > 200 * DAY_NS else f"{low.rsplit(' ', 1)[-1]} {middle:%Y}"
