"""Days counted from the day on which something is said: what "tomorrow", "in three days" or "next month" come to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from robot_memory.memorization.speech.tables import table
from robot_memory.memorization.speech.told import Line

EPOCH = date(1970, 1, 1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
PREPOSITION = re.compile(r"^(by|until|till|before|after|from|for)\b", re.IGNORECASE)
PART = re.compile(r"\b(morning|afternoon|evening|night|lunchtime)$", re.IGNORECASE)
NUMBER = re.compile(r"\d+")


def reads(rule: str, said: re.Match[str], line: Line) -> str:
    """The words for a time that was said, by the rule that dates.yaml names for it."""
    return RULES[rule](said, EPOCH + timedelta(days=line.day))


def today(line: Line) -> str:
    """The day of a line: "on Tuesday 3 March"."""
    day = EPOCH + timedelta(days=line.day)
    return f"on {WEEKDAYS[day.weekday()]} {_dated(day)}"


def _tomorrow(said: re.Match[str], today: date) -> str:
    return _on(said, today + timedelta(days=1))


def _in_two_days(said: re.Match[str], today: date) -> str:
    return _on(said, today + timedelta(days=2))


def _today(said: re.Match[str], today: date) -> str:
    if said[0].lower() == "tonight":
        return f"{_on(said, today)} in the evening"
    return _on(said, today)


def _in_days(said: re.Match[str], today: date) -> str:
    number = _number(said)
    return _on(said, today + timedelta(days=number)) if number else _plain(said)


def _weeks_from(said: re.Match[str], today: date) -> str:
    """ "a week on Friday", "two weeks from today": counted from the next such day."""
    start, said_from = today, said["from"].lower()
    if "tomorrow" in said_from:
        start = today + timedelta(days=1)
    elif weekday := next((n for n, name in enumerate(WEEKDAYS) if name.lower() in said_from), None):
        start = _next_weekday_of(today, weekday)
    weeks = _numbers().get((said["n"] or "a").lower(), 1)
    return f"{_plain(said)} ({_dated(start + timedelta(weeks=weeks))})"


def _in_weeks(said: re.Match[str], today: date) -> str:
    """A week or a fortnight is a date; so many weeks are a little before or after one."""
    weeks = 2 if (said["w"] or "").lower() == "fortnight" else 1 if said["w"] else _number(said)
    return f"{_plain(said)} (around {_dated(today + timedelta(weeks=weeks))})" if weeks else _plain(said)


def _in_months(said: re.Match[str], today: date) -> str:
    number = _number(said)
    return f"{_plain(said)} ({_month(today, number)})" if number else _plain(said)


def _day_of_month(said: re.Match[str], today: date) -> str:
    """ "on the twelfth": the next day of that number."""
    number = _ordinal(said["date"].lower())
    for months in range(3):
        year, month = _months_on(today, months)
        if not _exists(year, month, number) or date(year, month, number) < today:
            continue
        return f"{_plain(said)} ({_dated(date(year, month, number))})"
    return _plain(said)


def _weekday(said: re.Match[str], today: date) -> str:
    day = said["day"].capitalize()
    return " ".join(filter(None, (_preposition(said), day, _part(said))))


def _next_weekday(said: re.Match[str], today: date) -> str:
    """ "next Friday", "Friday next week": that of the next calendar week, as most people mean it."""
    weekday = [name.lower() for name in WEEKDAYS].index((said["day"] or said["day2"]).lower())
    day = today + timedelta(days=7 - today.weekday() + weekday)
    return f"{_plain(said)} ({_dated(day)})"


def _unit(said: re.Match[str], today: date) -> str:
    ahead = 1 if said["which"].lower() == "next" else 0
    unit, monday = said["unit"].lower(), today - timedelta(days=today.weekday())
    if unit in ("week", "fortnight"):
        return f"{_plain(said)} (from {_dated(monday + timedelta(weeks=ahead))})"
    if unit == "weekend":
        return f"{_plain(said)} ({_dated(monday + timedelta(weeks=ahead, days=5))})"
    return f"{_plain(said)} ({_month(today, ahead) if unit == 'month' else today.year + ahead})"


def _season(said: re.Match[str], today: date) -> str:
    """The next season of that name to begin, or the one that is."""
    first = int(table("dates")["season_months"][said["season"].lower()])
    running = (today.month - first) % 12 < 3
    year = today.year if first > today.month or (running and first <= today.month) else today.year + 1
    if running and said["which"].lower() == "next":
        year += 1 if first <= today.month else 0
    return f"{_plain(said)} ({year})"


def _every(said: re.Match[str], today: date) -> str:
    """ "on a Friday" said of a habit: every Friday."""
    return re.sub(r"^(?:on|of) an? ", "every ", _plain(said))


RULES: Mapping[str, Callable[[re.Match[str], date], str]] = {
    "tomorrow": _tomorrow,
    "in_two_days": _in_two_days,
    "today": _today,
    "in_days": _in_days,
    "weeks_from": _weeks_from,
    "in_weeks": _in_weeks,
    "in_months": _in_months,
    "day_of_month": _day_of_month,
    "weekday": _weekday,
    "next_weekday": _next_weekday,
    "unit": _unit,
    "season": _season,
    "every": _every,
}


def _on(said: re.Match[str], day: date) -> str:
    words = f"{_preposition(said)} {WEEKDAYS[day.weekday()]} {_dated(day)}"
    part = _part(said)
    return f"{words} {'at' if part in ('night', 'lunchtime') else 'in the'} {part}" if part else words


def _preposition(said: re.Match[str]) -> str:
    found = PREPOSITION.match(said[0])
    word = found[1].lower() if found else "on"
    return "on" if word == "for" else "until" if word == "till" else word


def _part(said: re.Match[str]) -> str:
    found = PART.search(said[0])
    return found[1].lower() if found else ""


def _plain(said: re.Match[str]) -> str:
    """As it was said, with capitals for names of days and months only."""
    words = " ".join(said[0].split()).lower()
    for name in (*WEEKDAYS, *MONTHS):
        if name != "May" and name != "March":
            words = re.sub(rf"\b{name.lower()}\b", name, words)
    return words


def _dated(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]}"


def _month(today: date, months: int) -> str:
    year, month = _months_on(today, months)
    return f"{MONTHS[month - 1]} {year}"


def _months_on(today: date, months: int) -> tuple[int, int]:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    return year, month + 1


def _exists(year: int, month: int, number: int) -> bool:
    try:
        date(year, month, number)
    except ValueError:
        return False
    return True


def _next_weekday_of(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _number(said: re.Match[str]) -> int:
    """The number a phrase counts with; 0 for "a few"."""
    groups = said.groupdict()
    word = (groups.get("n") or groups.get("m") or "").lower()
    return int(word) if word.isdecimal() else _numbers().get(word, 0)


def _numbers() -> Mapping[str, int]:
    numbers: Mapping[str, int] = table("dates")["numbers"]
    return numbers


def _ordinal(word: str) -> int:
    """The number of "twelfth" or "12th"; 0 for none."""
    if found := NUMBER.match(word):
        return int(found[0])
    counted = {name: n for n, name in enumerate(str(table("dates")["counted"]).split(), start=1)}
    tens, _, unit = word.partition("-")
    if unit:
        return {"twenty": 20, "thirty": 30}[tens] + counted[unit]
    return 30 if word == "thirtieth" else counted.get(word, 0)
