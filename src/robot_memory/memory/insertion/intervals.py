"""Claims that exclude each other, in the order of what happened: a person has one home at a time.

Each row holds from `valid_from_ns` to `valid_until_ns` (none: still). An observation goes where its event time puts it,
however late it arrives; what it turns out to interrupt is parted in two. So the intervals depend on what was observed
and when, never on the order of arrival. For one value v: a run of claims of v ends with the first claim of another
value or the first denial of v; a run of denials of v ends with the first claim of v. Of what was observed at one moment
claims come before denials, and those in the order of their norms (some order there must be): each but the last has an
interval of no length.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.memory.insertion import rows
from robot_memory.memory.insertion.claim import Claim
from robot_memory.memory.insertion.equals import one_wording
from robot_memory.memory.insertion.rows import Observation

Rank = tuple[bool, str]  # the place among what was observed at the same moment


@dataclass(frozen=True)
class Interval:
    """A row of the chain."""

    memory: int
    norm: str
    polarity: int
    since_ns: int
    until_ns: int | None
    archived: int

    def covers(self, at_ns: int) -> bool:
        """Also the moment of no length at which it ends, if it began then."""
        return self.since_ns <= at_ns and (self.until_ns is None or at_ns < self.until_ns)


@dataclass
class Chain:
    """The intervals of one matter of one subject, and what placing an observation among them changed.

    `subjects` and `norms` are the claim's in every wording that means the same people; `parted`: rows made of others.
    Every query is a few steps in an index, however long the chain is.
    """

    db: sqlite3.Connection
    claim: Claim
    subjects: Sequence[str]
    norms: Sequence[str]
    parted: list[int] = field(default_factory=list)

    def place(self, seen: Observation) -> tuple[int, bool]:
        """Put an observation where it belongs in time; returns the memory and whether it is a new one."""
        at = seen.sentence.start_ns
        claimed, denied = self._claimed_before(at), self._denied_before(at)
        same = claimed if self.claim.polarity > 0 else denied
        if same and self._equal(same) and self._goes_on(same, at):
            rows.observe_again(self.db, same.memory, seen)
            return same.memory, False
        ended = [one for one in (claimed, denied) if one and self._ends(one, at)]
        for one in ended:
            self._end(one, at)
        then = self._next(at)
        if then and self._equal(then):
            rows.observe_again(self.db, then.memory, seen)
            memory, new = then.memory, False
        else:
            memory, new = rows.add(self.db, seen, self.claim, then.since_ns if then else None), True
            if then:
                self._supersede(then.memory, memory)
        for one in ended:
            self._supersede(memory, one.memory)
        return memory, new
