"""A memory as plain arrays, made up from a seed: what benches search, ours and the published way alike.

Clips of 40 memories, vectors in clusters with a part in common (so that cosines are mostly positive, as those of real
sentences), 1.2 edges a memory, half of them to one person in ten, and "Equivalence" sentences that join a face and a
voice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLIP = 40  # memories in a clip: 30 s of a lively room
SHARED, CLUSTERED = 0.4, 0.8  # how much of a vector is common to all, and to its cluster
PIECE = 8192  # vectors worked on at a time: a large memory is made without a second one beside it


@dataclass(frozen=True)
class PlainMemory:
    """`ids`, `clips` [n], `semantic` [n] bool, `texts` [n], `vectors` [n, d] float32 of unit norm; an edge is a pair of
    `edge_memory` [m] and `edge_entity` [m], which are numbers of `entities` (even: face, odd: voice).
    """

    ids: NDArray[np.int64]
    clips: NDArray[np.int64]
    semantic: NDArray[np.bool_]
    texts: list[str]
    vectors: NDArray[np.float32]
    entities: range
    edge_memory: NDArray[np.int64]
    edge_entity: NDArray[np.int64]

    def about(self, entity: int) -> NDArray[np.int64]:
        """The memories on an entity, ascending."""
        return np.unique(self.edge_memory[self.edge_entity == entity])


def made_up(memories: int, dimension: int, entities: int, seed: int = 0) -> PlainMemory:
    """`entities` are the numbers 0, 1, …; memories are numbered behind them, as in a graph of one counter."""
    dice = np.random.default_rng(seed)
    ids = np.arange(entities, entities + memories)
    semantic = dice.random(memories) < 0.45
    joins = np.flatnonzero(semantic)[:: max(1, int(semantic.sum()) // entities)][: entities // 2]
    texts = [f"Something of interest, number {n}." for n in ids]
    edge_memory = ids[np.sort(dice.integers(0, memories, memories * 6 // 5))]
    edge_entity = _whom(dice, len(edge_memory), entities)
    for pair, row in enumerate(joins):
        texts[row] = f"Equivalence: <face_{2 * pair}>, <voice_{2 * pair + 1}>"
    joined = np.repeat(ids[joins], 2), np.arange(2 * len(joins))
    return PlainMemory(
        ids,
        np.arange(memories) // CLIP,
        semantic,
        texts,
        _vectors(dice, memories, dimension),
        range(entities),
        np.concatenate([edge_memory, joined[0]]),
        np.concatenate([edge_entity, joined[1]]),
    )


def questions(memory: PlainMemory, count: int, seed: int = 1) -> NDArray[np.float32]:
    """[count, d] unit vectors, each near some memory."""
    dice = np.random.default_rng(seed)
    near = memory.vectors[dice.integers(0, len(memory.ids), count)]
    return unit(near + 0.7 * unit(_normal(dice, *near.shape)))


def _whom(dice: np.random.Generator, count: int, entities: int) -> NDArray[np.int64]:
    """Half of all edges go to a tenth of the people: a family and its visitors."""
    family = max(1, entities // 10)
    return np.where(dice.random(count) < 0.5, dice.integers(0, family, count), dice.integers(0, entities, count))


def _vectors(dice: np.random.Generator, count: int, dimension: int) -> NDArray[np.float32]:
    centres = unit(_normal(dice, max(2, count // 100), dimension))
    common = unit(_normal(dice, 1, dimension))
    vectors = unit(_normal(dice, count, dimension))
    for first in range(0, count, PIECE):
        some = vectors[first : first + PIECE]
        some += CLUSTERED * centres[dice.integers(0, len(centres), len(some))] + SHARED * common
        some[:] = unit(some)
    return vectors


def _normal(dice: np.random.Generator, count: int, dimension: int) -> NDArray[np.float32]:
    return dice.standard_normal((count, dimension), np.float32)


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length 1."""
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
