"""The vector channel: the nearest of what passes, and the nearest of what concerns the persons asked about.

The index may be a change ahead of what this reader sees, so what it finds is asked whether it passes. What is archived
is not in it.
"""

from __future__ import annotations

import sqlite3

import numpy as np

from robot_memory.memory.retrieval.archived import Archive
from robot_memory.memory.retrieval.filters import Passing, about
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.vectors.index import Ids, Scores, Vector, VectorIndex
from robot_memory.memory.vectors.ranking import best_rows


def by_vector(
    db: sqlite3.Connection,
    index: VectorIndex,
    query: Query,
    passing: Passing,
    pool: int,
    archive: Archive | None = None,
) -> set[int]:
    """The `pool` nearest, and as many of those that concern somebody asked about; as many again of what is archived."""
    if query.vector is None:
        return set()
    own = about(query.theirs).of(db, passing.ids) if query.theirs else None
    found = _at_hand(index, query.vector, passing, own, pool)
    if archive is not None:
        scores = archive.scores(query.vector, passing.ids)
        found |= passing.of([*_best(scores, None, pool), *([] if own is None else _best(scores, own, pool))])
    return found


def _at_hand(index: VectorIndex, vector: Vector, passing: Passing, own: Ids | None, pool: int) -> set[int]:
    if own is None:
        near = index.search(vector, pool, passing.ids)[0].tolist()
        fitting = passing.of(near)
        return fitting if len(fitting) == len(near) else passing.of(_surely(index, vector, passing, pool))
    scores = index.scores(vector)
    near = [*_best(scores, passing.ids, pool), *_best(scores, own, pool)]
    fitting = passing.of(near)
    if len(fitting) == len(set(near)):
        return fitting
    seen = passing.visible()
    return passing.of([*_best(scores, seen, pool), *_best(scores, np.intersect1d(own, seen), pool)])


def _surely(index: VectorIndex, vector: Vector, passing: Passing, pool: int) -> list[int]:
    found: list[int] = index.search(vector, pool, passing.visible())[0].tolist()
    return found


def _best(scores: Scores, among: Ids | None, pool: int) -> list[int]:
    """The best of all that were scored, or of `among`, which ascend."""
    of = scores if among is None else scores.of(among)
    found: list[int] = of.ids[best_rows(of.cosines, pool)].tolist()
    return found
