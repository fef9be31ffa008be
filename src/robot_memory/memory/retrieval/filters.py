"""A query's filters: exact, and applied before anything is scored.

Each is a condition over the rows of `memories`, and a way to list what passes it that an index of the tables can serve:
scanning rows costs as much as the whole search. Two sets of them: what was known (nothing recorded later may be seen at
all), and what is asked for. A line beside a hit may help to judge it though it is not asked for, but never though it
was not known.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from robot_memory.memory.retrieval.archived import Archive
from robot_memory.memory.retrieval.query import Place, Query, Standing
from robot_memory.memory.vectors.index import Ids

WORD = re.compile(r"\w+")
LARGEST = 2**63 - 1  # that SQLite keeps as a whole number
LISTED = "(SELECT value FROM json_each(?))"  # any number of ids as one value: SQLite limits how many values there are
X, Y = "json_extract(pose, '$.position[0]')", "json_extract(pose, '$.position[1]')"
# poses are kept as JSON; a memory without one is nowhere
WITHIN = (
    "pose <> '' AND json_extract(pose, '$.frame_id') = ? AND (? = '' OR json_extract(pose, '$.map_id') = ?) "
    f"AND ({X} - ?) * ({X} - ?) + ({Y} - ?) * ({Y} - ?) <= ?"
)


@dataclass(frozen=True)
class Cut:
    """One condition. `listing` selects the ids that pass, where there is a quicker way than to ask every row;
    `without`: it selects those that do not.
    """

    condition: str
    values: tuple[object, ...]
    listing: str = ""
    without: bool = False

    def of(self, db: sqlite3.Connection, ids: Ids | None) -> Ids:
        """Those of `ids` (None: of all) that pass, ascending."""
        listing = self.listing or f"SELECT id FROM memories WHERE {self.condition}"
        named = _numbers(db, f"SELECT group_concat(id) FROM ({listing})", self.values)
        if (named[1:] <= named[:-1]).any():  # most come in order, which is much cheaper to see than to make
            named = np.unique(named)
        if self.without:
            every = _numbers(db, "SELECT group_concat(id) FROM memories", ()) if ids is None else ids
            return np.setdiff1d(every, named, assume_unique=True)
        return named if ids is None else np.intersect1d(ids, named, assume_unique=True)


@dataclass(frozen=True)
class Filter:
    """All conditions that must hold. `archived`: what is archived passes as well."""

    archived: bool = False
    cuts: tuple[Cut, ...] = field(default_factory=tuple)

    @property
    def sql(self) -> str:
        """The condition over a row of `memories`."""
        return " AND ".join((*(["1"] if self.archived else ["archived = 0"]), *(cut.condition for cut in self.cuts)))

    @property
    def values(self) -> tuple[object, ...]:
        return tuple(value for cut in self.cuts for value in cut.values)

    def and_(self, *cuts: Cut) -> Filter:
        return Filter(self.archived, (*self.cuts, *cuts))


class Passing:
    """What passes a filter, in one reader's view of the store."""

    def __init__(self, db: sqlite3.Connection, given: Filter) -> None:
        self._db, self.filter = db, given

    @cached_property
    def ids(self) -> Ids | None:
        """What passes of the index, ascending, and maybe what it does not hold; None: all of it."""
        ids: Ids | None = None
        for cut in self.filter.cuts:
            ids = cut.of(self._db, ids)
        return ids

    def visible(self) -> Ids:
        """What passes, ascending, and surely nothing else: slower."""
        return Cut("1" if self.filter.archived else "archived = 0", ()).of(self._db, self.ids)

    def of(self, ids: Iterable[int]) -> set[int]:
        """Those of `ids` that pass."""
        own = self.filter
        rows = self._db.execute(
            f"SELECT id FROM memories WHERE id IN {LISTED} AND {own.sql}", (listed(ids), *own.values)
        )
        return {row[0] for row in rows}


def listed(ids: Iterable[int]) -> str:
    """Ids as the value for LISTED."""
    return json.dumps(sorted(ids))


