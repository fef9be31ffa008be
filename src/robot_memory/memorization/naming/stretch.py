"""The last minutes of a talk, as far as it takes to say who is meant: what was said by whom, and who was in view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.memory.people.names import Hearing


@dataclass(frozen=True)
class Spoken:
    """A turn: its row in the store, whose voice (None: not known), from when to when, and the words."""

    row: int
    voice: int | None
    start_ns: int
    end_ns: int
    text: str


@dataclass(frozen=True)
class Seen:
    """A face in view; None where it could not be told whose it is."""

    face: int | None
    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class Stretch:
    """What was seen and said until now, in order of time, and who is who.

    `person`: entity -> its person. `faced`: persons with a face that is known. `names`: what was heard of a person's
    names. `bearers`: who is called by a name, or, where nobody is, by one alike.
    """

    spoken: Sequence[Spoken]
    seen: Sequence[Seen]
    person: Mapping[int, int]
    faced: frozenset[int]
    names: Callable[[int], Sequence[Hearing]]
    bearers: Callable[[str], Sequence[int]]
    end_ns: int

    def speaker(self, line: Spoken) -> int | None:
        return None if line.voice is None else self.person[line.voice]

    def in_view(self, start_ns: int, end_ns: int) -> dict[int, int] | None:
        """Person -> a face of theirs that was in view; None where somebody was whom nobody can tell."""
        there = [one.face for one in self.seen if one.start_ns < end_ns and one.end_ns > start_ns]
        return None if None in there else {self.person[face]: face for face in there if face is not None}

    def heard(self, start_ns: int, end_ns: int) -> list[Spoken]:
        """The turns of known voices that overlap a span."""
        return [one for one in self.spoken if one.voice is not None and one.start_ns < end_ns and one.end_ns > start_ns]
