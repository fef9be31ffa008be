"""A query's filters as conditions over the rows of `memories`: exact, and applied before anything is scored.

Two sets of them: what was known (nothing recorded later may be seen at all), and what is asked for. A line beside a
hit may help to judge it though it is not asked for, but never though it was not known.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from robot_memory.memory.retrieval.query import Place, Query, Standing
from robot_memory.memory.vectors.index import Ids

X, Y = "json_extract(pose, '$.position[0]')", "json_extract(pose, '$.position[1]')"
# poses are kept as JSON; a memory without one is nowhere
WITHIN = (
    "pose <> '' AND json_extract(pose, '$.frame_id') = ? AND (? = '' OR json_extract(pose, '$.map_id') = ?) "
    f"AND ({X} - ?) * ({X} - ?) + ({Y} - ?) * ({Y} - ?) <= ?"
)
LISTED = "(SELECT value FROM json_each(?))"  # any number of ids as one value: SQLite limits how many values there are


@dataclass(frozen=True)
class Filter:
    """An SQL condition and its values. `cuts` is False where every row of the index passes."""

    sql: str
    values: tuple[object, ...]
    cuts: bool

    def and_(self, other: Filter) -> Filter:
        return Filter(f"{self.sql} AND {other.sql}", (*self.values, *other.values), self.cuts or other.cuts)

    def ids(self, db: sqlite3.Connection) -> Ids:
        """Of all memories that pass, ascending."""
        rows = db.execute(f"SELECT id FROM memories WHERE {self.sql} ORDER BY id", self.values)
        return np.fromiter((row[0] for row in rows), np.int64)

    def passing(self, db: sqlite3.Connection, ids: Iterable[int]) -> set[int]:
        """Those of `ids` that pass."""
        rows = db.execute(f"SELECT id FROM memories WHERE id IN {LISTED} AND {self.sql}", (listed(ids), *self.values))
        return {row[0] for row in rows}


def listed(ids: Iterable[int]) -> str:
    """Ids as the value for LISTED."""
    return json.dumps(sorted(ids))


def about(entities: Iterable[int]) -> Filter:
    """What is about any of these faces and voices."""
    return Filter(f"id IN (SELECT memory FROM edges WHERE entity IN {LISTED})", (listed(entities),), cuts=True)


def known(query: Query) -> Filter:
    """What could be seen when the question is set."""
    parts = _Parts()
    if not query.archived:
        parts.add("archived = 0")
    if query.recorded_by_ns is not None:
        parts.add("clip IN (SELECT id FROM clips WHERE end_ns <= ?)", query.recorded_by_ns)
    if query.before_clip is not None:
        parts.add("clip <= ?", query.before_clip)
    return parts.filter(cuts=query.archived or query.recorded_by_ns is not None or query.before_clip is not None)


def wanted(query: Query) -> Filter:
    """What was known and is asked for."""
    base, parts = known(query), _Parts()
    for person in (*query.persons, *([] if query.entities is None else [query.entities])):
        parts.add(about(person).sql, *about(person).values)
    if query.kind:
        parts.add("kind = ?", query.kind)
    if query.sources:
        parts.add(f"source IN ({_marks(query.sources)})", *query.sources)
    if query.session:
        parts.add("clip IN (SELECT id FROM clips WHERE session = ?)", query.session)
    if query.start_ns is not None:
        parts.add("end_ns >= ?", query.start_ns)
    if query.end_ns is not None:
        parts.add("start_ns < ?", query.end_ns)
    if query.place is not None:
        parts.add(WITHIN, *_disc(query.place))
    if query.standing is Standing.LATEST:
        by_ns = query.recorded_by_ns if query.recorded_by_ns is not None else query.now_ns
        parts.add("(valid_until_ns IS NULL OR valid_until_ns > coalesce(?, valid_until_ns))", by_ns)
    return base.and_(parts.filter(cuts=bool(parts.conditions)))


class _Parts:
    def __init__(self) -> None:
        self.conditions = list[str]()
        self.values = list[object]()

    def add(self, condition: str, *values: object) -> None:
        self.conditions.append(condition)
        self.values += values

    def filter(self, cuts: bool) -> Filter:
        return Filter(" AND ".join(self.conditions) or "1", tuple(self.values), cuts)


def _disc(place: Place) -> tuple[object, ...]:
    """The values for WITHIN."""
    square = place.radius_m * place.radius_m
    return place.frame, place.map_id, place.map_id, place.x, place.x, place.y, place.y, square


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
