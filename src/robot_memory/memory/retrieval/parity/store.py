"""The published searches on a real store: its vectors, the edges of faces and voices, the texts of its clips.

A question comes as the vectors of its wordings (a person's name or token stands for each of their faces and voices, and
each makes a wording) and the entities that it names. None: it names nobody, so everything is searched; entities that
nothing is known about find nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.retrieval.filters import about
from robot_memory.memory.retrieval.parity import decay, search
from robot_memory.memory.retrieval.parity.candidates import Candidates, candidates
from robot_memory.memory.retrieval.parity.presets import CODE, PUBLISHED, Decay, Preset
from robot_memory.memory.retrieval.parity.search import FoundMemory
from robot_memory.memory.vectors.index import Scores, Vector, VectorIndex


@dataclass(frozen=True)
class ShownClip:
    """A clip that was found, and the memories of it that are shown."""

    clip: int
    score: float
    memories: tuple[int, ...]


def search_clip(
    db: sqlite3.Connection,
    index: VectorIndex,
    vectors: Sequence[Vector] | NDArray[np.float32],
    entities: Collection[int] | None = None,
    seen: Collection[int] = (),
    before_clip: int | None = None,
    preset: Preset = CODE,
) -> list[ShownClip]:
    """The best clips, best first, each with all that is remembered of it, in the order in which it was."""
    found = search.search_clip(_scored(db, index, vectors, entities), preset, seen, before_clip)
    return [ShownClip(one.clip, one.score, _memories_of(db, one.clip)) for one in found]


def search_node(
    db: sqlite3.Connection,
    index: VectorIndex,
    vectors: Sequence[Vector] | NDArray[np.float32],
    entities: Collection[int] | None = None,
    before_clip: int | None = None,
    preset: Preset = CODE,
) -> list[FoundMemory]:
    """The best memories, best first."""
    return search.search_node(_scored(db, index, vectors, entities), preset, before_clip)


def search_tmr(
    db: sqlite3.Connection,
    index: VectorIndex,
    vectors: Sequence[Vector] | NDArray[np.float32],
    entities: Collection[int] | None = None,
    seen: Collection[int] = (),
    before_clip: int | None = None,
    rule: Decay = PUBLISHED,
) -> dict[int, list[int]]:
    """One round of time-decay retrieval: clip -> memories, clips ascending, in each the best first. Whoever asks again
    adds the clips to `seen`.
    """
    return decay.search_tmr(_scored(db, index, vectors, entities), seen, before_clip, rule)


def _scored(
    db: sqlite3.Connection,
    index: VectorIndex,
    vectors: Sequence[Vector] | NDArray[np.float32],
    entities: Collection[int] | None,
) -> Candidates:
    scored: list[Scores] = []
    for vector in vectors:
        if scored:
            scored.append(_again(index, vector, scored[0], narrow=entities is not None))
        else:
            scored.append(index.scores(vector) if entities is None else _about(db, index, vector, entities))
    return candidates(scored)


def _again(index: VectorIndex, vector: Vector, like: Scores, narrow: bool) -> Scores:
    """The memories of `like`, scored with another wording; of all at once unless they are few."""
    if not narrow:
        scores = index.scores(vector)
        if np.array_equal(scores.ids, like.ids):  # else a memory came in between
            return scores
    return Scores(like.ids, like.clips, index.cosines(vector, like.ids))


def _about(db: sqlite3.Connection, index: VectorIndex, vector: Vector, entities: Collection[int]) -> Scores:
    """Only what hangs on these entities. Scoring all of it is quicker than asking which clips that is of."""
    return index.scores(vector).of(about(entities).of(db, None))


def _memories_of(db: sqlite3.Connection, clip: int) -> tuple[int, ...]:
    rows = db.execute("SELECT id FROM memories WHERE clip = ? AND archived = 0 ORDER BY id", (clip,))
    return tuple(row[0] for row in rows)
