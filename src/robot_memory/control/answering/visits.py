"""What was in view as visits: sightings of one person joined across the borders of clips and over short absences.

Plain functions of evidence; nothing here knows a question or a word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Evidence
from robot_memory.memory.rooms import Rooms
from robot_memory.streams.media import SECOND

Stretch = tuple[int, int]

AWAY_NS = 120 * SECOND  # who is back within this time has not left
BORDER_NS = 10 * SECOND  # a face lost for so long was there all along
TOGETHER_NS = 3 * SECOND  # who shares the view for less merely passed by


@dataclass(frozen=True)
class Visit:
    """Somebody was here, as far as it was seen. `seen`: the sightings, in order of time."""

    person: int
    start_ns: int
    end_ns: int
    seen: tuple[Evidence, ...]

    @property
    def length_ns(self) -> int:
        return self.end_ns - self.start_ns


def visits(seen: Iterable[Evidence]) -> list[Visit]:
    """The visits of everyone seen, in order of time."""
    found = []
    for person, own in by_person(seen).items():
        for start_ns, end_ns in joined(((one.start_ns, one.end_ns) for one in own), AWAY_NS):
            found.append(Visit(person, start_ns, end_ns, _within(own, start_ns, end_ns)))
    return sorted(found, key=lambda visit: (visit.start_ns, visit.end_ns, visit.person))


def by_person(evidence: Iterable[Evidence]) -> dict[int, list[Evidence]]:
    """Person -> what is about them, in order of time; the persons in the order in which they first appear."""
    found: dict[int, list[Evidence]] = defaultdict(list)
    for one in sorted(evidence, key=lambda one: (one.start_ns, one.end_ns, one.memory)):
        for person in one.people:
            found[person].append(one)
    return dict(found)


def joined(stretches: Iterable[Stretch], gap_ns: int = BORDER_NS) -> list[Stretch]:
    """Stretches in order, those at most `gap_ns` apart made one."""
    found: list[Stretch] = []
    for start_ns, end_ns in sorted(stretches):
        if found and start_ns - found[-1][1] <= gap_ns:
            found[-1] = (found[-1][0], max(found[-1][1], end_ns))
        else:
            found.append((start_ns, end_ns))
    return found


def stretches(evidence: Iterable[Evidence]) -> list[Stretch]:
    """When it was, as stretches without the borders of clips."""
    return joined((one.start_ns, one.end_ns) for one in evidence)


def shared_ns(some: Sequence[Stretch], others: Sequence[Stretch]) -> int:
    """For how long both were. Each in order and without overlaps, as `joined` gives them."""
    total = at = 0
    for start_ns, end_ns in some:
        while at < len(others) and others[at][1] <= start_ns:
            at += 1
        for first_ns, last_ns in others[at:]:
            if first_ns >= end_ns:
                break
            total += min(end_ns, last_ns) - max(start_ns, first_ns)
    return total


def touches(one: Evidence, some: Sequence[Stretch], slack_ns: int = 0) -> bool:
    """Whether it was within one of these stretches, or so near to it."""
    return any(one.start_ns <= end_ns + slack_ns and one.end_ns >= start_ns - slack_ns for start_ns, end_ns in some)


def in_room(evidence: Iterable[Evidence], rooms: Rooms, room: str) -> list[Evidence]:
    """What was in a room of that name."""
    return [one for one in evidence if rooms.at(one.pose) == room]


def rooms_of(evidence: Iterable[Evidence], rooms: Rooms) -> list[str]:
    """The rooms in which it was, in order of time, each once; those without a name are left out."""
    names = (rooms.at(one.pose) for one in sorted(evidence, key=lambda one: one.start_ns))
    return [name for name in dict.fromkeys(names) if name]


def _within(own: Sequence[Evidence], start_ns: int, end_ns: int) -> tuple[Evidence, ...]:
    return tuple(one for one in own if start_ns <= one.start_ns <= end_ns)
