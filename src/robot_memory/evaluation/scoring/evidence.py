"""Recall of evidence: of what should have been found for a question, how much is among the first k things found.

A memory may find single turns, windows or whole clips. To be fair to all, each thing found is taken apart into the
true lines and appearances it covers, in order of time, and the first k of these count: one huge span wins nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from robot_memory.evaluation.subject import Found
from robot_memory.evaluation.trial import HEARD, SEEN, Moment
from robot_memory.evaluation.truth import Truth

LEAST = 0.2  # of the shorter one: spans that share less merely touch
INFERRED = "inferred"


@dataclass(frozen=True)
class _Item:
    """A true line or appearance."""

    number: int
    start_ns: int
    end_ns: int
    stream: str
    who: str
    text: str


class Timeline:
    """All that could be found in a trial: every line and appearance, quick to look up by time."""

    def __init__(self, truth: Truth) -> None:
        lines = [(line.start_ns, line.end_ns, HEARD, line.who, line.text) for line in truth.lines]
        seen = [(one.start_ns, one.end_ns, SEEN, one.who, one.place) for one in truth.appearances]
        self._items = [_Item(n, *of) for n, of in enumerate(sorted(lines + seen))]
        self._starts = [item.start_ns for item in self._items]
        self._latest = list(accumulate((item.end_ns for item in self._items), max))  # end of any item up to here

    def during(self, start_ns: int, end_ns: int, stream: str) -> list[_Item]:
        """The items of a stream (INFERRED: of both) that share time with a span, in order of time."""
        found = []
        n = bisect_left(self._starts, end_ns + 1) - 1
        while n >= 0 and self._latest[n] >= start_ns:
            item = self._items[n]
            if _agree(item.stream, stream) and overlap(item.start_ns, item.end_ns, start_ns, end_ns):
                found.append(item)
            n -= 1
        return found[::-1]

    def reads(self, moment: Moment) -> str:
        """What was said or who was to be seen then, for a report."""
        items = self.during(moment.start_ns, moment.end_ns, moment.stream)
        said = [f"{i.who}: “{i.text}”" if i.stream == HEARD else f"{i.who} in view {i.text}".strip() for i in items]
        return "; ".join(said) or f"something {moment.stream}"


def recall(found: Sequence[Found], evidence: Sequence[Moment], timeline: Timeline, k: int) -> float:
    """The share of the evidence that the first k items cover. A thing found costs at least one of the k, and one for
    each line or appearance it brings that was not there before.
    """
    reached: set[int] = set()
    covered: set[Moment] = set()
    left = k
    for one in found:
        if left <= 0:
            break
        items = timeline.during(one.start_ns, one.end_ns, one.stream)
        fresh = [item for item in items if item.number not in reached][:left]
        left -= max(1, len(fresh))
        reached |= {item.number for item in fresh}
        covered |= set(_covered(one, [item for item in items if item.number in reached], evidence))
    return len(covered) / len(set(evidence))


def rank(found: Sequence[Found], moment: Moment, timeline: Timeline) -> int | None:
    """The place, from 1, of the first thing found that meets a moment; None if nothing does."""
    for place, one in enumerate(found, start=1):
        if any(_covered(one, timeline.during(one.start_ns, one.end_ns, one.stream), (moment,))):
            return place
    return None


def _covered(one: Found, items: Sequence[_Item], evidence: Sequence[Moment]) -> Iterable[Moment]:
    """The moments that a thing found meets by way of the items it may still bring."""
    for moment in evidence:
        if _agree(moment.stream, one.stream) and overlap(one.start_ns, one.end_ns, moment.start_ns, moment.end_ns):
            through = (i for i in items if _agree(i.stream, moment.stream))
            if any(overlap(i.start_ns, i.end_ns, moment.start_ns, moment.end_ns) for i in through):
                yield moment


def overlap(a_ns: int, b_ns: int, c_ns: int, d_ns: int) -> bool:
    """Do two spans share more than their edges? A span without length counts if it lies in the other."""
    shorter = min(b_ns - a_ns, d_ns - c_ns)
    shared = min(b_ns, d_ns) - max(a_ns, c_ns)
    return shared >= 0 if shorter <= 0 else shared >= LEAST * shorter


def _agree(one: str, other: str) -> bool:
    return one == other or INFERRED in (one, other)
