"""On which weekdays something is usual, from the days on which it happened and those on which it could have."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import EVERY, WEEKEND, WORKING, weekday_of
from robot_memory.memorization.consolidation.bounds import LEAST_DAYS, end_of, is_usual

Tally = Mapping[int, tuple[int, int]]  # weekday -> hits and chances
CLASSES = (EVERY, WORKING, WEEKEND)
UNSEEN, ODD = 0.15, 0.25  # nats
STARTS = 12  # moments tried from which on something may be usual
BETTER = 1.0  # nats by which other weekdays must explain the days better than those that were told


@dataclass(frozen=True)
class Day:
    """A day (since 1970) on which something happened, or could have."""

    number: int
    happened: bool

    @property
    def weekday(self) -> int:
        return weekday_of(self.number)


@dataclass(frozen=True)
class Pattern:
    """What is usual: on these weekdays, from `since` on. It happened on `hits` of `chances` days, last on the day
    `last`; `over`: not any more.
    """

    weekdays: frozenset[int]
    since: int
    last: int
    hits: int
    chances: int
    over: bool = False


def find(days: Sequence[Day], base: float, tried: float, weekly: bool = True) -> Pattern | None:
    """What is usual now, as far back as it was so; None where nothing is. `days` in order; `base`: how often it happens
    otherwise; `tried`: how many such series were looked at; `weekly`: it may depend on the weekday.
    """
    hits = [n for n, day in enumerate(days) if day.happened]
    later = hits[1 : 1 - LEAST_DAYS : max(1, len(hits) // STARTS)]
    for n, first in enumerate([0, *later] if len(hits) >= LEAST_DAYS else ()):
        some = days[first:]
        weekdays = _weekdays(some) if weekly else EVERY
        found = count(some, weekdays, base)
        if found is None or found.over:
            continue
        chances = sum(day.weekday in weekdays for day in some)  # those before it first happened as well
        if is_usual(found.hits, chances, base, tried * _ways(weekdays) * (n + 1)):
            return found
    return None


def follow(days: Sequence[Day], known: Pattern, base: float, tried: float, weekly: bool = True) -> Pattern | None:
    """What has become of a pattern that was found before: counted anew, on other weekdays where those explain it
    clearly better, over where it is; None where it never was one, seen from now.
    """
    some = [day for day in days if day.number >= known.since]
    weekdays = known.weekdays
    if weekly and not known.over:
        tally, other = _tally(some), _weekdays(some)
        weekdays = other if _fit(tally, other) > _fit(tally, weekdays) + BETTER else weekdays
    found = count(some, weekdays, base)
    if found is None or not is_usual(found.hits, found.chances, base, tried, known=True):
        return None
    return found


def count(days: Sequence[Day], weekdays: Collection[int], base: float) -> Pattern | None:
    """Hits and chances on these weekdays, from the first hit on; where it is over, only up to its end. None where it
    never happened.
    """
    own = [day for day in days if day.weekday in weekdays]
    first = next((n for n, day in enumerate(own) if day.happened), None)
    if first is None:
        return None
    own = own[first:]
    end = end_of([day.happened for day in own], base)
    some = own if end is None else own[: end + 1]
    hits = [day.number for day in some if day.happened]
    return Pattern(frozenset(weekdays), hits[0], hits[-1], len(hits), len(some), end is not None)


def _weekdays(days: Sequence[Day]) -> frozenset[int]:
    """The weekdays that explain the days best: a class of them, or those of the highest rates."""
    tally = _tally(days)
    return max(_choices(tally), key=lambda some: _fit(tally, some))


def _choices(tally: Tally) -> Iterator[frozenset[int]]:
    yield from (WORKING, WEEKEND, EVERY)
    ranked = sorted((-hits / chances, weekday) for weekday, (hits, chances) in tally.items() if hits)
    for n in range(1, len(ranked) + 1):
        yield frozenset(weekday for _, weekday in ranked[:n])


def _fit(tally: Tally, weekdays: frozenset[int]) -> float:
    """Log-likelihood of one rate on these weekdays and another on the rest, less what choosing them costs (much as by
    Schwarz's criterion) and, as a tie-break, less what is said of weekdays that were never seen.
    """
    within = [counts for one, counts in tally.items() if one in weekdays]
    rest = [counts for one, counts in tally.items() if one not in weekdays]
    if not within or _rate(within) < _rate(rest):
        return -math.inf
    unseen = UNSEEN * len(weekdays - tally.keys()) if weekdays in CLASSES else ODD
    if not rest:
        return _likelihood(within) - unseen
    number = sum(chances for _, chances in (*within, *rest))
    return _likelihood(within) + _likelihood(rest) - 0.5 * math.log(number) - 0.5 * math.log(_ways(weekdays)) - unseen


def _ways(weekdays: Collection[int]) -> float:
    """How many sets of weekdays are as good to name as this; an odd one has to be that much surer."""
    if frozenset(weekdays) == EVERY:
        return 1.0
    return 2.0 if frozenset(weekdays) in (WORKING, WEEKEND) else 7.0 * math.comb(7, len(weekdays))


def _tally(days: Sequence[Day]) -> Tally:
    """Weekday -> hits and chances."""
    found = dict[int, tuple[int, int]]()
    for day in days:
        hits, chances = found.get(day.weekday, (0, 0))
        found[day.weekday] = hits + day.happened, chances + 1
    return found


def _rate(tally: Sequence[tuple[int, int]]) -> float:
    chances = sum(one for _, one in tally)
    return sum(one for one, _ in tally) / chances if chances else 0.0


def _likelihood(tally: Sequence[tuple[int, int]]) -> float:
    hits, chances = sum(one for one, _ in tally), sum(one for _, one in tally)
    if hits in (0, chances):
        return 0.0
    return hits * math.log(hits / chances) + (chances - hits) * math.log(1 - hits / chances)
