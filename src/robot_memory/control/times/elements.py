"""What the words of a phrase stand for besides windows: hours of a day, stretches up to now, slices, clips.

Hours know four edges: "at lunch" and "after lunch" are not the same hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from robot_memory.control.times.windows import CLOCK, HOURLY, PART, Fixed, Recurring, Window

DAY_LONG = timedelta(days=1)


@dataclass(frozen=True)
class Option:
    """Minutes after midnight: from, to; where "before" ends and "after" begins; slack around a moment."""

    start: int
    end: int
    before: int
    after: int
    slack: int = 0
    likely: bool = True


@dataclass(frozen=True)
class Hours:
    """Hours of any day: a clock time (two options without am or pm), a part of the day, a meal."""

    options: tuple[Option, ...]
    unit: str = "moment"
    bare: bool = False  # only a number: "9"

    @property
    def rank(self) -> int:
        return CLOCK if self.unit in ("moment", "meal") else PART

    def at(self) -> Recurring:
        return self._recurring(lambda day, one, around: self._at(day, one))

    def before(self) -> Recurring:
        return self._recurring(self._before, edge=lambda one: one.before, last=True)

    def after(self) -> Recurring:
        return self._recurring(self._after, edge=lambda one: one.after)

    def to(self, other: Hours) -> Recurring:
        """From one hour to the other, the nearest after it: "11 to 1", "10 pm to 6 am"."""

        def window(day: datetime, one: Option, around: Window) -> Window:
            start = day + timedelta(minutes=one.after)
            minutes = min((two.before - one.after - 1) % 1440 + 1 for two in other.options)
            return Window(start, start + timedelta(minutes=minutes), "between", likely=one.likely)

        options = self.options
        if len(options) > 1 and len(other.options) == 1:  # "2 and 4 pm": the 2 that is nearer
            end = other.options[0].before
            options = (min(options, key=lambda one: (end - one.after - 1) % 1440),)
        return Hours(options, self.unit)._recurring(window, edge=lambda one: one.after)

    def turned(self) -> Hours:
        """For denied bounds: "not after lunch" ends where "after lunch" begins."""
        options = tuple(replace(one, before=one.after, after=one.before) for one in self.options)
        return replace(self, options=options)

    def _at(self, day: datetime, one: Option) -> Window:
        start, end = day + timedelta(minutes=one.start), day + timedelta(minutes=one.end)
        return Window(start, end, self.unit, timedelta(minutes=one.slack), likely=one.likely)

    def _before(self, day: datetime, one: Option, around: Window) -> Window:
        edge = day + timedelta(minutes=one.before)
        midnight = day if one.before > 0 else day - DAY_LONG
        start = around.start if around.end - around.start <= DAY_LONG + timedelta(hours=2) else midnight
        return Window(start, edge, "before", mark=edge, likely=one.likely)

    def _after(self, day: datetime, one: Option, around: Window) -> Window:
        edge = day + timedelta(minutes=one.after)
        midnight = edge.replace(hour=0, minute=0) + DAY_LONG
        short = around.end - around.start <= DAY_LONG
        return Window(edge, around.end if short else midnight, "after", likely=one.likely)

    def _recurring(
        self,
        window: Callable[[datetime, Option, Window], Window],
        edge: Callable[[Option], int] = lambda one: one.start,
        last: bool = False,
    ) -> Recurring:
        """Windows of each day whose edge lies within (`last`: and may be the very end)."""

        def within(around: Window) -> Iterator[Window]:
            for day in days(around.start - DAY_LONG, around.end):
                for one in self.options:
                    at = day + timedelta(minutes=edge(one))
                    if (around.start < at <= around.end) if last else (around.start <= at < around.end):
                        found = window(day, one, around)
                        if found.start < found.end or found.slack:
                            yield found

        return Recurring(self.rank, HOURLY, within)


@dataclass(frozen=True)
class Stretch:
    """A range measured from now."""

    start_ns: int | None
    end_ns: int | None
    vague: bool = False
    words: str = ""


@dataclass(frozen=True)
class Slice:
    """Early, mid, late; a half; the n-th week: a part of what follows."""

    which: str
    number: int = 0


@dataclass(frozen=True)
class Clip:
    """Earlier or later than now within what follows."""

    later: bool


@dataclass(frozen=True)
class Routine:
    """What happens again and again has no range of its own."""


Element = Fixed | Recurring | Hours | Stretch | Slice | Clip | Routine


def days(start: datetime, end: datetime) -> Iterator[datetime]:
    """Midnights from the day of `start` up to `end`."""
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while day < end:
        yield day
        day += DAY_LONG
