"""Claims that exclude each other, in the order of what happened: a person has one home at a time.

Each row holds from `valid_from_ns` to `valid_until_ns` (none: still). An observation goes where its event time puts it,
however late it arrives; what it turns out to interrupt is parted in two. So the intervals depend on what was observed
and when, never on the order of arrival. For one value v: a run of claims of v ends with the first claim of another
value or the first denial of v; a run of denials of v ends with the first claim of v. At one and the same moment claims
come before denials, and in the order of their norms, for some order there must be: all but the last then have an
interval of no length.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.memory.compression.archive import bring_back
from robot_memory.memory.insertion import rows
from robot_memory.memory.insertion.claim import Claim
from robot_memory.memory.insertion.equals import first_wording
from robot_memory.memory.insertion.rows import Observation

Rank = tuple[bool, str]  # the place among what is observed at one moment
NEAREST = (
    "valid_from_ns = (SELECT valid_from_ns FROM memories WHERE {of} AND valid_from_ns {than} :at "
    "ORDER BY valid_from_ns {order} LIMIT 1)"
)
WHEN = {"=": "valid_from_ns = :at"} | {
    than: NEAREST.replace("{than}", than).replace("{order}", "DESC" if than[0] == "<" else "ASC")
    for than in ("<", "<=", ">", ">=")
}


@dataclass(frozen=True)
class Interval:
    """A row of the chain."""

    memory: int
    norm: str
    polarity: int
    since_ns: int
    until_ns: int | None
    archived: int


@dataclass
class Chain:
    """The intervals of one matter of one subject, and what placing an observation among them changed.

    `subjects` and `norms` are the claim's in every wording that means the same people; `parted`: rows made of others.
    Each query is a step in an index, however long the chain is, and the rows of one moment.
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
        if same and self._equal(same) and self._reaches(same, at):
            return self._observe_again(same, seen)
        ended = [one for one in (claimed, denied) if one and self._excludes(one) and self._reaches(one, at)]
        for one in ended:
            self._end(one, at)
        then = self._next(at)
        if then and self._equal(then):
            memory, new = self._observe_again(then, seen)
        else:
            memory, new = rows.add(self.db, seen, self.claim, then.since_ns if then else None), True
            if then:
                self._supersede(then.memory, memory)
        for one in ended:
            self._supersede(memory, one.memory)
        return memory, new

    def _observe_again(self, one: Interval, seen: Observation) -> tuple[int, bool]:
        """Strengthen an interval; one in the archive comes back, as a new row."""
        memory = bring_back(self.db, one.memory) if one.archived else one.memory
        rows.observe_again(self.db, memory, seen)
        return memory, bool(one.archived)

    def _equal(self, one: Interval) -> bool:
        """The same value with the same sign."""
        return self._of_value(one) and one.polarity == self.claim.polarity

    def _excludes(self, one: Interval) -> bool:
        """A claim excludes all others; a denial, only what is said of this value."""
        return self.claim.polarity > 0 or self._of_value(one)

    def _of_value(self, one: Interval) -> bool:
        return one.norm in self.norms

    def _reaches(self, one: Interval, at_ns: int) -> bool:
        """Does what began before it still hold at the observation's place? What ends a claim at this very moment comes
        behind the observation if that is a claim, too: else it would be the last that began before it.
        """
        claims = one.polarity > 0 and self.claim.polarity > 0
        return one.until_ns is None or at_ns < one.until_ns or (claims and at_ns == one.until_ns)

    def _rank(self, norm: str, polarity: int) -> Rank:
        return polarity < 0, first_wording(self.db, norm)

    def _place_of(self, one: Interval) -> tuple[int, Rank, int]:
        return one.since_ns, self._rank(one.norm, one.polarity), one.memory

    def _claimed_before(self, at_ns: int) -> Interval | None:
        """The last interval in which something was claimed that begins before the observation's place, or there."""
        if self.claim.polarity < 0:
            return max(self._select("<=", at_ns, +1), key=self._place_of, default=None)
        mine = self._rank(self.claim.norm, +1)
        now = [one for one in self._select("=", at_ns, +1) if self._rank(one.norm, +1) <= mine]
        return max(now or self._select("<", at_ns, +1), key=self._place_of, default=None)

    def _denied_before(self, at_ns: int) -> Interval | None:
        """The last in which this value was denied."""
        than = "<" if self.claim.polarity > 0 else "<="
        return max(self._select(than, at_ns, -1, of_value=True), key=self._place_of, default=None)

    def _next(self, at_ns: int) -> Interval | None:
        """What ends a claim that begins at the observation's place, or goes on with it: the first of either sign."""
        if self.claim.polarity < 0:
            found = [*self._select(">", at_ns, +1, of_value=True), *self._select(">", at_ns, -1, of_value=True)]
            return min(found, key=self._place_of, default=None)
        mine = self._rank(self.claim.norm, +1)
        now = [one for one in self._select("=", at_ns, +1) if self._rank(one.norm, +1) > mine]
        found = [*(now or self._select(">", at_ns, +1)), *self._select(">=", at_ns, -1, of_value=True)]
        return min(found, key=self._place_of, default=None)

    def _end(self, one: Interval, at_ns: int) -> None:
        """The interval ends at the observation's place; what was observed of it later is an interval of its own."""
        behind = self._rank(one.norm, one.polarity) > self._rank(self.claim.norm, self.claim.polarity)
        later = rows.part(self.db, one.memory, at_ns if behind else at_ns + 1)
        if later is not None:
            self.parted.append(later)
            self.db.execute(
                "UPDATE relations SET other = ? WHERE other = ? AND kind = 'supersedes'", (later, one.memory)
            )
        self.db.execute("DELETE FROM relations WHERE other = ? AND kind = 'supersedes'", (one.memory,))
        self.db.execute("UPDATE memories SET valid_until_ns = ? WHERE id = ?", (at_ns, one.memory))

    def _supersede(self, memory: int, other: int) -> None:
        self.db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'supersedes')", (memory, other))

    def _select(self, than: str, at_ns: int, polarity: int, of_value: bool = False) -> list[Interval]:
        """Of each wording the intervals that begin at `at_ns` ("="), or at the moment nearest to it ("<", ">=" …)."""
        column, keys = ("norm", self.norms) if of_value else ("matter", [self.claim.matter])
        of = f"subject = :subject AND attribute = :attribute AND {column} = :key AND polarity = :polarity"
        sql = (
            "SELECT id, norm, polarity, valid_from_ns, valid_until_ns, archived FROM memories "
            f"WHERE {of} AND {WHEN[than].replace('{of}', of)}"
        )
        found = list[Interval]()
        for subject in self.subjects:
            for key in keys:
                named = {"subject": subject, "attribute": self.claim.attribute, "key": key}
                rows_of = self.db.execute(sql, {**named, "polarity": polarity, "at": at_ns})
                found += [Interval(*row) for row in rows_of]
        return found
