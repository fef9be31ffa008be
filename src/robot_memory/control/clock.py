"""Times in words: how a moment is said to a person, and what "today" or "the last hour" mean.

Words are taken in the session's own zone. A phrase that is about time but not understood is reported, never ignored:
"who was here last week?" must not be answered with today's visitors.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from robot_memory.streams.media import SECOND

CALENDAR_NS = 946_684_800 * SECOND  # stamps before the year 2000 count from a simulation's start, not from 1970

PARTS_OF_DAY = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24)}
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
MOST_OFFSET_S = 86_399
NOW_S = 3  # who was in view this long ago is still here
LONGEST_S = 100 * 366 * 86400
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10, "half an": 0.5}

LAST = re.compile(
    r"\b(?:in|during|within|over)?\s*the (?:last|past) "
    r"(?:(\d+|a|an|one|two|three|five|ten|half an) )?(second|minute|hour|day)s?\b"
)
PART = re.compile(r"\b(this|yesterday) (morning|afternoon|evening)\b")
DAY = re.compile(r"\b(today|yesterday)\b")
NOW = re.compile(r"\b(?:right now|just now|at the moment|now)\b")
OTHER = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tonight|noon|midnight|week|month|year|ago|since|before|after|until|between|during"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|\d{1,2}(?::\d\d)?\s?(?:am|pm|o['’]clock)|at \d{1,2}:\d\d)\b"
)


@dataclass(frozen=True)
class Zone:
    """Where the session's clock hangs: an IANA name if known, else an offset from UTC in seconds."""

    name: str = ""
    offset_s: int = 0

    def info(self) -> tzinfo:
        offset_s = max(-MOST_OFFSET_S, min(MOST_OFFSET_S, self.offset_s))
        with suppress(ZoneInfoNotFoundError, ValueError, OSError):
            if self.name:
                return ZoneInfo(self.name)
        return timezone(timedelta(seconds=offset_s))

    def at(self, stamp_ns: int) -> datetime:
        return datetime.fromtimestamp(stamp_ns / SECOND, self.info())


@dataclass(frozen=True)
class Span:
    """A time range in ns, half-open; None: unbounded. `words` is the phrase it came from."""

    start_ns: int | None = None
    end_ns: int | None = None
    words: str = ""


class UnknownTime(ValueError):
    """A time phrase that is not understood; its message is the phrase."""


def span_in(text: str, now_ns: int, zone: Zone) -> tuple[Span, str]:
    """The time range a question names and the question without it. Raises UnknownTime for phrases not understood."""
    lowered = text.lower()
    for pattern, meaning in ((LAST, _last), (PART, _part), (DAY, _day), (NOW, _now)):
        if match := pattern.search(lowered):
            span = meaning(match, now_ns, zone)
            return span, _without(text, match)
    if match := OTHER.search(lowered):
        raise UnknownTime(match.group(0))
    return Span(), text


def say(stamp_ns: int, zone: Zone) -> str:
    """A moment for a person: "09:30:05", or seconds where the clock is a simulation's."""
    if stamp_ns < CALENDAR_NS:
        return f"{stamp_ns / SECOND:.0f} s"
    return zone.at(stamp_ns).strftime("%H:%M:%S")


def say_date(stamp_ns: int, zone: Zone) -> str:
    """ "Monday 2 March 2026"; empty where the clock is a simulation's."""
    return "" if stamp_ns < CALENDAR_NS else f"{zone.at(stamp_ns):%A} {zone.at(stamp_ns).day} {zone.at(stamp_ns):%B %Y}"


def say_span(start_ns: int, end_ns: int, zone: Zone) -> str:
    """ "09:30:05" or "09:30:05 to 09:30:31"."""
    start, end = say(start_ns, zone), say(end_ns, zone)
    return start if start == end else f"{start} to {end}"


def say_day(stamp_ns: int, now_ns: int, zone: Zone) -> str:
    """ "today", "yesterday", or the date; empty where the clock is a simulation's."""
    if stamp_ns < CALENDAR_NS:
        return ""
    day, today = zone.at(stamp_ns).date(), zone.at(now_ns).date()
    return {0: "today", 1: "yesterday"}.get((today - day).days, f"on {say_date(stamp_ns, zone)}")


def _last(match: re.Match[str], now_ns: int, zone: Zone) -> Span:
    count, unit = match.group(1) or "one", match.group(2)
    number = float(count) if count.isdigit() else NUMBERS[count]
    if number * UNITS[unit] > LONGEST_S:
        raise UnknownTime(match.group(0).strip())
    return Span(now_ns - int(number * UNITS[unit] * SECOND), now_ns + 1, match.group(0).strip())


def _part(match: re.Match[str], now_ns: int, zone: Zone) -> Span:
    first, last = PARTS_OF_DAY[match.group(2)]
    midnight = _midnight(now_ns, zone, days_back=int(match.group(1) == "yesterday"))
    return Span(_ns(midnight + timedelta(hours=first)), _ns(midnight + timedelta(hours=last)), match.group(0))


def _day(match: re.Match[str], now_ns: int, zone: Zone) -> Span:
    midnight = _midnight(now_ns, zone, days_back=int(match.group(1) == "yesterday"))
    return Span(_ns(midnight), _ns(midnight + timedelta(days=1)), match.group(0))


def _now(match: re.Match[str], now_ns: int, zone: Zone) -> Span:
    return Span(now_ns - NOW_S * SECOND, now_ns + 1, "now")


def _midnight(now_ns: int, zone: Zone, days_back: int) -> datetime:
    today = zone.at(now_ns).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=days_back)


def _ns(moment: datetime) -> int:
    return int(moment.timestamp()) * SECOND


def _without(text: str, match: re.Match[str]) -> str:
    return " ".join((text[: match.start()] + " " + text[match.end() :]).split())
