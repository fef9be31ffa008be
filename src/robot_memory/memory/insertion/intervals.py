"""Claims that exclude each other, in the order of what happened: a person has one home at a time.

Each row holds from `valid_from_ns` to `valid_until_ns` (none: still). An observation goes where its event time puts it,
however late it arrives; what it turns out to interrupt is parted in two. So the intervals depend on what was observed
and when, never on the order of arrival. For one value v: a run of claims of v ends with the first claim of another
value or the first denial of v; a run of denials of v ends with the first claim of v.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.memory.insertion import edges, rows
from robot_memory.memory.insertion.claim import BEHIND, Claim
from robot_memory.memory.insertion.rows import Observation


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
        return self.since_ns <= at_ns and (self.until_ns is None or at_ns < self.until_ns)


@dataclass
class Chain:
    """The intervals of one attribute of one subject, and what placing an observation among them changed.

    `subjects` and `norms` are the claim's in every wording that means the same people; `parted`: rows made of others.
    """

    db: sqlite3.Connection
    claim: Claim
    subjects: Sequence[str]
    norms: Sequence[str]
    parted: list[int] = field(default_factory=list)

    def place(self, seen: Observation) -> tuple[int, bool]:
        """Put an observation where it belongs in time; returns the memory and whether it is a new one."""
        at = seen.sentence.start_ns
        sign = self.claim.polarity
        same, opposed = self._before(at, sign, sign < 0), self._before(at, -sign, sign > 0)
        if same and same.covers(at) and self._equal(same):
            self._strengthen(same, seen)
            return same.memory, False
        ended = [one for one in (same, opposed) if one and one.covers(at) and (sign > 0 or self._of_value(one))]
        for one in ended:
            self._end(one, at)
        then = self._next(at, sign)
        if then and self._equal(then):
            self._strengthen(then, seen)
            memory, new = then.memory, False
        else:
            memory, new = rows.add(self.db, seen, self.claim, then.since_ns if then else None), True
            if then:
                self._supersede(then.memory, memory)
        for one in ended:
            self._supersede(memory, one.memory)
        return memory, new

    def _strengthen(self, one: Interval, seen: Observation) -> None:
        rows.reinforce(self.db, one.memory, seen)
        edges.strengthen(self.db, one.memory, seen.sentence.about)

    def _equal(self, one: Interval) -> bool:
        """The same value with the same sign; what is archived is not strengthened."""
        return not one.archived and self._of_value(one) and one.polarity == self.claim.polarity

    def _of_value(self, one: Interval) -> bool:
        return one.norm in self.norms

    def _next(self, at_ns: int, sign: int) -> Interval | None:
        """What ends a claim that begins at `at_ns`, or goes on with it: the earlier of the next of either sign."""
        found = [self._after(at_ns, +1, of_value=sign < 0), self._after(at_ns, -1, of_value=True)]
        return min((one for one in found if one), key=lambda one: (one.since_ns, one.memory), default=None)

    def _end(self, one: Interval, at_ns: int) -> None:
        """The interval ends at `at_ns`; what was observed of it later is an interval of its own."""
        later = rows.part(self.db, one.memory, at_ns)
        if later is not None:
            self.parted.append(later)
            self.db.execute(
                "UPDATE relations SET other = ? WHERE other = ? AND kind = 'supersedes'", (later, one.memory)
            )
        self.db.execute("DELETE FROM relations WHERE other = ? AND kind = 'supersedes'", (one.memory,))
        self.db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (at_ns, one.memory))

    def _supersede(self, memory: int, other: int) -> None:
        self.db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'supersedes')", (memory, other))

    def _before(self, at_ns: int, sign: int, of_value: bool) -> Interval | None:
        """The last interval of this sign that begins at or before `at_ns`."""
        found = self._select("valid_from_ns <= ?", "DESC", at_ns, sign, of_value)
        return max(found, key=lambda one: (one.since_ns, one.memory), default=None)

    def _after(self, at_ns: int, sign: int, of_value: bool) -> Interval | None:
        found = self._select("valid_from_ns > ?", "ASC", at_ns, sign, of_value)
        return min(found, key=lambda one: (one.since_ns, one.memory), default=None)

    def _select(self, when: str, order: str, at_ns: int, sign: int, of_value: bool) -> list[Interval]:
        """The nearest interval for each wording of the subject: each is one step in an index."""
        where, values, free = "", list[object](), ""
        if of_value:
            where, values = f"AND norm IN ({', '.join('?' * len(self.norms))}) ", list(self.norms)
        elif self.claim.matter:
            where, values = "AND norm >= ? AND norm < ? ", [self.claim.matter, self.claim.matter[:-1] + BEHIND]
            free = "+"  # of an attribute's many matters: the index by value, not the one by time
        found = []
        for subject in self.subjects:
            row = self.db.execute(
                "SELECT id, norm, polarity, valid_from_ns, valid_until_ns, archived FROM memories "
                f"WHERE subject = ? AND attribute = ? AND {free}polarity = ? {where}AND {free}{when} "
                f"ORDER BY valid_from_ns {order}, id {order} LIMIT 1",
                (subject, self.claim.attribute, sign, *values, at_ns),
            ).fetchone()
            if row:
                found.append(Interval(*row))
        return found
