"""What a policy may do next, and all that it may look at: plain data between the agent's loop and whoever answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.control.answer import Evidence, Question
from robot_memory.control.clock import Zone
from robot_memory.control.understanding.reading import Reading
from robot_memory.control.verification.asked import Verdict
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.rooms import Rooms


@dataclass(frozen=True)
class Search:
    """Look for memories: about `people` (None: anyone), from `sources` (seen, heard), matching `text`, within the time
    that the question asks about, or from `since_ns` on. Without text all of them, in order of time.
    """

    query: str
    people: tuple[Person, ...] | None
    sources: tuple[str, ...]
    text: str = ""
    any_time: bool = False
    since_ns: int | None = None


@dataclass(frozen=True)
class Recall:
    """Look for whatever bears on the question as it was read, whoever it is about, and judge whether it is enough."""

    query: str


@dataclass(frozen=True)
class Claims:
    """Look for all claims, of any time, of these `subjects` (as frames write them: "<face_3>", "ben", "car keys"; None:
    of anybody and anything) and `attributes` (none: any), in order of time.
    """

    query: str
    subjects: tuple[str, ...] | None
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lines:
    """Look for what was said that, by its likeness in meaning, states this `attribute` ("job", "dislikes") of a person
    with these entities or `names`, or of a thing of these `names`, the likeliest first. Channel "states": how likely.
    """

    query: str
    entities: tuple[int, ...]
    names: tuple[str, ...]
    attribute: str
    thing: bool = False


Step = Search | Recall | Claims | Lines


@dataclass(frozen=True)
class State:
    """All that a policy may look at. `found` has one entry for each step made; `verdict`: how far what the last Recall
    found supports an answer. `wish`: what the question wants; `rooms`: where a pose is. `force`: a guess is better than
    silence, as benchmarks have it.
    """

    question: Question
    reading: Reading
    wish: Wish
    people: People
    zone: Zone
    rooms: Rooms = field(default_factory=Rooms)
    found: Sequence[tuple[Step, list[Evidence]]] = ()
    verdict: Verdict | None = None
    force: bool = False

    def hits(self, step: Step) -> list[Evidence] | None:
        """What a step found, if it was made already."""
        return next((hits for made, hits in self.found if made == step), None)


OTHER = Wish(Kind.OTHER)
