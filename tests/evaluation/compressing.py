"""Small graphs of memories for tests of compressors: vectors in the plane, or planted kinds of sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.nodes import Nodes


def nodes(
    vectors: NDArray[np.float32], clips: Sequence[int] | None = None, edges: Sequence[tuple[int, int, float]] = ()
) -> Nodes:
    """Memories numbered from 100; edges are (row, entity, weight); all of one clip where none is given."""
    count = len(vectors)
    return Nodes(
        ids=np.arange(100, 100 + count),
        clips=np.zeros(count, np.int64) if clips is None else np.array(clips, np.int64),
        start_ns=np.arange(count) * 10**9,
        days=np.zeros(count, np.int64),
        offset_ns=np.zeros(count, np.int64),
        lived=np.zeros(count),
        quality=np.ones(count, np.float32),
        saliency=np.ones(count, np.float32),
        counts=np.ones(count, np.int64),
        sources=("seen",) * count,
        attributes=("",) * count,
        holds=np.zeros(count, bool),
        bears=np.zeros(count, bool),
        texts=tuple(f"Sentence {number}." for number in range(count)),
        vectors=vectors,
        edge_node=np.array([row for row, _, _ in edges], np.int64),
        edge_entity=np.array([entity for _, entity, _ in edges], np.int64),
        edge_person=np.array([entity for _, entity, _ in edges], np.int64),
        edge_weight=np.array([weight for _, _, weight in edges], np.float32),
    )


def at(*degrees: float) -> NDArray[np.float32]:
    """Unit vectors in the plane."""
    angles = np.radians(degrees)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1).astype(np.float32)


def kinds(sizes: Sequence[int], seed: int = 0, dimension: int = 32, spread: float = 0.05) -> NDArray[np.float32]:
    """Unit rows of kinds that lie far apart, `sizes` of each, one kind after the other; alike in a kind (about 0.9)."""
    draw = np.random.default_rng(seed)
    middles = np.linalg.qr(draw.standard_normal((dimension, len(sizes))))[0].T
    rows = np.repeat(middles, sizes, axis=0) + spread * draw.standard_normal((sum(sizes), dimension))
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def life(count: int, seed: int = 0) -> Nodes:
    """A mixed graph: clips of a few memories, some about nobody, some about one or two people."""
    draw = np.random.default_rng(seed)
    clips = np.sort(draw.integers(count // 6 + 1, size=count))
    rows = [row for row in range(count) for _ in range(int(draw.integers(3)))]
    edges = [(row, int(draw.integers(9)), float(draw.integers(1, 5))) for row in rows]
    return nodes(kinds([count // 8 + 1] * 8, seed, spread=0.2)[draw.permutation(count)], clips.tolist(), edges)
