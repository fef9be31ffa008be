"""Rules for hours: "at 9:15", "around half past nine", "noon", "at lunchtime".

Without am or pm an hour has two options; which one is meant shows where it is put together with days (windows.py).
"""

from __future__ import annotations

import re

from robot_memory.control.times import words
from robot_memory.control.times.elements import Hours, Option
from robot_memory.control.times.patterns import count_of
from robot_memory.control.times.wall import Now
from robot_memory.control.times.windows import Ambiguous, Recurring

Said = re.Match[str]
HALF_DAY = 720


def clock(said: Said, now: Now) -> Hours:
    """ "9", "9:15", "9 am", "9 o'clock sharp"."""
    fields = said.groupdict()
    minute = int(fields.get("minute") or 0)
    half = (fields.get("half") or "").replace(".", "")
    number = _hour(fields["hour"])
    bare = not (fields.get("minute") or half or "o'clock" in said[0])
    if half and not 1 <= number <= 12:
        raise Ambiguous
    slack = _slack(said, minute)
    if half:
        return _moment([number % 12 * 60 + minute + (HALF_DAY if half == "pm" else 0)], slack)
    if number > 12 or number == 0 or re.match(r"0\d", fields["hour"]):
        return _moment([number * 60 + minute], slack, bare)
    return _twice(number * 60 + minute, slack, bare)


def clock_range(said: Said, now: Now) -> Recurring:
    """ "2-4 pm"."""
    first = _hour(said["first"]) * 60 + int(said["firstminute"] or 0)
    opening = _twice(first, 0) if first <= HALF_DAY else _moment([first], 0)
    return opening.to(clock(said, now))


def spoken_clock(said: Said, now: Now) -> Hours:
    """ "half past nine", "a quarter to ten", "ten past two"."""
    minutes = {"half": 30, "quarter": 15}.get(said["past"]) or int(count_of(said["past"])[0])
    total = _hour(said["hour"]) * 60 + (minutes if said["side"] in ("past", "after") else -minutes)
    half = (said["half"] or "").replace(".", "")
    if half:
        return _moment([total % HALF_DAY + (HALF_DAY if half == "pm" else 0)], _slack(said, total % 60))
    return _twice(total, _slack(said, total % 60))


def named_hour(said: Said, now: Now) -> Hours:
    """Noon; and midnight, which begins a day, but ends it after "until"."""
    minute = words.NAMED_HOURS[said["named"]] * 60
    slack = _slack(said, 0)
    return Hours((Option(minute, minute, minute or 1440, minute, slack),))


def meal(said: Said, now: Now) -> Hours:
    earliest, usually, over, latest = (int(hour * 60) for hour in words.MEALS[said["meal"]])
    return Hours((Option(earliest, latest, usually, over),), "meal")


def _twice(minute: int, slack: int, bare: bool = False) -> Hours:
    first = minute % HALF_DAY
    return _moment([first, first + HALF_DAY], slack, bare)


def _moment(minutes: list[int], slack: int, bare: bool = False) -> Hours:
    options = [
        Option(minute, minute, minute, minute, slack, len(minutes) == 1 or minute // 60 in words.DAYTIME)
        for minute in minutes
    ]
    return Hours(tuple(options), bare=bare)


def _slack(said: Said, minute: int) -> int:
    if re.search(r"\b(?:around|about|roughly|approximately|circa|near|shortly|ish)\b|ish$", said[0]):
        return words.ROUGH_SLACK["minute" if minute else "hour"]
    if re.search(r"\b(?:exactly|sharp|on the dot|precisely)\b", said[0]):
        return words.SLACK["exactly"]
    return words.SLACK["quarter" if minute % 15 == 0 else "five" if minute % 5 == 0 else "minute"]


def _hour(said: str) -> int:
    return int(said) if said.isdigit() else words.NUMBERS[said]
