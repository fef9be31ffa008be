"""Who was in view together, in sentences: the largest groups, each for as long as all of it was there.

Every two who shared the view for a while are found in a group at that time. Two of three are told apart from the three
only where they were clearly longer together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.memorization.scene import REJOIN_NS, Scene, pose_at
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.streams.media import SECOND

TOGETHER_NS = SECOND  # faces that share less time than this merely passed each other


@dataclass(frozen=True)
class Group:
    """Faces, and a span of time in which all of them were in view."""

    faces: frozenset[int]
    start_ns: int
    end_ns: int

    def tells(self, other: Group) -> bool:
        """Is `other` a part of this group at about the same time?"""
        longer_ns = (other.end_ns - other.start_ns) - (self.end_ns - self.start_ns)
        within = other.start_ns <= self.start_ns and self.end_ns <= other.end_ns
        return other.faces < self.faces and within and longer_ns < REJOIN_NS


def company(scene: Scene) -> Iterator[Sentence]:
    """A sentence for each group."""
    for group in groups(scene.spans()):
        names = [f"<face_{face}>" for face in sorted(group.faces)]
        yield Sentence(
            "episodic",
            f"{', '.join(names[:-1])} and {names[-1]} were in view together.",
            group.start_ns,
            group.end_ns,
            "seen",
            {f"face_{face}": 1.0 for face in sorted(group.faces)},
            pose=pose_at(scene, group.start_ns),
        )


def groups(spans: dict[int, list[tuple[int, int]]]) -> list[Group]:
    """The groups that neither one more face nor one more moment could join, in order of time; the larger one alone
    where it tells the smaller as well.
    """
    stretches = [(face, start_ns, end_ns) for face, its_spans in spans.items() for start_ns, end_ns in its_spans]
    found = set[Group]()
    for _, start_ns, _ in stretches:
        for _, _, end_ns in stretches:
            there = [one for one in stretches if one[1] <= start_ns and one[2] >= end_ns]
            if len(there) < 2 or end_ns - start_ns < TOGETHER_NS:
                continue
            group = Group(frozenset(one[0] for one in there), max(o[1] for o in there), min(o[2] for o in there))
            if (group.start_ns, group.end_ns) == (start_ns, end_ns):
                found.add(group)
    kept: list[Group] = []
    for group in sorted(found, key=lambda one: (-len(one.faces), one.start_ns, sorted(one.faces))):
        if not any(other.tells(group) for other in kept):
            kept.append(group)
    return sorted(kept, key=lambda one: (one.start_ns, one.end_ns, sorted(one.faces)))
