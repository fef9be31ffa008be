"""Windows on the wall calendar, and how pieces of a phrase narrow each other down to one.

A piece is a window of its own (yesterday, last week), or returns again and again (Tuesday, May, at 9). "Last week on
Tuesday at 9" takes the week, in it the Tuesday, in that the hour. What returns and has nothing around it means the
latest that is not in the future, since questions look back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

CLOCK, PART, DAY, MONTHDAY, WEEK, MONTH, SEASON, YEAR = range(8)
HOURLY, WEEKLY, MONTHLY, YEARLY = 2, 15, 366, 12 * 366  # days to look back and ahead; a 29 February may wait long


class Ambiguous(ValueError):
    """A piece fits several times, or never, within the others."""


@dataclass(frozen=True)
class Window:
    """A stretch of wall time, half-open. A moment has start == end and `slack` to either side. `unit` is what it is
    (day, morning, week, …). `mark`: when it has come, if not with its start. `likely`: what people mean if in doubt.
    """

    start: datetime
    end: datetime
    unit: str = "day"
    slack: timedelta = timedelta()
    mark: datetime | None = None
    likely: bool = True

    @property
    def come(self) -> datetime:
        return self.mark or self.start


@dataclass(frozen=True)
class Fixed:
    """A window of its own."""

    window: Window
    rank: int


@dataclass(frozen=True)
class Recurring:
    """What returns: yields its windows that start within another window. `reach`: days in which one is sure to come."""

    rank: int
    reach: int
    within: Callable[[Window], Iterable[Window]]


Piece = Fixed | Recurring


def resolve(pieces: Sequence[Piece], now: datetime) -> Window:
    """The one window that all pieces together mean. Raises Ambiguous."""
    ordered = sorted(pieces, key=lambda piece: -piece.rank)
    fixed = [piece.window for piece in ordered if isinstance(piece, Fixed)]
    recurring = [piece for piece in ordered if isinstance(piece, Recurring)]
    if fixed:
        found = _narrow(recurring, _common(fixed), now)
    else:
        found = _latest(recurring, now) if recurring else None
    if found is None:
        raise Ambiguous
    return found


def _common(windows: list[Window]) -> Window:
    """What all share; the smallest gives the unit."""
    start, end = max(w.start for w in windows), min(w.end for w in windows)
    if start >= end:
        raise Ambiguous
    return replace(min(windows, key=lambda w: w.end - w.start), start=start, end=end)


def _narrow(pieces: Sequence[Recurring], around: Window, now: datetime) -> Window | None:
    """Within a given window: the only fit, the latest if now lies within, else the one that is likely."""
    if not pieces:
        return around
    fits = [w for inner in pieces[0].within(around) if (w := _narrow(pieces[1:], inner, now))]
    if len(fits) > 1 and around.start <= now < around.end:
        past = [w for w in fits if w.come <= now]
        return max(past, key=lambda w: w.come) if past else min(fits, key=lambda w: (not w.likely, w.come))
    if len(fits) > 1:
        fits = [w for w in fits if w.likely]
        if len(fits) != 1:
            raise Ambiguous
    return fits[0] if fits else None


def _latest(pieces: Sequence[Recurring], now: datetime) -> Window | None:
    """With nothing around: the latest that has come, else the next to come."""
    days = timedelta(days=pieces[0].reach)
    around = Window(now - days, now + days)
    ahead = None
    for outer in sorted(pieces[0].within(around), key=lambda w: w.come, reverse=True):
        found = _narrow(pieces[1:], outer, now)
        if found is not None and found.come <= now:
            return found
        ahead = found or ahead
    if {DAY, MONTHDAY} <= {piece.rank for piece in pieces}:
        return None  # a weekday and a date that have not agreed for so long: one of them is a mistake
    return ahead
