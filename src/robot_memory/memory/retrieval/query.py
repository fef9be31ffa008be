"""What is looked for, and what is found. Plain data: who reads questions fills it, `search` answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from robot_memory.memory.vectors.index import Vector


class Mode(Enum):
    """Which channels find memories; the rest only order them."""

    HYBRID = "hybrid"
    VECTOR = "vector"
    KEYWORD = "keyword"


class Order(Enum):
    """Best first, or of what fits well the earliest or latest first ("the last time that …")."""

    RELEVANCE = "relevance"
    FIRST = "first"
    LAST = "last"


class Standing(Enum):
    """Claims of any time, only those that still hold ("now", "still"), or rather those that did ("used to")."""

    ANY = "any"
    LATEST = "latest"
    EARLIER = "earlier"


@dataclass(frozen=True)
class Place:
    """Within `radius_m` metres of a point in `frame`; `map_id` empty: of any map."""

    x: float
    y: float
    radius_m: float
    frame: str = "map"
    map_id: str = ""


@dataclass(frozen=True)
class Query:
    """Filters cut exactly, before anything is scored; `text`, `vector`, `asked` and `now_ns` order what is left.

    A person is given by the ids of its faces and voices. Times in ns; the range is half-open and takes what touches it.
    """

    text: str = ""
    vector: Vector | None = None
    model: str = ""  # whose vector it is: with what is archived, vectors of others are not compared; empty: not known
    mode: Mode = Mode.HYBRID
    asked: Sequence[Sequence[int]] = ()  # persons the question is about: what concerns them is lifted
    now_ns: int | None = None  # lifts what is recent, a little; None: no age is preferred
    during_ns: tuple[int | None, int | None] = (None, None)  # lifts what was then
    told_later_ns: int = 0  # and what was heard so long after it: it may tell of then
    asks_when: bool = False  # lifts what tells a time in words
    of_sight: bool = False  # lifts what was seen
    order: Order = Order.RELEVANCE
    entities: Sequence[int] | None = None  # about any of these
    persons: Sequence[Sequence[int]] = ()  # about all of these persons
    phrase: str = ""  # whose words hold these, one after the other
    kind: str = ""
    sources: Sequence[str] = ()
    session: str = ""
    start_ns: int | None = None
    end_ns: int | None = None
    told_until_ns: int | None = None  # and what was heard before this, after the range: it may tell of it
    place: Place | None = None
    standing: Standing = Standing.ANY
    recorded_by_ns: int | None = None  # what was known then
    before_clip: int | None = None  # what was known when this clip had been stored
    archived: bool = False

    @property
    def theirs(self) -> list[int]:
        """The faces and voices of all who are asked about."""
        return [entity for person in self.asked for entity in person]

    @property
    def back(self) -> bool:
        """Is it asked what was known at some earlier moment?"""
        return self.recorded_by_ns is not None or self.before_clip is not None


@dataclass(frozen=True)
class Hit:
    """A memory found. `score`: 0 to 1, comparable within one list; `channels`: what found it, each on its own scale."""

    memory: int
    score: float
    channels: Mapping[str, float] = field(default_factory=dict)

    @property
    def why(self) -> tuple[str, ...]:
        return tuple(self.channels)
