"""Weekdays, dates and times of day, each as one word: "@friday", "@every_friday_evening", "@03-14", "@08:00".

A time that may be of either half of the day ("half past three", "3:30") is written "@3:30?" and equals no other; one
with a leading zero, beyond twelve, or with its part of the day is known. "Tomorrow" and "next week" are counted from
the day they are said, where that is known: the same words mean another day tomorrow.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from robot_memory.memory.insertion.wording.tables import listed, table

CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
EPOCH = date(1970, 1, 1)
YEAR = re.compile(r"(?:1[89]|2[01])\d\d")


def as_times(words: list[str], day: int | None = None) -> list[str]:
    """Words (numbers in figures, no amounts yet) with times as one word each. `day` they are said on: days since 1970,
    local; None: unknown.
    """
    found, place = list[str](), 0
    while place < len(words):
        for rule in (_clock, _date, _weekday, _relative):
            taken, used = rule(words, place, day)
            if used:
                break
        else:
            taken, used = words[place], 1
        found.append(taken)
        place += used
    return found


Rule = tuple[str, int]  # what is written, and how many words it stands for (0: the rule does not apply)


def _clock(words: list[str], place: int, day: int | None) -> Rule:
    hour, minute, used, known = _face_of_clock(words, place)
    if not used:
        return "", 0
    while (part := _part_of_day(words, place + used))[1]:
        known, used = True, used + part[1]
        hour = _hour(hour, part[0])
    sure = known or hour > 12 or hour == 0
    return (f"@{hour % 24:02}:{minute:02}" if sure else f"@{hour}:{minute:02}?"), used


def _face_of_clock(words: list[str], place: int) -> tuple[int, int, int, bool]:
    """Hour, minute, words used, and whether the half of the day is known; 0 words for no time."""
    here, then, last = (*words[place : place + 3], "", "")[:3]
    fixed = table("calendar")["fixed"]
    if here in fixed:
        return int(fixed[here][:2]), int(fixed[here][3:]), 1, True
    if (clock := CLOCK.fullmatch(here)) and int(clock[1]) < 25 and int(clock[2]) < 60:
        return int(clock[1]), int(clock[2]), 1 + (then == "o'clock"), here.startswith("0")
    if then in ("past", "to") or (then in ("minutes", "minute") and last in ("past", "to")):
        return _past(words, place, here, then in ("past", "to"))
    if not (here.isdecimal() and int(here) <= 24):
        return 0, 0, 0, False
    if then == "o'clock":
        return int(here), 0, 2, False
    at = place > 0 and words[place - 1] == "at"
    ends = not then or then in listed("calendar", "announcing") or then in ("and", "today", "tomorrow")
    if _part_of_day(words, place + 1)[1] or (at and (ends or then in listed("calendar", "weekdays"))):
        return int(here), 0, 1, False
    return 0, 0, 0, False


def _past(words: list[str], place: int, minutes: str, short: bool) -> tuple[int, int, int, bool]:
    """ "half past 3", "quarter to 9", "10 minutes past 4"."""
    behind = place + (1 if short else 2)
    hour = words[behind + 1] if behind + 1 < len(words) else ""
    count = {"half": 30, "quarter": 15}.get(minutes, int(minutes) if minutes.isdecimal() else 60)
    named = minutes in ("half", "quarter") or not short or count in range(1, 31)
    if count > 59 or not named or not (hour.isdecimal() and 0 < int(hour) <= 24):
        return 0, 0, 0, False
    if short and minutes.isdecimal() and words[behind] == "to" and count % 5:
        return 0, 0, 0, False  # 3 to 7: a span
    if short and minutes.isdecimal() and words[behind] == "to" and not (place and words[place - 1] == "at"):
        return 0, 0, 0, False
    before = words[behind] == "to"
    full = (int(hour) - 1 if int(hour) > 1 else 12) if before else int(hour)
    return full, 60 - count if before else count, behind + 2 - place, False


def _part_of_day(words: list[str], place: int) -> Rule:
    """am, pm, "in the morning", "at night" …"""
    here = words[place] if place < len(words) else ""
    if here in ("am", "pm"):
        return here, 1
    parts: dict[str, str] = table("calendar")["parts"]
    for lead in (["in", "the"], ["at"], ["on", "the"]):
        after = place + len(lead)
        if words[place:after] == lead and after < len(words) and words[after] in parts:
            return parts[words[after]], len(lead) + 1
    return "", 0


def _hour(hour: int, part: str) -> int:
    if part == "am":
        return 0 if hour == 12 else hour
    if part == "pm":
        return hour + 12 if hour < 12 else hour
    return hour + 12 if 6 <= hour < 12 else (0 if hour == 12 else hour)


def _date(words: list[str], place: int, day: int | None) -> Rule:
    """ISO dates, "14 March 2025", "March 14th", "the 14th of March"."""
    here = words[place]
    if ISO.fullmatch(here):
        return f"@{here}", 1
    if (number := _day_of_month(here)) and place + 1 < len(words):
        after = place + 1 + (words[place + 1] == "of")
        month = _month(words[after]) if after < len(words) else 0
        if month:
            return _dated(words, after + 1, month, number, after + 1 - place)
    if (month := _month(here)) and place + 1 < len(words):
        after = place + 1 + (words[place + 1] == "the")
        number = _day_of_month(words[after]) if after < len(words) else 0
        if number:
            return _dated(words, after + 1, month, number, after + 1 - place)
    return "", 0


def _dated(words: list[str], after: int, month: int, number: int, used: int) -> Rule:
    year = words[after] if after < len(words) and YEAR.fullmatch(words[after]) else ""
    return f"@{year}-{month:02}-{number:02}".replace("@-", "@"), used + bool(year)


def _day_of_month(word: str) -> int:
    digits = word[:-2] if word.endswith("th") else word
    return int(digits) if digits.isdecimal() and 0 < int(digits) < 32 else 0


def _month(word: str) -> int:
    months: list[str] = table("calendar")["months"].split()
    full = table("calendar")["short_months"].get(word, word)
    return months.index(full) + 1 if full in months else 0


def _weekday(words: list[str], place: int, day: int | None) -> Rule:
    """ "@friday"; "@every_friday" for Fridays, every Friday, each Friday."""
    calendar = table("calendar")
    here = words[place]
    every = here in ("every", "each")
    name, then = _named(words, place + every)
    if not name:
        return "", 0
    used, part = 1 + every, ""
    behind = place + used + 2 * (words[place + used : place + used + 2] == ["in", "the"])
    if behind < len(words) and words[behind] in calendar["parts"]:
        used, part = behind + 1 - place, f"_{words[behind]}"
    if every or (then.endswith("s") and then[:-1] == name):
        return f"@every_{name}{part}", used
    return f"@{name}{part}", used


def _named(words: list[str], place: int) -> tuple[str, str]:
    """The weekday a word names and the word; ("", "") for none."""
    calendar = table("calendar")
    word = words[place] if place < len(words) else ""
    days = listed("calendar", "weekdays")
    announced = place > 0 and words[place - 1] in listed("calendar", "announcing")
    full = calendar["short"].get(word) or (calendar["short_after"].get(word) if announced else None) or word
    if full in days:
        return full, word
    return (full[:-1], word) if full.endswith("s") and full[:-1] in days else ("", "")


def _relative(words: list[str], place: int, day: int | None) -> Rule:
    """Days counted from the day it is said: "@+1" or, where that day is known, its date; "next week" by its week."""
    calendar = table("calendar")
    here = words[place]
    if here in calendar["days_from_today"]:
        ahead = int(calendar["days_from_today"][here])
        night = "_night" if here == "tonight" else ""
        return (f"@{ahead:+}{night}" if day is None else f"@{_iso(day + ahead)}{night}"), 1
    then = words[place + 1] if place + 1 < len(words) else ""
    name = _named(words, place + 1)[0] or (then if then in (*listed("calendar", "spans"), *calendar["parts"]) else "")
    if here in listed("calendar", "relative") and name:
        said = "" if day is None else f"_of_{_iso(day if name in calendar['parts'] else day - _weekday_of(day))}"
        return f"@{here}_{name}{said}", 2
    return "", 0


def _iso(day: int) -> str:
    return (EPOCH + timedelta(days=day)).isoformat()


def _weekday_of(day: int) -> int:
    return (EPOCH + timedelta(days=day)).weekday()
