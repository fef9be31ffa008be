"""A generated world, plain: who exists, which rooms there are, and what happens in each episode.

Everything else is derived from it: the stream as perceived, the truth, the questions, a rendered bag. Inside an
episode times are seconds from its start; outside, nanoseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from robot_memory.evaluation.truth import Fact
from robot_memory.streams.media import SECOND

VERSION = 1
WORDS_PER_S = 2.6
EDGE = 0.04  # a face is in view while its middle is this far inside the picture, in widths


@dataclass(frozen=True)
class Options:
    """How large a world is. `people` counts those who are seen or heard."""

    days: int = 3
    people: int = 6
    rooms: int = 4


@dataclass(frozen=True)
class Person:
    """Someone of this world. `kind`: "regular", "visitor", "unseen" (a voice only) or "silent" (a face only); `gender`
    f or m.
    """

    name: str
    kind: str
    gender: str

    @property
    def seen(self) -> bool:
        return self.kind != "unseen"

    @property
    def heard(self) -> bool:
        return self.kind != "silent"


@dataclass(frozen=True)
class Room:
    """A rectangle of the floor, metres in the map; (x_m, y_m) is its lower left corner. `name` as after "the",
    `where` as after "was": "in the kitchen".
    """

    name: str
    where: str
    x_m: float
    y_m: float
    width_m: float
    depth_m: float


@dataclass(frozen=True)
class Placing:
    """Where someone stands in the view: `x` the middle of the head and shoulders (0 left edge, 1 right edge; outside:
    not in view), `size` their height (1 = height of the view). Linear between placings.
    """

    at_s: float
    x: float
    size: float


@dataclass(frozen=True)
class Entry:
    """Someone comes into view, stays, and leaves: from the first placing, out of view, to the last, out of view. Who
    is there when the episode begins, or still there when it ends, starts or ends in view.
    """

    who: str
    path: tuple[Placing, ...]


@dataclass(frozen=True)
class Line:
    """One thing said; the speaker need not be in view."""

    who: str
    at_s: float
    text: str

    @property
    def until_s(self) -> float:
        return self.at_s + spoken_s(self.text)


@dataclass(frozen=True)
class Stand:
    """Where the robot is at one moment: metres and radians in the map; linear between stands."""

    at_s: float
    x_m: float
    y_m: float
    yaw: float


@dataclass(frozen=True)
class Episode:
    """A stretch of one to five minutes in one room, in order of time."""

    id: str
    day: int
    room: str
    start_ns: int
    duration_s: float
    entries: tuple[Entry, ...]
    lines: tuple[Line, ...]
    stands: tuple[Stand, ...]

    @property
    def end_ns(self) -> int:
        return self.at_ns(self.duration_s)

    def at_ns(self, seconds: float) -> int:
        return self.start_ns + seconds_ns(seconds)


@dataclass(frozen=True)
class Wording:
    """How a fact's value is put: the `slots` that phrases use, `mention`, what stands after "mentioned" (empty where
    that would be too vague), and `keys`, by which a line that mentions it is known.
    """

    mention: str
    keys: tuple[str, ...]
    slots: Mapping[str, str]


@dataclass(frozen=True)
class Telling:
    """A line that states a fact (index into World.facts): by whom, in which of the bank's forms, with which value: in
    the form "mistaken" a wrong one. `wrong`: a value taken back in the same line, `slip` how it was put.
    """

    fact: int
    at_ns: int
    by: str
    form: str
    value: str
    wrong: str = ""
    slip: Wording | None = None


@dataclass(frozen=True)
class Day:
    """One session of the robot: awake from `start_ns` to `end_ns`."""

    number: int
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class World:
    """All of it. `strangers` are names that are only spoken of; `facts` includes some that nobody ever tells;
    `wordings` runs parallel to `facts`; `spare` holds values (attribute, wording) that nobody ever mentions; `named`
    (people) and `rooms_named` say when each name was first told aloud.
    """

    seed: int
    options: Options
    zone: str
    offset_s: int
    days: tuple[Day, ...]
    people: tuple[Person, ...]
    strangers: tuple[str, ...]
    rooms: tuple[Room, ...]
    episodes: tuple[Episode, ...]
    facts: tuple[Fact, ...]
    tellings: tuple[Telling, ...]
    wordings: tuple[Wording, ...]
    spare: tuple[tuple[str, Wording], ...]
    named: Mapping[str, int]
    rooms_named: Mapping[str, int]

    @property
    def name(self) -> str:
        size = self.options
        return f"world-{self.seed}-{size.days}-{size.people}-{size.rooms}"

    def person(self, name: str) -> Person:
        return next(person for person in self.people if person.name == name)

    def room(self, name: str) -> Room:
        return next(room for room in self.rooms if room.name == name)

    def local(self, at_ns: int) -> datetime:
        """The wall clock at a moment."""
        return datetime.fromtimestamp(at_ns // SECOND, timezone(timedelta(seconds=self.offset_s)))


def spoken_s(text: str) -> float:
    """How long a text takes to say."""
    return max(0.5, len(text.split()) / WORDS_PER_S)


def seconds_ns(seconds: float) -> int:
    return round(seconds * 1000) * (SECOND // 1000)
