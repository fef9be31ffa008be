"""What a check finds: one line each, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How a thing is. MISSING is a fault only where the thing is needed."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """`what` was looked at, how it is in words, and the `remedy`; `needed`: nothing runs without it."""

    what: str
    state: State
    text: str
    remedy: str = ""
    needed: bool = False

    @property
    def fatal(self) -> bool:
        return self.needed and self.state is State.MISSING


@dataclass(frozen=True)
class Check:
    """A question to the machine, by name; `ask` may raise anything."""

    name: str
    ask: Callable[[], Iterable[Finding]]


def ok(what: str, text: str) -> Finding:
    return Finding(what, State.OK, text)


def warning(what: str, text: str, remedy: str) -> Finding:
    return Finding(what, State.WARNING, text, remedy)


def missing(what: str, text: str, remedy: str, needed: bool = False) -> Finding:
    return Finding(what, State.MISSING, text, remedy, needed)
