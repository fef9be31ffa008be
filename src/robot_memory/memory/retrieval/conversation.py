"""What was said around a memory: the lines right before and after it, and the whole occasion.

Many a line is an answer ("Since March."), and what it is about stands in the line before; and where several lines fit
a question, the conversation was about it, and its other lines deserve a second look.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from robot_memory.memory.retrieval.filters import LISTED, Filter, listed

SPOKEN = "source = 'heard' AND kind = 'episodic'"
PAUSE_NS = 60_000_000_000  # lines further apart do not answer each other
BREAK_NS = 10 * PAUSE_NS  # what is further apart is of two occasions
BEST = 3  # lines that tell what an occasion was about


@dataclass(frozen=True)
class Line:
    """A memory of something said, and those said right before and after it (0: none)."""

    memory: int
    before: int
    after: int


@dataclass(frozen=True)
class Moment:
    """When a memory was, for telling occasions apart."""

    memory: int
    session: str
    start_ns: int
    end_ns: int


def around(db: sqlite3.Connection, memories: Collection[int], passing: Filter) -> dict[int, Line]:
    """Every line of the clips that `memories` are of and of the clips next to them, in what was known."""
    rows = db.execute(
        f"WITH spoken AS (SELECT clip FROM memories WHERE id IN {LISTED} AND {SPOKEN}), "
        "near AS (SELECT clip - 1 FROM spoken UNION SELECT clip FROM spoken UNION SELECT clip + 1 FROM spoken), "
        "said AS (SELECT id, clip, start_ns, end_ns FROM memories "
        f"WHERE clip IN (SELECT * FROM near) AND {SPOKEN} AND {passing.sql}) "
        "SELECT said.id, session, said.start_ns, said.end_ns FROM said JOIN clips ON clips.id = clip "
        "ORDER BY session, said.start_ns, said.id",
        (listed(memories), *passing.values),
    ).fetchall()
    before, after = dict[int, int](), dict[int, int]()
    for (one, session, _, end_ns), (other, same, start_ns, _) in zip(rows, rows[1:]):
        if session == same and start_ns - end_ns <= PAUSE_NS:
            before[other], after[one] = one, other
    return {row[0]: Line(row[0], before.get(row[0], 0), after.get(row[0], 0)) for row in rows}


def occasions(moments: Iterable[Moment], matches: Mapping[int, float]) -> dict[int, float]:
    """Memory -> how well the occasion that it is of matches: the mean of its best three, missing ones as 0."""
    groups = defaultdict[int, list[int]](list)
    last: Moment | None = None
    for here in sorted(moments, key=lambda one: (one.session, one.start_ns, one.memory)):
        if last is None or here.session != last.session or here.start_ns - last.end_ns > BREAK_NS:
            group = here.memory
        groups[group].append(here.memory)
        last = here
    found = dict[int, float]()
    for members in groups.values():
        best = sorted((matches[one] for one in members), reverse=True)[:BEST]
        found |= dict.fromkeys(members, sum(best) / BEST)
    return found
