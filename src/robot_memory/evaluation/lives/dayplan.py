"""Plans the days of a life: talks, visits by chance, and at the hours of habits a look into their rooms.

The robot looks whether the person comes or not, and on other weekdays now and then as well: who says "on four of five
mornings" must have seen all five.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from robot_memory.evaluation.lives.calendar import weekday
from robot_memory.evaluation.lives.life import Habit, Month, Size
from robot_memory.evaluation.worlds.dayplan import AWAKE, OPENING, Planned
from robot_memory.evaluation.worlds.world import Person, Room

HOUR_S = 3600.0
APART_S = 400.0  # between the starts of two episodes, at least: the longest is shorter
SPEAKS = 0.2  # who comes by habit and can speak says something so often
JOINED = 0.2  # somebody else is there as well, by chance
ANOTHER = 0.4  # where the person does not come, somebody else does
OTHER_DAYS = 0.4  # the robot looks on a weekday that is none of the habit's
Wanted = tuple[float, str, str, tuple[str, ...]]  # seconds since the day began, kind, room, who
LEAST_TALKED = 3  # of those who have talked least so many are drawn from


class DayPlanner:
    """Plans day after day; remembers who has talked, so that everybody gets a turn."""

    def __init__(
        self,
        throw: random.Random,
        size: Size,
        household: Sequence[Person],
        guests: Sequence[tuple[Month, Sequence[Person]]],
        rooms: Sequence[Room],
        habits: Sequence[Habit],
    ) -> None:
        self._throw, self._size, self._habits = throw, size, habits
        self._rooms = [room.name for room in rooms]
        self._household, self._guests = household, guests
        self._heard = {one.name for one in [*household, *(one for _, some in guests for one in some)] if one.heard}
        self._unmet = [person.name for person in household if not person.heard]
        self._talked: Counter[str] = Counter()

    def day(self, number: int) -> list[Planned]:
        """The episodes of one day in order of time."""
        people = [*self._household, *self._staying(number)]
        wanted = [*self._by_habit(number, people), *self._visits(number, people)]
        wanted += self._talks(people)
        if number == 0:
            wanted += [(60.0, "introduce", self._rooms[0], (self._host(), who)) for who in self._unmet]
        return self._in_order(number, wanted)

    def _staying(self, number: int) -> list[Person]:
        return [one for month, some in self._guests for one in some if month.first <= number < month.end]

    def _by_habit(self, number: int, people: Sequence[Person]) -> list[Wanted]:
        """A look at the hour of each habit: the person comes, or somebody else, or nobody."""
        found, today = list[Wanted](), weekday(number)
        for habit in self._habits:
            due = today in habit.weekdays
            comes = habit.holds(number, today) and self._throw.random() < habit.probability
            looks = due or self._throw.random() < OTHER_DAYS
            at_s = self._within(habit.first_hour, habit.last_hour)
            others = [one.name for one in people if one.name != habit.who and one.seen]
            if comes:
                joined = self._throw.random() < JOINED
                cast = (habit.who, *(self._throw.sample(others, 1) if joined else ()))
                speaks = not joined and habit.who in self._heard and self._throw.random() < SPEAKS
                found.append((at_s, "morning" if speaks else "silent", habit.room, cast))
            elif looks and self._throw.random() < ANOTHER:
                found.append((at_s, "silent", habit.room, (self._throw.choice(others),)))
            elif looks:
                found.append((at_s, "empty", habit.room, ()))
        return found

    def _visits(self, number: int, people: Sequence[Person]) -> list[Wanted]:
        """Chance: who, where and when are independent of one another."""
        seen = [person.name for person in people if person.seen]
        found = list[Wanted]()
        for _ in range(self._size.visits):
            cast = tuple(self._throw.sample(seen, 2 if self._throw.random() < JOINED else 1))
            found.append((self._any_time(), "silent", self._throw.choice(self._rooms), cast))
        return found

    def _talks(self, people: Sequence[Person]) -> list[Wanted]:
        """Those who have talked least come first to tell things; who passes the time is chance."""
        heard = [person.name for person in people if person.heard]
        found = list[Wanted]()
        for kind in ["talk"] * self._size.talks + ["chat"] * self._size.chats:
            self._throw.shuffle(heard)
            if kind == "talk":
                heard.sort(key=lambda name: self._talked[name])
            cast = self._throw.sample(heard[:LEAST_TALKED], min(len(heard), self._throw.choice((2, 2, 3))))
            if kind == "talk":
                self._talked.update(cast)
            found.append((self._any_time(), kind, self._throw.choice(self._rooms), tuple(cast)))
        return found

    def _host(self) -> str:
        return self._throw.choice([person.name for person in self._household if person.heard])

    def _any_time(self) -> float:
        return self._throw.uniform(120, AWAKE.total_seconds() - 2 * APART_S)

    def _within(self, first_hour: int, last_hour: int) -> float:
        """A moment well inside of a stretch of hours."""
        return self._throw.uniform((first_hour - OPENING) * HOUR_S + 300, (last_hour - OPENING) * HOUR_S - 900)

    def _in_order(self, number: int, wanted: list[Wanted]) -> list[Planned]:
        """Pushed apart where two would overlap; those that the day has no room for are left out."""
        planned, free_s = list[Planned](), 0.0
        for at_s, kind, room, cast in sorted(wanted):
            start_s = round(max(at_s, free_s), 2)
            if start_s > AWAKE.total_seconds() - APART_S:
                break
            planned.append(Planned(kind, number, start_s, room, cast))
            free_s = start_s + APART_S
        return planned
