"""What a memory made of a life: how many of its derived habits are real and how many of the real ones it has, and how
much of what it keeps is garbage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from robot_memory.evaluation.lives.life import Habit, Life

AGREE = 2 / 3  # of the weekdays that a derived habit names, so many must be the true one's
SOON = 7  # days in which a memory is to notice that a habit has ended
COVERED = 0.5  # of the true weekdays, so many must be derived before the habit counts as found


@dataclass(frozen=True)
class Derived:
    """A habit as a memory holds it: `who` by the true name, a room (empty: it names none), hours from and until,
    weekdays (0 Monday; empty: it names none). `until_day`: the day of the life on which the memory gave it up.
    """

    who: str
    room: str
    first_hour: float
    last_hour: float
    weekdays: frozenset[int] = frozenset()
    until_day: int | None = None


@dataclass(frozen=True)
class HabitScore:
    """`right` of `derived` are habits of the life; `found` of `real` have a right one. `noticed`: days from a habit's
    end to the memory's giving it up, for each broken habit that was found and given up; `missed`: broken ones that are
    still held.
    """

    right: int
    derived: int
    found: int
    real: int
    noticed: tuple[int, ...] = ()
    missed: int = 0

    @property
    def precision(self) -> float:
        """1 where nothing was derived: nothing wrong was said."""
        return self.right / self.derived if self.derived else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.real if self.real else 1.0


def score_routines(derived: Sequence[Derived], life: Life, until_day: int | None = None) -> HabitScore:
    """Compare with the life's habits as they were on `until_day` (None: its last). One that has ended is right where
    the memory has given it up, or may still do so; it need not be found.
    """
    day = len(life.world.days) - 1 if until_day is None else until_day
    right = [one for one in derived if any(_is(one, habit, day) for habit in life.habits)]
    standing = [habit for habit in life.habits if habit.broken is None or habit.broken > day]
    found = [habit for habit in standing if _covers(derived, habit)]
    noticed, missed = [], 0
    for habit in life.habits:
        of_it = [one for one in derived if _matches(one, habit)]
        if habit.broken is None or habit.broken > day or not of_it:
            continue
        ends = [one.until_day for one in of_it if one.until_day is not None]
        missed += len(ends) < len(of_it)
        if len(ends) == len(of_it):
            noticed.append(max(ends) - habit.broken)
    return HabitScore(len(right), len(derived), len(found), len(standing), tuple(noticed), missed)


def _is(one: Derived, habit: Habit, day: int) -> bool:
    """Is a derived habit true on that day: held while the real one stands, and given up soon after its end?"""
    if not _matches(one, habit):
        return False
    if habit.broken is None or habit.broken > day:
        return one.until_day is None
    return one.until_day is not None or day - habit.broken <= SOON


def _matches(one: Derived, habit: Habit) -> bool:
    if one.who != habit.who or (one.room and one.room != habit.room):
        return False
    if min(one.last_hour, habit.last_hour) <= max(one.first_hour, habit.first_hour):
        return False
    agreeing = len(one.weekdays & set(habit.weekdays))
    return not one.weekdays or agreeing >= AGREE * len(one.weekdays)


def _covers(derived: Sequence[Derived], habit: Habit) -> bool:
    """Do the derived habits together name enough of a real one's weekdays?"""
    matching = [one for one in derived if one.until_day is None and _matches(one, habit)]
    if any(not one.weekdays for one in matching):
        return True
    named: set[int] = set().union(*(one.weekdays for one in matching)) if matching else set()
    return bool(matching) and len(named & set(habit.weekdays)) >= COVERED * len(habit.weekdays)


def garbage_share(db: sqlite3.Connection, life: Life, archived: Collection[int] = (0,)) -> float:
    """The share of memories that come from what nobody said, among those whose column `archived` is one of these."""
    starts = {one.start_ns for one in life.garbage}
    marks = ", ".join("?" for _ in archived)
    rows = db.execute(
        "SELECT turns.start_ns FROM memories LEFT JOIN turns ON turns.id = memories.turn "
        f"WHERE memories.archived IN ({marks})",
        tuple(archived),
    ).fetchall()
    return sum(row[0] in starts for row in rows) / len(rows) if rows else 0.0
