"""One question the way M3-Agent's published code works it out, and the same question to our store: the same
memories, and how many times as fast.

Ours looks up edges and clips in SQLite, as a robot's does; the published work is done on a graph that is in memory
already.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bench.figure import Figure, Target
from robot_memory.evaluation.bench.filling import fill
from robot_memory.evaluation.bench.plain import PlainMemory, made_up, questions
from robot_memory.evaluation.bench.plan import PUBLISHED, Plan
from robot_memory.evaluation.bench.published import PublishedGraph
from robot_memory.evaluation.bench.racing import Work, race
from robot_memory.memory.retrieval.parity.store import search_node
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import Vector

MOST = 10_000  # memories: beyond, one question takes the published work many seconds
ROUNDS = 9  # at most: the published work is slow
ENTITIES = 40
FAMILY, GUEST = (0, 1), (20, 21)  # a face and its voice: of those that half of all memories are about, and of others
TURN_S = 0.005  # of each contestant
MODEL = "made-up"
WAYS = {"lists": False, "arrays": True}  # how the published graph keeps its embeddings
ASKED: Mapping[str, tuple[int, ...]] = {"anybody": (), "one of the family": FAMILY, "a guest": GUEST}
TARGETS = {1_000: Target(150, least=True), 10_000: Target(300, least=True)}  # about anybody, by the number of memories
PERSON_TARGET = Target(60, least=True)


def measure(plan: Plan) -> Iterator[Figure]:
    """Both questions at each size up to MOST, at the first of the dimensions."""
    for size in (size for size in plan.sizes if size <= MOST):
        plan.show(f"asking {size:,} memories as the published code does")
        memory = made_up(size, plan.dimensions[0], ENTITIES)
        path = plan.folder / f"published-{size}.sqlite"
        fill(path, memory, MODEL)
        index = ExactIndex(memory.vectors.shape[1])
        index.add(memory.ids, memory.vectors, memory.clips)
        with Store(path, readonly=True) as store:
            for whom in ASKED:
                yield from _figures(store.reader(), index, memory, whom, min(plan.rounds, ROUNDS))


def _figures(
    db: sqlite3.Connection, index: ExactIndex, memory: PlainMemory, whom: str, rounds: int
) -> Iterator[Figure]:
    asked, entities = questions(memory, rounds), ASKED[whom]
    graphs = {way: PublishedGraph(memory, arrays) for way, arrays in WAYS.items()}

    def ours(question: Vector) -> list[int]:
        return [one.memory for one in search_node(db, index, [question], entities or None)]

    theirs: dict[str, Work] = {way: _asking(graph, asked, entities) for way, graph in graphs.items()}
    done = race({"ours": lambda n: ours(asked[n]), **theirs}, rounds, least_s=TURN_S)
    lists = graphs["lists"]
    same = [_shared(ours(asked[n]), lists.search_node(asked[n : n + 1].tolist(), entities)) for n in range(rounds)]
    size, dimension = memory.vectors.shape
    about = len(np.unique(np.concatenate([memory.about(one) for one in entities]))) if entities else size
    target = PERSON_TARGET if entities else TARGETS.get(size)
    for way in WAYS:
        yield Figure(
            PUBLISHED,
            f"a question about {whom}",
            size,
            done.ms("ours"),
            "ms",
            dimension,
            f"published work on {way}",
            done.ratio(way, "ours"),
            target if way == "lists" else None,
            {"theirs_ms": done.ms(way), "same_memories": float(np.mean(same)), "memories_about": about},
        )


def _asking(graph: PublishedGraph, asked: NDArray[np.float32], entities: Sequence[int]) -> Work:
    lists = asked.tolist()
    return lambda n: graph.search_node([lists[n]], entities)


def _shared(ours: Sequence[int], theirs: Sequence[tuple[int, float]]) -> float:
    """The share of what we find that they find as well, among as many."""
    return len({*ours} & {number for number, _ in theirs[: len(ours)]}) / len(ours)
