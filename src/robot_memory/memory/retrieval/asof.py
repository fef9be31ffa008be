"""Memories as they had been recorded by some moment: how often observed by then, over which time, and until when true
as far as was known. A memory whose end was learnt later was still true; what later observations extended was shorter.

Who is who is taken as it is known now.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from robot_memory.memory.insertion.equals import first_wording, wordings
from robot_memory.memory.retrieval.filters import LISTED, Filter, Passing, known, listed
from robot_memory.memory.retrieval.query import Query


@dataclass(frozen=True)
class Then:
    """A memory as it was: `valid_until_ns` None: true as far as was known."""

    count: int
    start_ns: int
    end_ns: int
    valid_until_ns: int | None


@dataclass(frozen=True)
class _Claim:
    """A claim of a chain as it was: see insertion/order.py, by whose rules a claim ends another."""

    since_ns: int
    denied: bool
    norm: str
    memory: int

    @property
    def place(self) -> tuple[int, bool, str, int]:
        return self.since_ns, self.denied, self.norm, self.memory

    def ends(self, other: _Claim) -> bool:
        return self.denied != other.denied if self.norm == other.norm else not (self.denied or other.denied)


def folded(
    db: sqlite3.Connection, ids: Collection[int], by_ns: int | None = None, before_clip: int | None = None
) -> dict[int, Then]:
    """What was recorded of these memories by then: in clips that had ended by `by_ns`, and up to clip `before_clip`."""
    then = known(db, Query(recorded_by_ns=by_ns, before_clip=before_clip, archived=True))
    rows = db.execute(
        "SELECT id, count, start_ns, end_ns, valid_until_ns, subject, attribute, matter FROM memories "
        f"WHERE id IN {LISTED}",
        (listed(ids),),
    ).fetchall()
    spans, later = _observed(db, ids, then), _later(db, ids, then)
    found = {}
    for row in rows:
        start_ns, end_ns = spans.get(row["id"], (row["start_ns"], row["end_ns"]))
        until_ns = row["valid_until_ns"]
        if until_ns is not None and row["matter"] is not None:
            until_ns = _end(db, row, then, by_ns)
        found[row["id"]] = Then(max(1, row["count"] - later.get(row["id"], 0)), start_ns, end_ns, until_ns)
    return found


def _observed(db: sqlite3.Connection, ids: Collection[int], then: Filter) -> dict[int, tuple[int, int]]:
    """Memory -> from when to when it had been observed by then; those observed only once are left out."""
    rows = db.execute(
        "SELECT memory, min(start_ns), max(end_ns) FROM supports "
        f"WHERE memory IN {LISTED} AND {then.sql} GROUP BY memory",
        (listed(ids), *then.values),
    )
    return {memory: (start_ns, end_ns) for memory, start_ns, end_ns in rows}


def _later(db: sqlite3.Connection, ids: Collection[int], then: Filter) -> dict[int, int]:
    """Memory -> how often it has been observed since."""
    rows = db.execute(
        f"SELECT memory, count(*) FROM supports WHERE memory IN {LISTED} AND NOT ({then.sql}) GROUP BY memory",
        (listed(ids), *then.values),
    )
    return dict(rows.fetchall())


def _end(db: sqlite3.Connection, row: sqlite3.Row, then: Filter, by_ns: int | None) -> int | None:
    """When a claim ended as far as was known then. Where the archive has let go of what ended it, nothing tells when
    that was learnt: it is taken as learnt when it happened.
    """
    ended, until_ns = _ended(db, row, then), int(row["valid_until_ns"])
    if ended == until_ns or _ended(db, row, Filter(archived=True)) == until_ns:
        return ended
    return until_ns if by_ns is None or until_ns <= by_ns else None


def _ended(db: sqlite3.Connection, row: sqlite3.Row, then: Filter) -> int | None:
    """When a claim ended by what else of its chain was known then. Not by relations alone: what ends it now may have
    been learnt later, and something else have ended it then.
    """
    chain = _chain(db, row, then)
    mine = chain.pop(row["id"], None)
    if mine is None:
        return None
    after = (one for one in chain.values() if one.place > mine.place and one.ends(mine))
    first = min(after, key=lambda one: one.place, default=None)
    return first.since_ns if first else None


def _chain(db: sqlite3.Connection, row: sqlite3.Row, then: Filter) -> dict[int, _Claim]:
    """All claims that may end one another, as far as they were known."""
    rows = [
        claim
        for subject in wordings(db, row["subject"])
        for claim in db.execute(
            "SELECT id, clip, norm, polarity, valid_from_ns FROM memories "
            "WHERE subject = ? AND attribute = ? AND matter = ?",
            (subject, row["attribute"], row["matter"]),
        )
    ]
    spans = _observed(db, [claim["id"] for claim in rows], then)
    first = {claim["id"] for claim in rows} & Passing(db, then).of(claim["id"] for claim in rows)
    return {
        claim["id"]: _Claim(
            spans.get(claim["id"], (claim["valid_from_ns"], 0))[0],
            claim["polarity"] < 0,
            first_wording(db, claim["norm"]),
            claim["id"],
        )
        for claim in rows
        if claim["id"] in first or claim["id"] in spans
    }
