"""A memory under test: what a scorer asks of it, and nothing about how it is made.

The product's memory graph, plain baselines and deliberately broken memories all look like this. A subject sees
observations and questions as a robot would; truth never passes through here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session

Key = tuple[str, int]  # session id and sequence of a clip


@dataclass(frozen=True)
class Asked:
    """A question as it reaches a robot. `asker` is the subject's own label of who asks, empty if unknown."""

    id: str
    text: str
    at_ns: int
    asker: str = ""


@dataclass(frozen=True)
class Found:
    """Something retrieved: when it was, whether it was seen or heard, how it reads."""

    start_ns: int
    end_ns: int
    stream: str
    text: str
    score: float


@dataclass(frozen=True)
class Reply:
    """An answer. `outcome` in the words of control.answer.Outcome; `confidence` from 0 to 1; `cited` is the evidence it
    gives, best first. `grounds`: what the confidence comes from, where a memory says.
    """

    text: str
    outcome: str
    confidence: float
    cited: tuple[Found, ...] = ()
    latency_s: float = 0.0
    grounds: tuple[tuple[str, float], ...] = ()

    @property
    def answered(self) -> bool:
        return self.outcome == "ANSWERED"


@dataclass(frozen=True)
class Labels:
    """Whom a subject takes each track and each turn of a clip for, as known now; None: it does not say."""

    faces: tuple[str | None, ...]
    voices: tuple[str | None, ...]


@dataclass(frozen=True)
class Claim:
    """A fact that a subject holds. `subject` is one of its labels, or a thing."""

    subject: str
    attribute: str
    value: str
    polarity: int
    start_ns: int


class Subject(Protocol):
    """Feed it clips in order, ask it in between, close it."""

    @property
    def name(self) -> str: ...

    @property
    def models(self) -> Mapping[str, str]:
        """Role -> model name, stand-ins named as such."""
        ...

    def watch(self, observation: ClipObservation, session: Session) -> None: ...

    def ask(self, question: Asked) -> Reply: ...

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        """What it retrieves for a question, best first, before any answering."""
        ...

    def labels(self) -> Mapping[Key, Labels]: ...

    def names(self) -> Mapping[str, str]:
        """Label -> the name it goes by, where there is one."""
        ...

    def claims(self) -> tuple[Claim, ...] | None:
        """The facts it holds now; None for a memory that keeps no facts."""
        ...

    def bytes_used(self) -> int: ...

    def close(self) -> None: ...
