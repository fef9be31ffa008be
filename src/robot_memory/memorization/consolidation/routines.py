"""Where somebody usually is in a part of the day: "9 of the 11 weekday mornings on which I looked there or saw them".

A day is a chance where the robot saw the place in that part of the day, or the person anywhere: either way it would
have noticed. So a day on which it did not come by proves nothing, and an absence does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import BANDS, days_in_words, slot_of, such
from robot_memory.memorization.consolidation.bounds import base_rate
from robot_memory.memorization.consolidation.looking import ANYWHERE, Looked
from robot_memory.memorization.consolidation.patterns import Day, Pattern, find, follow
from robot_memory.memorization.consolidation.rule import (
    ROUTINE,
    Held,
    Rule,
    Told,
    few,
    told_in,
    value_of,
    where_in_words,
)
from robot_memory.memorization.consolidation.seen import Sight
from robot_memory.memory.insertion.sentence import Frame

SPREAD = 10  # one of so many hits may be earlier than the hours told, and one later
NIGHT = BANDS[-1]


@dataclass(frozen=True)
class Cell:
    """A place (ANYWHERE: any) and a band, with somebody's first sight there on each day and the days that count."""

    place: str
    band: int
    first: Mapping[int, Sight]
    chances: frozenset[int]

    @property
    def days(self) -> list[Day]:
        return [Day(number, number in self.first) for number in sorted(self.chances)]


@dataclass(frozen=True)
class Found:
    """A rule, and the memory that holds it already; a memory without a rule holds none any more."""

    rule: Rule | None
    held: Held | None = None


def routines(token: str, seen: Sequence[Sight], looked: Looked, held: Sequence[Held], offset_s: int) -> Iterator[Found]:
    """Somebody's routines: new ones, those that are held as they stand now, those that never were."""
    cells = _cells(seen, looked)
    tried = sum(bool(cell.first) for cell in cells)
    left = {id(one) for one in held}
    for cell in (cell for cell in cells if cell.first):
        where = where_in_words(cell.place)
        own = [one for one in held if (told := told_in(one.value)) and (told.where, told.band) == (where, cell.band)]
        left -= {id(one) for one in own}
        for found in _of_cell(cell, own, _base(cell, cells), tried, offset_s):
            yield Found(_rule(token, cell, found.pattern) if found.pattern else None, found.held)
    for one in held:
        if id(one) in left and one.until_ns is None:
            yield Found(None, one)


@dataclass(frozen=True)
class _Case:
    pattern: Pattern | None
    held: Held | None = None


def _of_cell(cell: Cell, held: Sequence[Held], base: float, tried: int, offset_s: int) -> Iterator[_Case]:
    """What is usual in one cell; at most one rule of it holds at a time."""
    standing = False
    since = -1
    for one in sorted(held, key=lambda one: one.since_ns):
        known = _known(one, offset_s)
        now = follow(cell.days, known, base, tried)
        if one.until_ns is None and (now is None or standing):
            yield _Case(None, one)
            continue
        if now is not None and not now.over and not standing:
            standing = True
            yield _Case(now, one)
        elif one.until_ns is None:
            yield _Case(now, one)
        since = max(since, now.last if now and now.over else known.last)
    if not standing and (new := find([day for day in cell.days if day.number > since], base, tried)):
        yield _Case(new)


def _known(held: Held, offset_s: int) -> Pattern:
    told = told_in(held.value)
    assert told is not None
    since = slot_of(held.since_ns, offset_s).day
    last = since if held.until_ns is None else slot_of(held.until_ns, offset_s).day
    return Pattern(told.weekdays, since, last, 0, 0, held.until_ns is not None)


def _cells(seen: Sequence[Sight], looked: Looked) -> list[Cell]:
    """All cells in which somebody could have been seen."""
    present = defaultdict[int, set[int]](set)
    first = defaultdict[tuple[str, int], dict[int, Sight]](dict)
    for one in seen:
        present[one.slot.band].add(one.slot.day)
        if one.place is not None:
            first[one.place, one.slot.band].setdefault(one.slot.day, one)
    places = sorted({place for place, _ in [*first, *looked.days]} - {ANYWHERE}) or [ANYWHERE]
    cells = [
        Cell(place, band, first.get((place, band), {}), frozenset(looked.at(place, band) | present[band]))
        for place in places
        for band in range(len(BANDS))
    ]
    return [cell for cell in cells if cell.chances]


def _base(cell: Cell, cells: Sequence[Cell]) -> float:
    """How often somebody is there by chance: as often as at other times, in other places then, or in all other cells,
    whichever is most.
    """
    others = [one for one in cells if one is not cell]
    there = [one for one in others if one.place == cell.place]
    then = [one for one in others if one.band == cell.band]
    return max((_rate(some) for some in (others, there, then) if some), default=base_rate(0, 0))


def _rate(some: Sequence[Cell]) -> float:
    return base_rate(sum(len(one.first) for one in some), sum(len(one.chances) for one in some))


def _rule(token: str, cell: Cell, found: Pattern) -> Rule:
    told = Told(where_in_words(cell.place), cell.band, found.weekdays)
    hits = [cell.first[day.number] for day in cell.days if day.happened and _within(day, found)]
    verb = "used to be" if found.over else "is usually"
    bare = f"{verb} {told.where} {BANDS[cell.band].phrase} {days_in_words(found.weekdays)}"
    looked = "I looked there or saw them" if cell.place != ANYWHERE else "I looked"
    days = such(found.weekdays, BANDS[cell.band])
    counted = f"{found.hits} of the {found.chances} {days} on which {looked}, {_hours(hits, cell.band)}"
    return Rule(
        Frame(f"<{token}>", ROUTINE, value_of(told)),
        f"<{token}> {bare} ({counted}).",
        f"<{token}> {bare}.",
        (token,),
        found.hits,
        few([one.memory for one in hits]),
        hits[0].start_ns,
        hits[-1].end_ns,
        hits[-1].end_ns if found.over else None,
    )


def _within(day: Day, found: Pattern) -> bool:
    return found.since <= day.number <= found.last and day.weekday in found.weekdays


def _hours(hits: Sequence[Sight], band: int) -> str:
    """ "at 8:05", "between 8:05 and 8:50": when it mostly begins."""
    minutes = sorted(one.minute + 1440 * (BANDS[band] is NIGHT and one.minute < 720) for one in hits)
    cut = len(minutes) // SPREAD
    low, high = minutes[cut], minutes[-1 - cut]
    first, last = (f"{one // 60 % 24}:{one % 60:02d}" for one in (low, high))
    return f"at {first}" if low == high else f"between {first} and {last}"
