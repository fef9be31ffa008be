"""Plans the days of a world: which episodes there are, when, in which room, and who takes part in them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from robot_memory.evaluation.worlds.dice import some
from robot_memory.evaluation.worlds.world import Day, Options, Person, Room
from robot_memory.streams.media import SECOND

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Europe/London")
FIRST_DAY = datetime(2026, 1, 5, tzinfo=timezone.utc)  # a Monday; the weeks that follow have no change of clocks
OPENING = 8  # the hour at which days begin, some minutes past
AWAKE = timedelta(hours=9, minutes=30)
TALKS = (4, 5)  # a day
APART_S = 900.0  # between the starts of two episodes, at least


@dataclass(frozen=True)
class Planned:
    """An episode to come. `kind`: "morning", "talk", "introduce", "silent", "voice", "empty" or, in long lives, "chat";
    `cast` in the order of coming, `passer` somebody who walks through without a word.
    """

    kind: str
    day: int
    start_s: float
    room: str
    cast: tuple[str, ...]
    passer: str = ""


@dataclass(frozen=True)
class Calendar:
    """The days of a world and their zone; `offset_s` is the zone's distance from UTC on all of them."""

    zone: str
    offset_s: int
    days: tuple[Day, ...]


def calendar(throw: random.Random, count: int) -> Calendar:
    """Days in a row, from eight o'clock or a little later on."""
    zone = throw.choice(ZONES)
    date = FIRST_DAY + timedelta(days=throw.randrange(28))
    days = []
    for number in range(count):
        minute = throw.randrange(0, 20)
        here = (date + timedelta(days=number)).replace(tzinfo=ZoneInfo(zone), hour=OPENING, minute=minute)
        start_ns = int(here.timestamp()) * SECOND
        days.append(Day(number, start_ns, start_ns + int(AWAKE.total_seconds()) * SECOND))
    offset = date.replace(tzinfo=ZoneInfo(zone)).utcoffset() or timedelta()
    return Calendar(zone, int(offset.total_seconds()), tuple(days))


class DayPlanner:
    """Plans day after day; remembers who has come already, so that everybody gets a turn."""

    def __init__(
        self, throw: random.Random, options: Options, people: tuple[Person, ...], rooms: tuple[Room, ...]
    ) -> None:
        self._throw = throw
        self._rooms = [room.name for room in rooms]
        self._of = {kind: [p.name for p in people if p.kind == kind] for kind in KINDS}
        self._days = options.days
        self._early = throw.choice(self._of["regular"])  # comes first each morning, always into the same room
        self._early_room = self._rooms[0]
        self._visits = {name: throw.randrange(options.days) for name in self._of["visitor"]}
        self._came: Counter[str] = Counter()
        self._talked_in: Counter[str] = Counter()

    def day(self, number: int) -> list[Planned]:
        """The episodes of one day in order of time."""
        kinds = self._kinds(number)
        starts = self._starts(len(kinds))
        planned = [self._episode(kind, number, at_s) for kind, at_s in zip(kinds, starts, strict=True)]
        return planned

    def _kinds(self, number: int) -> list[str]:
        talks = ["talk"] * self._throw.randint(*TALKS)
        more = ["silent"] * self._throw.randint(1, 2) + ["empty"] * self._throw.randint(0, 1)
        if self._of["unseen"]:
            more += ["voice"] * self._throw.randint(1, 2)
        rest = talks[1:] + more
        self._throw.shuffle(rest)
        meet = ["introduce"] * len(self._of["silent"]) if number == 0 else []
        return ["morning", *meet, talks[0], *rest]

    def _starts(self, count: int) -> list[float]:
        """Seconds from the day's start; the first within a few minutes."""
        first = self._throw.uniform(60, 420)
        slot = (AWAKE.total_seconds() - 1200 - first) / count
        spread = max(0.0, min(slot - APART_S, slot * 0.6))
        return [round(first + n * slot + (self._throw.uniform(0, spread) if n else 0), 2) for n in range(count)]

    def _episode(self, kind: str, day: int, start_s: float) -> Planned:
        if kind == "morning":
            self._talked_in[self._early_room] += 1
            return Planned(kind, day, start_s, self._early_room, (self._early,))
        if kind in ("silent", "empty"):
            return Planned(kind, day, start_s, self._familiar_room(), self._silent() if kind == "silent" else ())
        room = self._new_room()
        if kind == "introduce":
            return Planned(kind, day, start_s, room, (self._throw.choice(self._of["regular"]), self._unmet()))
        if kind == "voice":
            return Planned(kind, day, start_s, room, (self._throw.choice(self._of["regular"]), self._of["unseen"][0]))
        cast = self._company(day)
        passer = self._passer(cast) if self._throw.random() < 0.4 else ""
        return Planned(kind, day, start_s, room, cast, passer)

    def _company(self, day: int) -> tuple[str, ...]:
        """Two or three who talk: those who have talked least first, visitors on their day only."""
        today = [name for name, visit in self._visits.items() if visit == day]
        pool = self._of["regular"] + today
        self._throw.shuffle(pool)
        pool.sort(key=lambda name: self._came[name])
        cast = pool[: self._throw.choice((2, 2, 3))]
        self._throw.shuffle(cast)
        self._came.update(cast)
        return tuple(cast)

    def _silent(self) -> tuple[str, ...]:
        """Who comes and goes without a word: mostly somebody who never speaks, sometimes one who else does, or both."""
        silent, regular = self._of["silent"], self._of["regular"]
        if not silent or self._throw.random() < 0.3:
            return tuple(some(self._throw, regular, 1))
        return tuple(
            some(self._throw, silent, 1) + (some(self._throw, regular, 1) if self._throw.random() < 0.3 else [])
        )

    def _passer(self, cast: tuple[str, ...]) -> str:
        others = [name for name in self._of["silent"] + self._of["regular"] if name not in cast]
        return self._throw.choice(others) if others else ""

    def _unmet(self) -> str:
        """The next silent person to be introduced."""
        met = self._came["introduced"]
        self._came["introduced"] += 1
        return self._of["silent"][met]

    def _new_room(self) -> str:
        """A room for a talk: each gets its turn."""
        least = min(self._talked_in[room] for room in self._rooms)
        room = self._throw.choice([room for room in self._rooms if self._talked_in[room] <= least + 1])
        self._talked_in[room] += 1
        return room

    def _familiar_room(self) -> str:
        """A room whose name has been said."""
        return self._throw.choice([room for room in self._rooms if self._talked_in[room]])


KINDS = ("regular", "visitor", "unseen", "silent")
