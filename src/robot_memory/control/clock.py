"""A moment in words: how it is said to a person, in the session's own zone. What people say of times: times/."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from robot_memory.streams.media import SECOND

CALENDAR_NS = 946_684_800 * SECOND  # stamps before the year 2000 count from a simulation's start, not from 1970
MOST_OFFSET_S = 86_399


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


def iso(stamp_ns: int, zone: Zone) -> str:
    """2026-03-02T09:30:05+01:00; seconds where that is beyond the calendar."""
    try:
        return zone.at(stamp_ns).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return f"{stamp_ns / 1e9:.0f} s"


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
