"""Moments in an answer: the clock times, days and spans it names, as stretches of time on the source's clock.

Reads "09:30:02", "half past nine", "3 pm", "yesterday at 10:15", "2 March", "on Monday", "20 minutes ago", and ranges
of them. What a phrase leaves open (which Monday?) gives several readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from robot_memory.control.clock import Zone
from robot_memory.evaluation.scoring.wording import SMALL, TENS
from robot_memory.streams.media import SECOND

Span = tuple[int, int]  # half-open, nanoseconds
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
_MONTHS = "january february march april may june july august september october november december"
MONTHS = tuple(_MONTHS.split())
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 30)}
UNITS = {"second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY, "month": 30 * DAY}
NUMBERS = {**SMALL, **TENS, "a": 1, "an": 1, "half an": 0.5, "a couple of": 2}
_NUMBER = r"\d+|" + "|".join(sorted(NUMBERS, key=len, reverse=True))
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" if month != "may" else month for month in MONTHS)
TOKENS = re.compile(
    rf"""
    (?P<iso>\b\d{{4}}-\d\d-\d\d\b)
  | \b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\ of)?\ (?P<month>{_MONTH})\b(?:,?\ (?P<year>\d{{4}})\b)?
  | \b(?P<month2>{_MONTH})\ (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\ (?P<year2>\d{{4}})\b)?
  | \b(?P<month3>{_MONTH})\ (?P<year3>\d{{4}})\b
  | \b(?P<near>the\ day\ before\ yesterday|yesterday|today|tomorrow|tonight)\b
  | \b(?P<weekday>{"|".join(WEEKDAYS)})\b
  | \b(?P<ago>{_NUMBER})\ (?P<unit>{"|".join(UNITS)})s?\ ago\b
  | \b(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:\ ?(?P<half>[ap])\.?m\b\.?)?
  | \b(?P<hour2>{_NUMBER})\ ?(?:(?P<half2>[ap])\.?m\b\.?|o'?clock\b)
  | \b(?P<past>half|quarter|five|ten|twenty|(?:{_NUMBER})(?=\ minutes))(?:\ minutes)?\ (?P<way>past|to)
    \ (?P<hour3>{_NUMBER})\b
  | \bat\ (?:about\ |around\ )?(?P<hour4>\d{{1,2}}|{"|".join(SMALL)})
    (?=\s*(?:$|[.,;!?)]|today\b|yesterday\b|on\b|and\b|or\b|sharp\b))
  | \b(?P<noon>noon|midday|midnight)\b
  | \b(?P<part>morning|afternoon|evening|night)\b
    """,
    re.VERBOSE,
)
_SMALL = "|".join(SMALL)
_OF_DAY = re.compile(  # "3:02 in the afternoon", "three this morning"
    rf"\b(\d{{1,2}}(?::\d\d)?|{_SMALL}) (in the|this) (?:(?:early|late) )?(morning|afternoon|evening)\b"
)
BETWEEN = re.compile(r"\s*(?:to|until|till|and|[-–—])\s*(?:about\s+)?")


@dataclass(frozen=True)
class Moment:
    """One time that is said; `readings` are what it may mean, each a span of time."""

    readings: tuple[Span, ...]
    words: str


@dataclass(frozen=True)
class _Clock:
    """A time of day in ns since midnight, and how exactly it was said."""

    since_midnight_ns: int
    exact_ns: int
    twelve: bool  # it may be meant in the afternoon: "half past three"


@dataclass(frozen=True)
class _Piece:
    """A stretch of the text that speaks of time: days (readings), a clock time or a part of the day."""

    start: int
    end: int
    words: str
    days: tuple[Span, ...] = ()
    clock: _Clock | None = None
    part: tuple[int, int] | None = None


_TODAY = re.compile(r"\bthis (?=(?:morning|afternoon|evening)\b)")


def moments(text: str, at_ns: int, zone: Zone, question: str = "") -> list[Moment]:
    """The moments an answer names, ranges joined. A clock time without a day is of the day that the `question` names,
    else the latest before `at_ns`.
    """
    text = _OF_DAY.sub(_half_of_day, text.lower().replace("’", "'"))
    text = _TODAY.sub("today ", text)
    pieces = list(_pieces(text, at_ns, zone))
    asked = next((piece.days for piece in _pieces(question, at_ns, zone) if piece.days), ())
    found: list[tuple[_Piece, Moment]] = []
    used: set[int] = set()
    clocks = any(piece.clock for piece in pieces)
    for n, piece in enumerate(pieces):
        if piece.clock is None and (piece.part is None or clocks):  # "yesterday morning at 9" is one time
            continue
        day = _day_for(pieces, n, used)
        days = day.days if day else asked or _latest(piece, at_ns, zone)
        readings = tuple(span for start, _ in days for span in _at(piece, start, zone))
        found.append((piece, Moment(readings, piece.words)))
    alone = [(p, Moment(p.days, p.words)) for n, p in enumerate(pieces) if p.days and n not in used]
    return _joined(sorted(found + alone, key=lambda one: one[0].start), text)


def _pieces(text: str, at_ns: int, zone: Zone) -> Iterator[_Piece]:
    for match in TOKENS.finditer(text.lower().replace("’", "'")):
        said = {key: value for key, value in match.groupdict().items() if value}
        place = (match.start(), match.end(), match.group(0))
        if clock := _clock(said):
            yield _Piece(*place, clock=clock)
        elif "part" in said:
            yield _Piece(*place, part=PARTS[said["part"]])
        elif days := _days(said, at_ns, zone):
            yield _Piece(*place, days=days)


def _half_of_day(match: re.Match[str]) -> str:
    half = "am" if match[3] == "morning" else "pm"
    return f"{match[1]} {half}" + " today" * (match[2] == "this")


def _clock(said: dict[str, str]) -> _Clock | None:
    """The time of day of a match; None if it is of another kind or impossible."""
    minute, second, exact = int(said.get("minute", 0)), int(said.get("second", 0)), MINUTE
    if "hour" in said:
        hour = float(said["hour"])
        exact = SECOND if "second" in said else MINUTE
    elif "hour2" in said:
        hour = _value(said["hour2"])
    elif "hour4" in said:
        hour = _value(said["hour4"])
    elif "hour3" in said:
        past = {"half": 30, "quarter": 15}.get(said["past"]) or int(_value(said["past"]))
        hour = _value(said["hour3"]) - (said["way"] == "to")
        minute = 60 - past if said["way"] == "to" else past
    elif "noon" in said:
        return _Clock(0 if said["noon"] == "midnight" else 12 * HOUR, MINUTE, twelve=False)
    else:
        return None
    half = said.get("half") or said.get("half2")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if not 0 <= hour < 24 or minute > 59 or second > 59 or hour != int(hour):
        return None
    twelve = half is None and "hour" not in said and hour <= 12
    return _Clock(int(hour) * HOUR + minute * MINUTE + second * SECOND, exact, twelve)


def _days(said: dict[str, str], at_ns: int, zone: Zone) -> tuple[Span, ...]:
    """The days (or, for "ago", the stretch) that a match may mean."""
    today = zone.at(at_ns).replace(hour=0, minute=0, second=0, microsecond=0)
    if "ago" in said:
        unit = UNITS[said["unit"]]
        if unit == DAY:
            return (_day(today - timedelta(days=_value(said["ago"]))),)
        middle = at_ns - int(_value(said["ago"]) * unit)
        return ((middle - unit // 2, middle + unit // 2),)
    if "near" in said:
        back = {"the day before yesterday": 2, "yesterday": 1, "tomorrow": -1}.get(said["near"], 0)
        return (_day(today - timedelta(days=back)),)
    if "weekday" in said:
        back = (today.weekday() - WEEKDAYS.index(said["weekday"])) % 7
        return tuple(_day(today - timedelta(days=days)) for days in (back, back - 7))
    if "month3" in said:
        first = today.replace(year=int(said["year3"]), month=_month(said["month3"]), day=1)
        return ((_ns(first), _ns((first + timedelta(days=32)).replace(day=1))),)
    return _dated(said, today)


def _dated(said: dict[str, str], today: datetime) -> tuple[Span, ...]:
    """A day of the calendar; without a year, that of this year or the last."""
    if "iso" in said:
        year, month, day = (int(part) for part in said["iso"].split("-"))
        years = [year]
    else:
        month = _month(said.get("month") or said["month2"])
        day = int(said.get("day") or said["day2"])
        told = said.get("year") or said.get("year2")
        years = [int(told)] if told else [today.year, today.year - 1]
    try:
        return tuple(_day(today.replace(year=year, month=month, day=day)) for year in years)
    except ValueError:
        return ()


def _day_for(pieces: list[_Piece], n: int, used: set[int]) -> _Piece | None:
    """The day a clock time belongs to: the last one said before it, else the next one said right after it."""
    days = [m for m, piece in enumerate(pieces) if piece.days and piece.days[0][1] - piece.days[0][0] > DAY // 2]
    before, after = [m for m in days if m < n], [m for m in days if m > n][:1]
    for m in before[-1:] or after:
        used.add(m)
        return pieces[m]
    return None


def _latest(piece: _Piece, at_ns: int, zone: Zone) -> tuple[Span, ...]:
    """The latest day on which the time of the piece had come by `at_ns`."""
    today = zone.at(at_ns).replace(hour=0, minute=0, second=0, microsecond=0)
    start, _ = _day(today)
    return (_day(today),) if _at(piece, start, zone)[0][0] <= at_ns else (_day(today - timedelta(days=1)),)


def _at(piece: _Piece, midnight_ns: int, zone: Zone) -> tuple[Span, ...]:
    """What the piece may mean on the day that begins at `midnight_ns`, by the wall clock."""
    if piece.part:
        first, last = piece.part
        return ((midnight_ns + first * HOUR, midnight_ns + last * HOUR),)
    assert piece.clock is not None
    since = [piece.clock.since_midnight_ns] + [piece.clock.since_midnight_ns + 12 * HOUR] * piece.clock.twelve
    walls = [zone.at(midnight_ns) + timedelta(seconds=one // SECOND) for one in since]
    return tuple((_ns(wall), _ns(wall) + piece.clock.exact_ns) for wall in walls)


def _joined(found: list[tuple[_Piece, Moment]], text: str) -> list[Moment]:
    """ "from A to B" made one moment that lasts from A to B."""
    out: list[Moment] = []
    last: _Piece | None = None
    for piece, moment in found:
        joins = last is not None and BETWEEN.fullmatch(_without_days(text[last.end : piece.start]))
        if joins and out and (whole := _whole(out[-1], moment)):
            out[-1], last = whole, None
            continue
        out.append(moment)
        last = piece
    return out


def _whole(first: Moment, second: Moment) -> Moment | None:
    readings = [(a, d) for a, _ in first.readings for _, d in second.readings if a < d <= a + 2 * DAY]
    return Moment(tuple(readings), f"{first.words} to {second.words}") if readings else None


def _without_days(text: str) -> str:
    return re.sub(r"\b(?:today|yesterday|at|on|from)\b", " ", text)


def _day(midnight: datetime) -> Span:
    return _ns(midnight), _ns(midnight + timedelta(days=1))


def _month(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, start=1) if month[:3] == name[:3])


def _value(number: str) -> float:
    return float(number) if number.isdigit() else float(NUMBERS[number])


def _ns(moment: datetime) -> int:
    return int(moment.timestamp()) * SECOND
