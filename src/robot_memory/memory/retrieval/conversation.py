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

PAUSE_NS = 60_000_000_000  # lines further apart do not answer each other
REACH_NS = 2 * PAUSE_NS  # a line begins no further away than a pause and its own length
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
    """`memories` that were said, each with the lines right before and after it in what was known."""
    rows = db.execute(
        f"SELECT here.id, ({_beside(passing, '<', 'DESC')}), ({_beside(passing, '>', 'ASC')}) "
        "FROM memories AS here JOIN clips ON clips.id = here.clip "
        f"WHERE here.id IN {LISTED} AND +here.source = 'heard' AND here.kind = 'episodic'",
        (*passing.values, *passing.values, listed(memories)),
    )
    return {here: Line(here, before or 0, after or 0) for here, before, after in rows}


def _beside(passing: Filter, way: str, order: str) -> str:
    """The nearest line of the same session before or after `here`, if the pause between them is short. SQLite
    would choose another index, and read everything that was ever heard.
    """
    pause = "here.start_ns - end_ns" if way == "<" else "start_ns - here.end_ns"
    reach = f"start_ns {'>' if way == '<' else '<'} here.start_ns {'-' if way == '<' else '+'} {REACH_NS}"
    return (
        "SELECT id FROM memories INDEXED BY memories_start "
        f"WHERE (start_ns, id) {way} (here.start_ns, here.id) AND {reach} "
        f"AND source = 'heard' AND kind = 'episodic' AND {pause} <= {PAUSE_NS} "
        f"AND clip IN (SELECT id FROM clips AS its WHERE its.id = memories.clip AND its.session = clips.session) "
        f"AND {passing.sql} ORDER BY start_ns {order}, id {order} LIMIT 1"
    )


def occasions(moments: Iterable[Moment], matches: Mapping[int, float]) -> dict[int, float]:
    """Memory -> how well its occasion matches: the mean of its best three, missing ones as 0. What was found and lies
    no more than ten minutes apart is of one occasion.
    """
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
