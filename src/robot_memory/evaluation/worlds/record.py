"""What could be known of a world at a moment: who had been seen, what had been said, which names had been given.

Questions are answered from it, and from nothing else; a record that reaches to the end knows all there is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

from robot_memory.evaluation.trial import HEARD, SEEN, Moment
from robot_memory.evaluation.truth import Fact, Truth
from robot_memory.evaluation.worlds.world import Telling, Wording, World
from robot_memory.streams.media import SECOND

SETTLED_NS = 60 * SECOND  # what happened less than this ago is not asked about yet


@dataclass(frozen=True)
class Seen:
    """One appearance."""

    who: str
    start_ns: int
    end_ns: int
    room: str
    day: int

    @property
    def moment(self) -> Moment:
        return Moment(self.start_ns, self.end_ns, SEEN)


@dataclass(frozen=True)
class Heard:
    """One line."""

    who: str
    start_ns: int
    end_ns: int
    text: str
    room: str
    day: int

    @property
    def moment(self) -> Moment:
        return Moment(self.start_ns, self.end_ns, HEARD)


@dataclass(frozen=True)
class Stated:
    """One telling of one fact."""

    telling: Telling
    fact: Fact
    wording: Wording
    line: Heard

    @property
    def right(self) -> bool:
        return self.telling.form not in ("mistaken", "ended")


class Record:
    """A world up to `until_ns`, ready to be looked things up in."""

    def __init__(self, world: World, known: Truth, until_ns: int) -> None:
        self.world, self.until_ns = world, until_ns
        reached = until_ns - SETTLED_NS
        starts = [day.start_ns for day in world.days]
        self.days = [day.number for day in world.days if day.start_ns <= until_ns]
        self.seen = [
            Seen(one.who, one.start_ns, one.end_ns, one.place, _day(starts, one.start_ns))
            for one in known.appearances
            if one.end_ns <= reached
        ]
        self.heard = [
            Heard(one.who, one.start_ns, one.end_ns, one.text, one.place, _day(starts, one.start_ns))
            for one in known.lines
            if one.end_ns <= reached
        ]
        self.named = {name for name, at_ns in world.named.items() if at_ns <= reached}
        self.rooms = {room for room, at_ns in world.rooms_named.items() if at_ns <= reached}
        lines = {(one.who, one.start_ns): one for one in self.heard}
        self.stated = [
            Stated(one, world.facts[one.fact], world.wordings[one.fact], lines[one.by, one.at_ns])
            for one in world.tellings
            if (one.by, one.at_ns) in lines
        ]
        self.index()

    def index(self) -> None:
        """Make ready what is looked up by its subject or its day."""
        self._by_subject: dict[tuple[str, str], list[Stated]] = defaultdict(list)
        self._mentions: dict[str, list[Heard]] = {}
        self._seen_of: dict[str, list[Seen]] = defaultdict(list)
        self._seen_on: dict[int, list[Seen]] = defaultdict(list)
        self._heard_of: dict[str, list[Heard]] = defaultdict(list)
        self._heard_on: dict[int, list[Heard]] = defaultdict(list)
        for stated in self.stated:
            self._by_subject[stated.fact.subject, stated.fact.attribute].append(stated)
        for seen in self.seen:
            self._seen_of[seen.who].append(seen)
            self._seen_on[seen.day].append(seen)
        for heard in self.heard:
            self._heard_of[heard.who].append(heard)
            self._heard_on[heard.day].append(heard)

    def about(self, subject: str, attribute: str) -> list[Stated]:
        """All that was said on one attribute of a person or thing, in order of time."""
        return self._by_subject.get((subject, attribute), [])

    def mentions(self, mention: str) -> list[Heard]:
        """All lines that speak of something, whether they state a fact or not, in order of time."""
        if mention not in self._mentions:
            wordings = [*self.world.wordings, *(one for _, one in self.world.spare)]
            keys = sorted({key for one in wordings if one.mention == mention for key in one.keys})
            pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, keys))})\b")
            self._mentions[mention] = [line for line in self.heard if pattern.search(line.text.casefold())]
        return self._mentions[mention]

    def seen_of(self, who: str) -> list[Seen]:
        return self._seen_of.get(who, [])

    def heard_of(self, who: str) -> list[Heard]:
        return self._heard_of.get(who, [])

    def seen_on(self, day: int) -> list[Seen]:
        return self._seen_on.get(day, [])

    def heard_on(self, day: int) -> list[Heard]:
        return self._heard_on.get(day, [])

    def visited(self, room: str, day: int) -> bool:
        """Whether the robot was in the room on that day."""
        return any(
            one.room == room and one.day == day and one.end_ns <= self.until_ns - SETTLED_NS
            for one in self.world.episodes
        )

    def people(self) -> list[str]:
        """Everybody whose name was given, and those who are only spoken of."""
        return sorted(self.named) + list(self.world.strangers)


def shared_ns(one: Seen | Heard, other: Seen | Heard) -> int:
    """How long two stretches overlap; negative: how far apart they are."""
    return min(one.end_ns, other.end_ns) - max(one.start_ns, other.start_ns)


def _day(starts: list[int], at_ns: int) -> int:
    return bisect_right(starts, at_ns) - 1
