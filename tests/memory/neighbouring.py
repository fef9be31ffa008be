"""Builders for the tests of the graph of neighbours: vectors in clusters, as sentences are, and indices with files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from robot_memory.memory.vectors.cache import Generation, Home
from robot_memory.memory.vectors.hnsw import HnswIndex

D = 32


def clustered(seed: int, count: int, dimension: int = D) -> np.ndarray:
    """Unit vectors [count, dimension] around one centre for every twenty of them."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(count // 20, 1), dimension))
    vectors = centres[random.integers(0, len(centres), count)] + 0.7 * random.normal(size=(count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def index_at(
    path: Path | None,
    vectors: np.ndarray,
    ids: np.ndarray | None = None,
    store: str = "s",
    model: str = "m",
    generation: int = 1,
) -> HnswIndex:
    """An index of these, as a store is loaded; its graph is worth it from the first vector on."""
    index = HnswIndex(vectors.shape[1], Home(path, model) if path else None, worth_bytes=0)
    index.follow(Generation(store, generation))
    ids = np.arange(1, len(vectors) + 1) if ids is None else ids
    index.add(ids, vectors, ids // 40)
    index.start()
    return index


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait, and fail where it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)


def answers(index: HnswIndex) -> bool:
    """Does the graph answer?"""
    return index.describe().startswith("hnsw")


def saved(index: HnswIndex) -> int:
    """How many memories the cache of its graph has."""
    graph = index.keeper.graph
    return graph.saved if graph is not None else 0


def recall(index: HnswIndex, queries: np.ndarray, k: int) -> float:
    """The share of the exact `k` nearest that is found."""
    found = [len(np.intersect1d(index.search(q, k)[0], index.exact.search(q, k)[0])) / k for q in queries]
    return float(np.mean(found))
