"""What goes in and out of control: questions, evidence, answers. Plain data; times in nanoseconds on the source's
clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Outcome(IntEnum):
    """How a question ended; the numbers are those of AnswerResult.msg."""

    ANSWERED = 0
    ABSTAINED = 1
    AMBIGUOUS = 2
    TIMED_OUT = 3
    CANCELLED = 4
    BUSY = 5
    NOT_READY = 6
    ERROR = 7
    REFUSED = 8


@dataclass(frozen=True)
class Question:
    """A question as asked. `as_of_ns`: answer from what was recorded by then; `now_ns` is what "today" means."""

    id: str
    text: str
    now_ns: int
    as_of_ns: int | None = None
    asker: str = ""


@dataclass(frozen=True)
class Fact:
    """What a sentence says, for programs: `subject` likes (`attribute`) tea (`value`). People by their id, person_2."""

    subject: str
    attribute: str
    value: str
    negated: bool = False


@dataclass(frozen=True)
class Evidence:
    """What an answer cites and a search finds. `text` reads with names as known now; `people` are the persons it is
    about; `author` is whom it comes from, empty for its own eyes; `valid_until_ns` None: still true as far as is known;
    `channels`: what found it, each on its own scale.
    """

    memory: int
    kind: str
    source: str
    text: str
    start_ns: int
    end_ns: int
    author: str = ""
    facts: tuple[Fact, ...] = ()
    quote: str = ""
    speaker: str = ""
    people: tuple[int, ...] = ()
    valid_from_ns: int | None = None
    valid_until_ns: int | None = None
    count: int = 0
    session: str = ""
    clip: int = 0
    pose: str = ""
    snapshot: int = 0
    score: float = 1.0
    channels: tuple[tuple[str, float], ...] = ()
    confidence: float = 0.0
    provisional: bool = False
    archived: bool = False


@dataclass(frozen=True)
class Answer:
    """The end of a question. `message` says what went wrong and what to do; empty when answered. `grounds`: what the
    confidence comes from, each ground from 0 to 1. `found`: some memories that were looked at, cited or not.
    """

    text: str
    outcome: Outcome
    message: str = ""
    confidence: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    candidates: tuple[str, ...] = ()
    rounds: int = 0
    grounds: tuple[tuple[str, float], ...] = ()
    found: tuple[int, ...] = ()


def abstain(text: str, message: str = "") -> Answer:
    """I don't know, and why."""
    return Answer(text, Outcome.ABSTAINED, message or text)
