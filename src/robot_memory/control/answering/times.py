"""Moments and lengths of time as one says them: "this morning at 9:12", "on Monday at 17:05", "about 12 minutes".

The words are those of the session's zone, seen from the moment of asking. Clocks without a calendar (a simulation's)
keep their seconds. A length is measured between stamps, so it holds across a night in which the clocks change.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from robot_memory.control.clock import CALENDAR_NS, Zone, say
from robot_memory.streams.media import SECOND

MINUTE, HOUR, DAY = 60, 3600, 86_400  # seconds
MORNING, NOON, EVENING = 5, 12, 18  # hours; before the first of them it is night
WEEK = 7  # days ahead or back in which a weekday's name means one day
NEAR = {0: "today", 1: "yesterday", -1: "tomorrow"}
LEAD = {0: "this", 1: "yesterday", -1: "tomorrow"}  # before "morning"
SHORTEST_MINUTE = 50  # seconds: from here on one speaks of a minute
UNITS = {"seconds": 1, "minutes": MINUTE, "hours": HOUR, "days": DAY}


def at(stamp_ns: int, now_ns: int, zone: Zone) -> str:
    """ "this morning at 9:12", "yesterday evening at 18:40", "on Monday at 9:12", "on 3 March at 9:12", "at 95 s"."""
    return f"{_lead(stamp_ns, now_ns, zone)} at {clock(stamp_ns, zone)}".lstrip()


def between(start_ns: int, end_ns: int, now_ns: int, zone: Zone) -> str:
    """ "this morning from 9:12 to 9:31", "from yesterday at 23:50 to today at 0:10"; a moment where it is one."""
    start, end = clock(start_ns, zone), clock(end_ns, zone)
    if _date(start_ns, zone) != _date(end_ns, zone):
        first, last = (day(stamp_ns, now_ns, zone).removeprefix("on ") for stamp_ns in (start_ns, end_ns))
        return f"from {first} at {start} to {last} at {end}"
    if start == end:
        return at(start_ns, now_ns, zone)
    leads = {_lead(stamp_ns, now_ns, zone) for stamp_ns in (start_ns, end_ns)}
    lead = leads.pop() if len(leads) == 1 else day(start_ns, now_ns, zone)
    return f"{lead} from {start} to {end}".lstrip()


def moments(stamps_ns: Sequence[int], now_ns: int, zone: Zone) -> str:
    """Several moments, each day said once: "yesterday at 9:12, and today at 10:05 and 17:05"."""
    if len(stamps_ns) == 1:
        return at(stamps_ns[0], now_ns, zone)
    days: dict[str, list[str]] = {}
    for stamp_ns in stamps_ns:
        clocks, time = days.setdefault(day(stamp_ns, now_ns, zone), []), clock(stamp_ns, zone)
        if time not in clocks:
            clocks.append(time)
    said = [f"{its_day} at {joined(clocks)}".lstrip() for its_day, clocks in days.items()]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])}, and {said[-1]}"


def day(stamp_ns: int, now_ns: int, zone: Zone) -> str:
    """ "today", "yesterday", "on Monday", "on 3 March", "on 3 March 2025"; empty for a clock without a calendar."""
    if stamp_ns < CALENDAR_NS:
        return ""
    then, now = zone.at(stamp_ns), zone.at(now_ns)
    ago = _days_ago(then, now)
    return NEAR.get(ago) or f"on {_date_words(then, now, ago)}"


def clock(stamp_ns: int, zone: Zone) -> str:
    """ "9:12"; "95 s" for a clock without a calendar."""
    if stamp_ns < CALENDAR_NS:
        return say(stamp_ns, zone)
    then = zone.at(stamp_ns)
    return f"{then.hour}:{then:%M}"


def lasting(length_ns: int, unit: str = "") -> str:
    """ "40 seconds", "about 12 minutes", "about 1 hour and 20 minutes". `unit`: the one asked for ("minutes"); others
    are taken as they fit.
    """
    seconds = max(0, length_ns) / SECOND
    if unit in UNITS and (count := _rounded(seconds / UNITS[unit])):
        return _counted(count, unit.removesuffix("s"), about=unit != "seconds")
    if seconds < SHORTEST_MINUTE:
        return _counted(max(1, _rounded(seconds)), "second", about=False)
    minutes = max(1, _rounded(seconds / MINUTE))
    if minutes < HOUR // MINUTE:
        return _counted(minutes, "minute")
    hours, rest = divmod(5 * _rounded(minutes / 5), HOUR // MINUTE)
    whole = _counted(hours, "hour")
    return f"{whole} and {_counted(rest, 'minute', about=False)}" if rest else whole


def times(count: int) -> str:
    """ "once", "twice", "4 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def joined(parts: Sequence[str]) -> str:
    """ "Anna", "Anna and Ben", "Anna, Ben and Clara"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def _lead(stamp_ns: int, now_ns: int, zone: Zone) -> str:
    """The day, with the part of it where it is near: "this morning", "yesterday", "on Monday"."""
    if stamp_ns < CALENDAR_NS:
        return ""
    then, now = zone.at(stamp_ns), zone.at(now_ns)
    part = _part(then.hour)
    lead = LEAD.get(_days_ago(then, now), "")
    return f"{lead} {part}" if lead and part else day(stamp_ns, now_ns, zone)


def _part(hour: int) -> str:
    """The part of the day; empty in the night, which belongs to two days."""
    if hour < MORNING:
        return ""
    return "morning" if hour < NOON else "afternoon" if hour < EVENING else "evening"


def _date_words(then: datetime, now: datetime, ago: int) -> str:
    if abs(ago) < WEEK:
        return f"{then:%A}"
    return f"{then.day} {then:%B}" + ("" if then.year == now.year else f" {then.year}")


def _days_ago(then: datetime, now: datetime) -> int:
    return (now.date() - then.date()).days


def _date(stamp_ns: int, zone: Zone) -> object:
    return None if stamp_ns < CALENDAR_NS else zone.at(stamp_ns).date()


def _counted(count: int, unit: str, about: bool = True) -> str:
    return f"{'about ' if about else ''}{count} {unit}{'' if count == 1 else 's'}"


def _rounded(number: float) -> int:
    """To the nearest whole, halves up."""
    return int(number + 0.5)
