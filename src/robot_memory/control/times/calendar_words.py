"""Rules for days, weeks, months, years, seasons and feasts: "last Tuesday", "the week before last", "on 3 May 2026"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from robot_memory.control.times import words
from robot_memory.control.times.elements import Element, Hours, Option, days
from robot_memory.control.times.patterns import month_of, ordinal_of, weekday_of
from robot_memory.control.times.wall import Now
from robot_memory.control.times.windows import (
    DAY,
    MONTH,
    MONTHDAY,
    MONTHLY,
    PART,
    SEASON,
    WEEK,
    WEEKLY,
    YEAR,
    YEARLY,
    Ambiguous,
    Fixed,
    Recurring,
    Window,
)

Said = re.Match[str]
RANKS = {"day": DAY, "week": WEEK, "weekend": WEEK, "month": MONTH, "year": YEAR}
BACK = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1, "this": 0, "whole": 0, "all": 0}


def add_months(day: datetime, months: int) -> datetime:
    """The same day of another month, or that month's last. Raises ValueError outside the calendar."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = datetime(year, month + 1, 1)
    long = ((first + timedelta(days=32)).replace(day=1) - first).days
    return day.replace(year=year, month=month + 1, day=min(day.day, long))


def unit_window(unit: str, now: Now, steps: int) -> Window:
    """The calendar's day, week (from Monday), weekend, month or year, so many steps from the current one."""
    today = now.today
    monday = today - timedelta(days=today.weekday())
    if unit == "day":
        return Window(today + timedelta(days=steps), today + timedelta(days=steps + 1))
    if unit == "week":
        return Window(monday + timedelta(weeks=steps), monday + timedelta(weeks=steps + 1), unit)
    if unit == "weekend":
        saturday = monday + timedelta(weeks=steps, days=5)
        return Window(saturday, saturday + timedelta(days=2), unit)
    months = 12 if unit == "year" else 1
    first = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    return Window(add_months(first, months * steps), add_months(first, months * (steps + 1)), unit)


def nearby_day(said: Said, now: Now) -> Fixed:
    steps = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(said[0].split()[-1], 0)
    if "before yesterday" in " ".join(said[0].split()):
        steps = -2
    if "after tomorrow" in " ".join(said[0].split()):
        steps = 2
    return Fixed(unit_window("day", now, steps), DAY)


def named_unit(said: Said, now: Now) -> Fixed:
    """ "last week", "this month", "all year"."""
    return Fixed(unit_window(said["which"], now, BACK[said["step"]]), RANKS[said["which"]])


def unit_before_last(said: Said, now: Now) -> Fixed:
    return Fixed(unit_window(said["which"], now, -2), RANKS[said["which"]])


def unclear(said: Said, now: Now) -> Fixed:
    """What people read in two ways, or only in some places: "a week on Friday", "Friday week", "a week today"."""
    raise Ambiguous


def the_weekend(said: Said, now: Now) -> Recurring:
    return Recurring(WEEK, WEEKLY, lambda around: _each_day(around, lambda day: day.weekday() == 5, "weekend", 2))


def the_other_day(said: Said, now: Now) -> Fixed:
    return Fixed(Window(now.today - timedelta(days=7), now.today), DAY)


def part_of(kind: str) -> Hours:
    """A part of the day as hours of any day."""
    from_hour, to_hour, *_ = words.PARTS[kind]
    unit = "night" if "night" in kind else kind
    start, end = from_hour * 60, to_hour * 60
    return Hours((Option(start, end, start, end),), unit)


def part_of_day(said: Said, now: Now) -> Hours:
    """ "in the morning", "at night"; after a named day, the night with its evening."""
    dead = said["part"] == "night" and re.match(r"(?:at|in|during|through|throughout)\b", said[0])
    return part_of("dead of night" if dead else said["part"])


def this_part(said: Said, now: Now) -> Fixed:
    """ "this morning", "tonight", "last night"; before dawn, last evening's night is still this night."""
    part = said.groupdict().get("part") or "night"
    day = now.today
    lasts = part == "night" and now.wall.hour < words.PARTS["night"][1] - 24
    step = said["step"] if "step" in said.re.groupindex else "this"
    if step == "before last":
        day -= timedelta(days=2)
    elif lasts or step in ("last", "yesterday"):
        day -= timedelta(days=1)
    if step in ("next", "tomorrow"):
        day += timedelta(days=1)
    (option,) = part_of(part).options
    start, end = day + timedelta(minutes=option.start), day + timedelta(minutes=option.end)
    return Fixed(Window(start, end, part), PART)


def weekday(said: Said, now: Now) -> Recurring:
    number = weekday_of(said["weekday"])
    return Recurring(DAY, WEEKLY, lambda around: _each_day(around, lambda day: day.weekday() == number))


def stepped_weekday(said: Said, now: Now) -> Fixed:
    """ "last Tuesday" (strictly before today), "this Tuesday" (of this week), "next Tuesday" (after today)."""
    number, today = weekday_of(said["weekday"]), now.today
    back = (today.weekday() - number - 1) % 7 + 1
    step = {"last": -back, "past": -back, "previous": -back, "this": number - today.weekday(), "before last": -back - 7}
    start = today + timedelta(days=step.get(said["step"], (number - today.weekday() - 1) % 7 + 1))
    return Fixed(Window(start, start + timedelta(days=1)), DAY)


def month(said: Said, now: Now) -> Recurring:
    number = month_of(said["month"])
    return _yearly(MONTH, lambda year: _months(datetime(year, number, 1), 1, "month"))


