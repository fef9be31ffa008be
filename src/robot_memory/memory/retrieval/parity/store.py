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
    """Everything, or what hangs on the entities; scoring all is quicker than asking which clips that is of."""
    scored: list[Scores] = []
    for vector in vectors:
        every = index.scores(vector)
        if scored:
            scored.append(_like(scored[0], every))
        else:
            scored.append(every if entities is None else every.of(about(entities).of(db, None)))
    return candidates(scored)


def _like(first: Scores, every: Scores) -> Scores:
    """The memories of `first` with their cosines in `every`; 0 for one that was taken out in between."""
    own = every.of(first.ids)
    cosines = np.zeros(len(first.ids), np.float32)
    cosines[np.searchsorted(first.ids, own.ids)] = own.cosines
    return Scores(first.ids, first.clips, cosines)


def _memories_of(db: sqlite3.Connection, clip: int) -> tuple[int, ...]:
    rows = db.execute("SELECT id FROM memories WHERE clip = ? AND archived = 0 ORDER BY id", (clip,))
    return tuple(row[0] for row in rows)
