"""Which known face or voice is this? All entities of one kind, and the rule by which they are matched.

Of a hundred entities or so (EXACT_BELOW) all are scored. Of more, those are whose sets have the highest mean cosine:
the mean of a set is one vector, so ten thousand of them are one product of a matrix.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.entities import core, likeness
from robot_memory.memory.entities.rule import Acquaintance, Match, MatchRule, decide
from robot_memory.memory.entities.snapshots import Half, SnapshotSets
from robot_memory.memory.vectors.index import Ids, Vector

CANDIDATES = 96  # entities scored by their views after the prefilter
EXACT_BELOW = 128  # up to this many entities all are: it takes no longer


class Gallery:
    """All entities of one kind with their snapshot sets, in memory. Built from the store, so it can be rebuilt at any
    time.
    """

    def __init__(self, rule: MatchRule) -> None:
        self.rule = rule
        self._sets = SnapshotSets()

    def __len__(self) -> int:
        return len(self._sets)

    @property
    def dimension(self) -> int:
        """Of the vectors; 0 while there are none."""
        return self._sets.dimension

    def load(self, db: sqlite3.Connection, kind: str, model: str) -> None:
        """Take the sets from the store; embeddings of another model cannot be compared and stay out."""
        self._sets.load(db, kind, model)

    def replace(self, entity: int, vectors: NDArray[np.float32]) -> None:
        """From now on `vectors` [n, d] are the entity's set."""
        self._sets.replace(entity, vectors)

    def confirm(self) -> None:
        """What was changed is in the store now."""
        self._sets.confirm()

    def undo(self) -> None:
        """What was changed since is not in the store after all."""
        self._sets.undo()

    def set_of(self, entity: int) -> NDArray[np.float32]:
        """A copy of the entity's views [n, d]."""
        kept = self._sets.get(entity)
        return np.empty((0, self._sets.dimension), np.float32) if kept is None else kept.astype(np.float32)

    def pooled(self, vectors: NDArray[np.float32], weights: NDArray[np.float32] | None = None) -> Vector:
        """The one vector by which a track's or speaker's embeddings [n, d] are matched."""
        return likeness.centre(vectors, weights)

    def typical(self, vectors: NDArray[np.float32]) -> list[int]:
        """Which of the embeddings [n, d] of one appearance are to be believed, ascending."""
        return core.typical(vectors, self.rule.accept.at(0.0))

    def match(
        self,
        vector: Vector,
        seconds: float = 0.0,
        forbidden: Collection[int] = (),
        person: Callable[[int], int] = int,
        apart: Callable[[int, int], bool] = lambda one, other: False,
    ) -> Match:
        """The best entity not in `forbidden` (those who are visibly someone else), if it passes the rule. `person` says
        whose an entity is, everybody their own where it is not given; `apart`, whether two cannot be one human.
        """
        entities, scores = self.scores(vector, forbidden)
        order = np.lexsort((entities, -scores))  # of equals the one known longer
        ranked = list(zip(entities[order].tolist(), scores[order].tolist(), strict=True))
        return decide(ranked, self.rule, seconds, Acquaintance(person, apart, self.likeness))

    def scores(
        self, vector: Vector, forbidden: Collection[int] = (), exact_below: int = EXACT_BELOW
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Entities [k] and the mean of the best three cosines of each; of more than `exact_below` entities only the
        likeliest.
        """
        candidates = self._candidates(vector, forbidden, exact_below)
        found: list[tuple[int, Half]] = []
        for entity in candidates.tolist():
            if (kept := self._sets.get(entity)) is not None:  # it may just have been undone
                found.append((entity, kept))
        if not found:
            return np.empty(0, np.int64), np.empty(0)
        entities, sets = zip(*found, strict=True)
        return np.array(entities, np.int64), likeness.best_three_of_each(sets, vector)

    def likeness(self, one: int, other: int) -> float:
        """How alike the sets of two entities are, as a cosine."""
        return likeness.mutual(self.set_of(one), self.set_of(other))

    def choose(self, entity: int, vectors: NDArray[np.float32], days: Sequence[Hashable], known: int) -> list[int]:
        """Which of an entity's views [n, d] to keep, ascending: the first `known` are its set, the others new."""
        return core.choose(vectors, days, known, self.rule.accept.at(0.0))

    def _candidates(self, vector: Vector, forbidden: Collection[int], exact_below: int) -> Ids:
        """In order of entity, so that sums are the same whatever the order of the rows."""
        entities, means = self._sets.means()
        if forbidden:
            allowed = ~np.isin(entities, list(forbidden))
            entities = entities[allowed]
        if len(entities) <= exact_below:
            return np.sort(entities)
        near = means @ vector
        if forbidden:
            near = near[allowed]
        return np.sort(entities[np.argpartition(near, -CANDIDATES)[-CANDIDATES:]])