def month_and_year(said: Said, now: Now) -> Fixed:
    return Fixed(_months(datetime(int(said["year"]), month_of(said["month"]), 1), 1, "month"), MONTH)


def year(said: Said, now: Now) -> Fixed:
    return Fixed(_months(datetime(int(said["year"]), 1, 1), 12, "year"), YEAR)


def decade(said: Said, now: Now) -> Fixed:
    century = int(said["century"]) if said["century"] else 19 if int(said["tens"]) > 2 else 20
    return Fixed(_months(datetime(century * 100 + int(said["tens"]) * 10, 1, 1), 120, "decade"), YEAR)


def season(said: Said, now: Now) -> Recurring:
    first = words.SEASONS[said["season"]]
    return _yearly(SEASON, lambda year: _months(datetime(year, first, 1), 3, "season"))


def date(said: Said, now: Now) -> Element:
    """ "3 May", "May 3rd, 2024", "3rd to 5th May"."""
    number, day = month_of(said["month"]), ordinal_of(said["day"])
    last = ordinal_of(said["last"]) if "last" in said.re.groupindex else day
    if not 1 <= day <= last <= 31:
        raise Ambiguous

    def of(year: int) -> Window:
        return Window(datetime(year, number, day), datetime(year, number, last) + timedelta(days=1))

    written = said.groupdict().get("year")
    return Fixed(of(int(written)), MONTHDAY) if written else _yearly(MONTHDAY, of)


def numeric_date(said: Said, now: Now) -> Fixed:
    """ "2024-12-25", "25.12.2024"; with slashes either order, if only one can be meant."""
    year_, one, two = int(said["year"]), int(said["one"]), int(said["two"])
    orders = {"-": [(one, two)], ".": [(two, one)], "/": [(one, two), (two, one)]}[said["sep"]]
    if said["sep"] == "-" and said[0].index(said["year"]) > 0:
        orders = [(two, one)]
    found = {(m, d) for m, d in orders if 1 <= m <= 12 and 1 <= d <= 31}
    if len(found) != 1:
        raise Ambiguous
    start = datetime(year_, *found.pop())
    return Fixed(Window(start, start + timedelta(days=1)), MONTHDAY)


def day_of_month(said: Said, now: Now) -> Recurring:
    number = ordinal_of(said["dayth"] or said["digits"])
    if not 1 <= number <= 31:
        raise Ambiguous
    return Recurring(MONTHDAY, MONTHLY, lambda around: _each_day(around, lambda day: day.day == number))


def feast(said: Said, now: Now) -> Recurring:
    name = " ".join(said["feast"].split())
    return _yearly(MONTHDAY, lambda year: _feast(name, year))


def stepped(meaning: Callable[[Said, Now], Recurring]) -> Callable[[Said, Now], Fixed]:
    """ "last", "this", "next" before a month, a season or a feast: the latest that is over, this year's, the next."""

    def fixed(said: Said, now: Now) -> Fixed:
        piece = meaning(said, now)
        around = Window(now.today - timedelta(days=3 * 366), now.today + timedelta(days=3 * 366))
        found = list(piece.within(around))
        if said["step"] == "this":
            found = [w for w in found if w.start.year == now.wall.year]
        elif said["step"] in ("next", "coming"):
            found = [w for w in found if w.start > now.wall][:1]
        else:
            over = [w for w in found if w.end <= now.wall]
            found = over[-2:-1] if said["step"] == "before last" else over[-1:]
        if len(found) != 1:
            raise Ambiguous
        return Fixed(found[0], piece.rank)

    return fixed


def easter(year: int) -> datetime:
    """Easter Sunday of the Gregorian calendar (Butcher's rule, as in Meeus, Astronomical Algorithms, ch. 8)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    leap_centuries, odd_centuries = divmod(century, 4)
    moon_shift = (century - (century + 8) // 25 + 1) // 3
    full_moon = (19 * golden + century - leap_centuries - moon_shift + 15) % 30
    to_sunday = (32 + 2 * odd_centuries + 2 * (rest // 4) - full_moon - rest % 4) % 7
    late = (golden + 11 * full_moon + 22 * to_sunday) // 451
    month_, day = divmod(full_moon + to_sunday - 7 * late + 114, 31)
    return datetime(year, month_, day + 1)


def _feast(name: str, year: int) -> Window:
    if name == "thanksgiving":  # the fourth Thursday of November
        first = datetime(year, 11, 1)
        start, long = first + timedelta(days=(3 - first.weekday()) % 7 + 21), 1
    elif name in words.EASTER_FEASTS:
        shift, long = words.EASTER_FEASTS[name]
        start = easter(year) + timedelta(days=shift)
    else:
        month_, day, long = words.FEASTS[name]
        start = datetime(year, month_, day)
    return Window(start, start + timedelta(days=long))


def _months(first: datetime, count: int, unit: str) -> Window:
    return Window(first, add_months(first, count), unit)


def _yearly(rank: int, of: Callable[[int], Window]) -> Recurring:
    def within(around: Window) -> Iterator[Window]:
        for number in range(around.start.year - 1, around.end.year + 1):
            try:
                found = of(number)
            except ValueError:  # 29 February
                continue
            if around.start <= found.start < around.end:
                yield found

    return Recurring(rank, YEARLY, within)


def _each_day(around: Window, wanted: Callable[[datetime], bool], unit: str = "day", long: int = 1) -> Iterator[Window]:
    for day in days(around.start, around.end):
        if wanted(day) and day + timedelta(days=long) > around.start:
            yield Window(day, day + timedelta(days=long), unit)