def about(entities: Iterable[int]) -> Cut:
    """What is about any of these faces and voices."""
    return Cut(
        f"EXISTS (SELECT 1 FROM edges WHERE memory = memories.id AND entity IN {LISTED})",
        (listed(entities),),
        f"SELECT memory AS id FROM edges WHERE entity IN {LISTED}",
    )


def known(db: sqlite3.Connection, query: Query) -> Filter:
    """What could be seen when the question is set."""
    cuts = []
    if query.recorded_by_ns is not None and not _all_recorded_by(db, query.recorded_by_ns):
        cuts.append(_clips("end_ns <= ?", query.recorded_by_ns))
    if query.before_clip is not None:
        cuts.append(Cut("clip <= ?", (query.before_clip,)))
    return Filter(query.archived, tuple(cuts))


def wanted(query: Query, archive: Archive | None = None) -> list[Cut]:
    """What is asked for, of what was known, and, if given, in the archive."""
    cuts = [about(person) for person in (*query.persons, *([] if query.entities is None else [query.entities]))]
    if query.phrase:
        cuts.append(_holding(f'"{" ".join(WORD.findall(query.phrase))}"', archive))
    if query.kind:
        cuts.append(Cut("kind = ?", (query.kind,)))
    if query.sources:
        cuts.append(Cut(f"source IN ({_marks(query.sources)})", tuple(query.sources)))
    if query.session:
        cuts.append(_clips("session = ?", query.session))
    cuts += _during(query)
    if query.place is not None:
        cuts.append(_near(query.place))
    if query.standing is Standing.LATEST and not query.back:  # else search.py asks what had ended by then
        past = "SELECT id FROM memories WHERE valid_until_ns IS NOT NULL AND valid_until_ns <= coalesce(?, 1 << 62)"
        cuts.append(Cut(f"id NOT IN ({past})", (query.now_ns,), past, without=True))
    return cuts


def _holding(phrase: str, archive: Archive | None) -> Cut:
    """What holds these words, one after the other."""
    listing, values = "SELECT rowid AS id FROM memories_fts WHERE memories_fts MATCH ?", [phrase]
    if archive is not None:
        listing += " UNION ALL SELECT value FROM json_each(?)"
        values.append(listed(archive.matches(phrase)))
    return Cut(f"id IN ({listing})", tuple(values), listing)


def _during(query: Query) -> list[Cut]:
    """What touches the range, and what was heard soon enough after it."""
    conditions, values = list[str](), list[object]()
    if query.start_ns is not None:
        conditions.append("end_ns >= ?")
        values.append(query.start_ns)
    if query.end_ns is not None:
        told_ns = query.end_ns if query.told_until_ns is None else query.told_until_ns
        plain = told_ns == query.end_ns
        conditions.append("start_ns < ?" if plain else "start_ns < CASE source WHEN 'heard' THEN ? ELSE ? END")
        values += [query.end_ns] if plain else [told_ns, query.end_ns]
    return [Cut(" AND ".join(conditions), tuple(values))] if conditions else []


def _clips(condition: str, value: object) -> Cut:
    """What is of certain clips."""
    return Cut(
        f"EXISTS (SELECT 1 FROM clips AS its WHERE its.id = clip AND its.{condition})",
        (value,),
        f"SELECT id FROM memories WHERE clip IN (SELECT id FROM clips WHERE {condition})",
    )


def _all_recorded_by(db: sqlite3.Connection, moment_ns: int) -> bool:
    """Most questions are about now: then nothing is cut by it."""
    last = db.execute("SELECT max(end_ns) FROM clips").fetchone()[0]
    return last is None or bool(last <= moment_ns)


def _near(place: Place) -> Cut:
    square = place.radius_m * place.radius_m
    return Cut(WITHIN, (place.frame, place.map_id, place.map_id, place.x, place.x, place.y, place.y, square))


def _numbers(db: sqlite3.Connection, query: str, values: Sequence[object]) -> Ids:
    """Ids that a query joins with commas: a row for each would take longer than the search."""
    joined = db.execute(query, values).fetchone()[0]
    return np.fromstring(joined, np.int64, sep=",") if joined else np.empty(0, np.int64)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
