"""The default retrieval on a real store: opening it, questions of several kinds with their embedding, where their time
goes, and which statements are the slowest.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from robot_memory.evaluation.bench.asking import KINDS, Asking
from robot_memory.evaluation.bench.figure import Figure, Target
from robot_memory.evaluation.bench.filling import fill
from robot_memory.evaluation.bench.opened import Product, opened
from robot_memory.evaluation.bench.plan import HYBRID, OPENING, Plan
from robot_memory.evaluation.bench.racing import Work, race
from robot_memory.evaluation.bench.sentences import spoken
from robot_memory.evaluation.bench.stages import EMBEDDING, VECTORS, Clock, Statement, Timed, TimedConnection
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search

K = 10
TARGET, TARGET_AT = Target(20.0, of="measured"), 100_000  # ms, of 95 in 100 questions; memories
SLOWEST = 5  # statements that are told of
SCAN = "scan"


def measure(plan: Plan, product: Product) -> Iterator[Figure]:
    """Opening, then questions, for each size."""
    for size in plan.sizes:
        plan.show(f"filling a store with {size:,} memories")
        memory = spoken(size, product.embedder)
        path = plan.folder / f"spoken-{size}.sqlite"
        fill(path, memory, product.embedder.name)
        plan.show(f"opening a store of {size:,} memories")
        first = memory.vectors[size // 2], int(memory.ids[size // 2])
        yield _opening(path, size, product, first)
        asking = Asking(memory)
        with opened(path, product.models) as graph:
            plan.show(f"asking {size:,} memories")
            yield from _questions(graph, product, asking, size, plan.rounds)


def _opening(path: Path, size: int, product: Product, first: tuple[Any, int]) -> Figure:
    """From a closed file to the first answer, against reading its bytes."""
    vector, wanted = first
    begun = time.perf_counter()
    bytes_read = len(path.read_bytes())
    reading = time.perf_counter() - begun
    begun = time.perf_counter()
    with opened(path, product.models) as graph, graph.store.snapshot() as db:
        hits = search(db, graph.index, Query(vector=vector), K)
        seconds = time.perf_counter() - begun
    return Figure(
        OPENING,
        "opening, to the first right answer",
        size,
        seconds,
        "s",
        len(vector),
        "reading the file's bytes",
        seconds / reading,
        more={"file_bytes": bytes_read, "right": wanted in {hit.memory for hit in hits}},
    )


def _questions(graph: MemoryGraph, product: Product, asking: Asking, size: int, rounds: int) -> Iterator[Figure]:
    """Each kind of question, and behind it the stages of a few of its kind."""
    db = graph.store.reader()
    vectors = product.embedder.embed(asking.wordings)

    def one(kind: str) -> Work:
        return lambda n: search(db, graph.index, asking.query(kind, n, product.embedder), K)

    alone: dict[str, Work] = {SCAN: lambda n: graph.index.search(vectors[n % len(vectors)], K)}
    done = race({kind: one(kind) for kind in KINDS} | alone, rounds)
    statements = list[Statement]()
    for kind, words in KINDS.items():
        yield Figure(
            HYBRID,
            words,
            size,
            done.ms(kind, 95),
            "ms",
            product.embedder.dimension,
            "a scan of its vectors",
            done.ratio(kind, SCAN),
            TARGET if size >= TARGET_AT else None,
            {
                "p50_ms": done.ms(kind),
                "scan_ms": done.ms(SCAN),
                "wall_p50_ms": done.wall_ms(kind),
                "wall_p95_ms": done.wall_ms(kind, 95),
            },
        )
        clock = _clocked(graph, product, asking, kind, max(3, rounds // 4))
        statements += clock.slowest(db, kind, SLOWEST)
        yield from _stages(clock, words, size)
    slowest = {one["sql"]: one for one in sorted(statements, key=lambda one: float(one["ms"]))}
    told = sorted(slowest.values(), key=lambda one: -float(one["ms"]))[:SLOWEST]
    yield Figure(HYBRID, "slowest statement", size, float(told[0]["ms"]), "ms", more={"statements": told})


def _clocked(graph: MemoryGraph, product: Product, asking: Asking, kind: str, times: int) -> Clock:
    """So many questions of a kind with every stage on the clock."""
    clock = Clock()
    embedder: Any = Timed(product.embedder, EMBEDDING, clock)
    index: Any = Timed(graph.index, VECTORS, clock)
    db: Any = TimedConnection(graph.store.reader(), clock)
    for number in range(times):
        with clock.question():
            search(db, index, asking.query(kind, number, embedder), K)
    return clock


def _stages(clock: Clock, words: str, size: int) -> Iterator[Figure]:
    whole = sum(clock.stages.values())
    for stage, seconds in sorted(clock.stages.items(), key=lambda one: -one[1]):
        yield Figure(
            HYBRID,
            f"{words}: {stage}",
            size,
            seconds / clock.questions * 1e3,
            "ms",
            against="the whole question",
            ratio=seconds / whole,
            more={"stage": stage},
        )
