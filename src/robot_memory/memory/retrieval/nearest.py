"""The vector channel: the nearest of what passes, and the nearest of what concerns the persons asked about.

The index may be a change ahead of what this reader sees, so what it finds is asked whether it passes.
"""

from __future__ import annotations

import sqlite3

import numpy as np

from robot_memory.memory.retrieval.filters import Passing, about
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.vectors.index import Ids, Scores, VectorIndex
from robot_memory.memory.vectors.ranking import best_rows


def by_vector(db: sqlite3.Connection, index: VectorIndex, query: Query, passing: Passing, pool: int) -> set[int]:
    """The `pool` nearest, and as many of those that concern somebody asked about."""
    if query.vector is None:
        return set()
    if not query.theirs:
        near = index.search(query.vector, pool, passing.ids)[0].tolist()
        fitting = passing.of(near)
        return fitting if len(fitting) == len(near) else passing.of(_surely(index, query, passing, pool))
    own, scores = about(query.theirs).of(db, passing.ids), index.scores(query.vector)
    near = [*_best(scores, passing.ids, pool), *_best(scores, own, pool)]
    fitting = passing.of(near)
    if len(fitting) == len(set(near)):
        return fitting
    seen = passing.visible()
    return passing.of([*_best(scores, seen, pool), *_best(scores, np.intersect1d(own, seen), pool)])


def _surely(index: VectorIndex, query: Query, passing: Passing, pool: int) -> list[int]:
    assert query.vector is not None
    found: list[int] = index.search(query.vector, pool, passing.visible())[0].tolist()
    return found


def _best(scores: Scores, among: Ids | None, pool: int) -> list[int]:
    """The best of all that were scored, or of `among`, which ascend."""
    of = scores if among is None else scores.of(among)
    found: list[int] = of.ids[best_rows(of.cosines, pool)].tolist()
    return found
