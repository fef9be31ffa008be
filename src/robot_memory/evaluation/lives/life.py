"""A long life, plain: a world of many days, its months, the habits of its people, and what was misheard in it.

The world is one of `evaluation/worlds`, so its stream, its truth and its records are made as those of any world.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from robot_memory.evaluation.worlds.world import World

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Size:
    """How long and how dense a life is. A day has `talks` in which people tell things, `chats` in which they pass the
    time, `visits` of people who come and go as chance has it, and what habits bring. `guests` come for one month each.
    `garbage` is the share of nonsense among all that is remembered.
    """

    days: int = 365
    household: int = 8
    guests: int = 4
    rooms: int = 5
    habits: int = 6
    talks: int = 2
    chats: int = 1
    visits: int = 4
    garbage: float = 0.02

    def named(self, seed: int) -> str:
        """What the life of a seed is called: of another size it is another."""
        counts = (self.days, self.household, self.guests, self.rooms, self.habits, self.talks, self.chats, self.visits)
        return f"life-{seed}-{'-'.join(map(str, counts))}"


FULL = Size(talks=4, chats=6, visits=8)  # some hundred thousand memories a year


@dataclass(frozen=True)
class Habit:
    """Somebody comes into a room between two full hours, on some weekdays (0 Monday), with a probability, up to the day
    `broken` (None: to the end).
    """

    who: str
    room: str
    first_hour: int
    last_hour: int
    weekdays: tuple[int, ...]
    probability: float
    broken: int | None = None

    def holds(self, day: int, weekday: int) -> bool:
        """Is it a day on which this person may come by habit?"""
        return weekday in self.weekdays and (self.broken is None or day < self.broken)


@dataclass(frozen=True)
class Month:
    """A calendar month of a life, as far as it lasts: its days from `first` up to and without `end`."""

    name: str
    first: int
    end: int


@dataclass(frozen=True)
class Garbage:
    """Words that nobody said, as a recogniser makes them of noise; `like`: whose voice it took it for, empty: none."""

    start_ns: int
    end_ns: int
    text: str
    like: str
    confidence: float
    no_speech: float


@dataclass(frozen=True)
class Life:
    """All of it."""

    name: str
    size: Size
    world: World
    months: tuple[Month, ...]
    habits: tuple[Habit, ...]
    garbage: tuple[Garbage, ...]

    def date(self, day: int) -> date:
        return self.world.local(self.world.days[day].start_ns).date()

    def weekday(self, day: int) -> int:
        """0 is Monday."""
        return self.date(day).weekday()
