"""What a question asks, apart from its words: of which kind, about whom, when and where; and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from robot_memory.evaluation.trial import Expected, Moment
from robot_memory.evaluation.worlds.record import Record

NAMED, ME, BY_FACT, BY_SIGHT = "named", "me", "by fact", "by sight"


class Unclear(Exception):
    """The truth is not clear-cut enough to ask this: two answers could be defended."""


@dataclass(frozen=True)
class Ref:
    """A way to refer to a person: by name, as the asker, by a fact ("the person who lives in Leeds") or by what was
    seen. `words` goes into the question; `who` is the person meant, empty if there is none such.
    """

    how: str
    words: str
    who: str
    evidence: tuple[Moment, ...] = ()
    about: str = ""  # the attribute that a description names


@dataclass(frozen=True)
class When:
    """A day, or its morning or afternoon."""

    day: int
    part: str = ""


@dataclass(frozen=True)
class Ask:
    """The slots of a question. A kind uses those it names; the others stay as they are."""

    subject: Ref | None = None
    when: When | None = None
    room: str = ""
    value: str = ""  # what somebody mentioned
    given: tuple[tuple[str, str], ...] = ()  # slots of a fact that the question names: what, topic, relation …


@dataclass(frozen=True)
class Answer:
    """What is expected, where the evidence lies, and whether a value changed before (its type is then "changed")."""

    expected: Expected
    evidence: tuple[Moment, ...]
    changed: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of question. `answer` gives None where nobody can know, and raises Unclear where it should not be asked.

    `slots`: which of "subject", "when", "room", "value", "given" it uses; `candidates` yields values for "given";
    `refs`: the ways to refer to the subject that make sense.
    """

    key: str
    type: str
    sight: bool
    slots: tuple[str, ...]
    answer: Callable[[Record, Ask], Answer | None]
    candidates: Callable[[Record], Iterator[tuple[tuple[str, str], ...]]] | None = None
    refs: tuple[str, ...] = (NAMED, ME, BY_FACT, BY_SIGHT)
