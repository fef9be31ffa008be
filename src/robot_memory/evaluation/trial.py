"""A trial: a stretch of life as perceived, the questions asked about it, and the truth to score them by.

Worlds, bags and public sets all become trials, so one scorer serves them all and every memory under test meets them in
the same way. Times are nanoseconds on the source's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from robot_memory.evaluation.truth import Truth
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session

SEEN, HEARD = "seen", "heard"
TYPES = (  # M3-Bench's five, then ours
    "multi-detail",
    "multi-hop",
    "cross-modal",
    "person",
    "general",
    "time",
    "count",
    "place",
    "changed",
    "first-person",
)
SWAPS = ("person", "time", "place", "never")  # how an answerable question was turned into one nobody can answer


@dataclass(frozen=True)
class Moment:
    """Where evidence lies: a stretch of what was seen or heard."""

    start_ns: int
    end_ns: int
    stream: str


@dataclass(frozen=True)
class Expected:
    """What a right answer says.

    form "text": one of `values` (each an accepted wording); "names": all of `values`; "number": the numeral in
    `values`; "yesno": "yes" or "no"; "time": a moment in `span_ns` (tolerance included); "none": nobody can know, the
    right answer abstains. An answer that asserts one of `traps` is wrong; one of `earlier` may follow the right value
    ("a nurse now; she was a teacher"), not stand alone or before it.
    """

    form: str
    values: tuple[str, ...] = ()
    span_ns: tuple[int, int] | None = None
    traps: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question with its truth. `at_ns`: when it is asked; `asker`: the true name of who asks, or empty (unknown).

    `evidence` is what should be found. `sight`: words alone cannot answer it.
    """

    id: str
    text: str
    at_ns: int
    type: str
    expected: Expected
    evidence: tuple[Moment, ...] = ()
    sight: bool = False
    asker: str = ""
    swap: str = ""

    @property
    def answerable(self) -> bool:
        return self.expected.form != "none"


@dataclass(frozen=True)
class Clip:
    """A clip as the memory gets it (`observation`, `session`), and what only the scorer knows.

    `faces` [tracks], `voices` [turns]: the true name behind each, empty where it is nobody's; `words` [turns]: what
    was really said.
    """

    observation: ClipObservation
    session: Session
    faces: tuple[str, ...] = ()
    voices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        return self.observation.session, self.observation.sequence


@dataclass(frozen=True)
class Trial:
    """`clips()` gives the stream afresh, in order of time. `models` names what perceived it (role -> name; "oracle" for
    perfect perception). `by_words`: its answers are published ones, so the words that a reply shares with them count as
    well.
    """

    name: str
    truth: Truth
    questions: tuple[Question, ...]
    clips: Callable[[], Iterator[Clip]]
    models: dict[str, str]
    by_words: bool = False
