"""The graph of neighbours (HNSW) that large stores are searched by, against scanning the same vectors: what it finds,
and what it costs to build, load, and change.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.bench.figure import Figure, Target
from robot_memory.evaluation.bench.plain import PlainMemory, made_up, questions
from robot_memory.evaluation.bench.plan import NEIGHBOURS, Plan
from robot_memory.evaluation.bench.racing import race
from robot_memory.evaluation.bench.scanning import recall
from robot_memory.memory.vectors.cache import HEAD, Generation, Home
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.hnsw import HnswIndex

K = 10
ENTITIES = 40
RECALL = Target(0.99, least=True, of="measured")
CHANGED = 200  # vectors added, and taken out
TURN_S = 0.005  # of each contestant
LOOK_S = 0.002  # between looks at how far the graph is: it is kept by a thread of its own


class NoGraph(RobotMemoryError):
    """The graph of neighbours could not be built, and why."""


def missing() -> str:
    """Why nothing can be measured here; empty where it can."""
    return "" if importlib.util.find_spec("hnswlib") else "hnswlib is not installed — pip install hnswlib"


def measure(plan: Plan) -> Iterator[Figure]:
    """At the largest size and the first of the dimensions: a build takes about a millisecond a vector."""
    size, dimension = max(plan.sizes), plan.dimensions[0]
    memory = made_up(size + CHANGED, dimension, ENTITIES)
    home = Home(plan.folder / "vectors.hnsw", "made-up")
    exact, adding_s = _exact(memory, size)
    plan.show(f"building a graph of {size:,} vectors")
    index, building_s = _kept(memory, size, home, plan.show)
    try:
        yield _figure("building", memory, size, building_s, "s", "filling the exact index", building_s / adding_s)
        yield from _searches(index, exact, memory, plan.rounds)
        plan.show("loading the graph from its cache")
        _wait(home.path.with_name(home.path.name + HEAD).exists)
        yield from _loading(memory, size, home, building_s)
        yield from _changes(index, exact, memory, size)
    finally:
        index.close(wait_s=None)


def _exact(memory: PlainMemory, size: int) -> tuple[ExactIndex, float]:
    exact = ExactIndex(memory.vectors.shape[1])
    return exact, _seconds(lambda: exact.add(memory.ids[:size], memory.vectors[:size], memory.clips[:size]))


def _kept(
    memory: PlainMemory, size: int, home: Home, show: Callable[[str], None] = lambda text: None
) -> tuple[HnswIndex, float]:
    """An index with its graph ready, and the seconds that the graph took: from the cache, if there is one."""
    index = HnswIndex(memory.vectors.shape[1], home, worth_bytes=0)
    index.follow(Generation("made-up", 1))
    index.add(memory.ids[:size], memory.vectors[:size], memory.clips[:size])

    def ready() -> bool:
        show(f"a graph of {size:,} vectors {index.progress:4.0%}")
        if _trouble(index):
            raise NoGraph(f"{_trouble(index)}: leave it out with --only, or give it room")
        return index.progress == 1.0

    try:
        begun = time.perf_counter()
        index.start()
        _wait(ready)
        return index, time.perf_counter() - begun
    except BaseException:
        index.close(wait_s=None)
        raise


def _searches(index: HnswIndex, exact: ExactIndex, memory: PlainMemory, rounds: int) -> Iterator[Figure]:
    asked = questions(memory, rounds)
    size, dimension = len(exact), exact.dimension
    done = race(
        {"graph": lambda n: index.search(asked[n], K), "scan": lambda n: exact.search(asked[n], K)},
        rounds,
        least_s=TURN_S,
    )
    yield Figure(
        NEIGHBOURS,
        f"search, top {K}, re-ranked exactly",
        size,
        done.ms("graph"),
        "ms",
        dimension,
        "exact scan",
        done.ratio("graph", "scan"),
        more={"scan_ms": done.ms("scan")},
    )
    found = recall(index, _first(memory, size), questions(memory, 100, seed=3))
    yield Figure(NEIGHBOURS, f"recall@{K} after re-rank", size, found, "", dimension, "scan in float64", target=RECALL)


def _loading(memory: PlainMemory, size: int, home: Home, building_s: float) -> Iterator[Figure]:
    index, seconds = _kept(memory, size, home)
    index.close(wait_s=None)
    size_bytes = home.path.stat().st_size
    yield _figure("loading its cache", memory, size, seconds, "s", "building", seconds / building_s, size_bytes)


def _changes(index: HnswIndex, exact: ExactIndex, memory: PlainMemory, size: int) -> Iterator[Figure]:
    new = slice(size, size + CHANGED)
    rows = memory.ids[new], memory.vectors[new], memory.clips[new]
    gone = memory.ids[: size : max(1, size // CHANGED)][:CHANGED]

    def insert() -> None:
        index.add(*rows)
        _wait(lambda: index.progress == 1.0)

    def remove(one: ExactIndex | HnswIndex, ids: NDArray[np.int64]) -> float:
        return _seconds(lambda: one.remove(ids)) / CHANGED

    ours, theirs = _seconds(insert) / CHANGED, _seconds(lambda: exact.add(*rows)) / CHANGED
    yield _figure("inserting one", memory, size, ours * 1e3, "ms", "in the exact index alone", ours / theirs)
    ours, theirs = remove(index, gone), remove(exact, gone)
    yield _figure("taking one out", memory, size, ours * 1e3, "ms", "of the exact index alone", ours / theirs)


def _figure(
    name: str,
    memory: PlainMemory,
    size: int,
    measured: float,
    unit: str,
    against: str,
    ratio: float,
    file_bytes: int = 0,
) -> Figure:
    more = {"cache_bytes": file_bytes} if file_bytes else {}
    return Figure(NEIGHBOURS, name, size, measured, unit, memory.vectors.shape[1], against, ratio, more=more)


def _first(memory: PlainMemory, size: int) -> PlainMemory:
    return replace(memory, ids=memory.ids[:size], vectors=memory.vectors[:size], clips=memory.clips[:size])


def _trouble(index: HnswIndex) -> str:
    told = index.describe()
    return told if told.startswith("exact") and "being built" not in told else ""


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _wait(ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(LOOK_S)
