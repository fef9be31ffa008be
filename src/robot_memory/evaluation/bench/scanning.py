"""Scanning all vectors, against the speed at which one core reads memory.

The limit is the time that a plain maximum over as many bytes takes, read from a block too large for any cache. Before
every contestant that block is read once more, so none finds its own vectors in a cache: a robot does other things
between two questions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bench.figure import Figure, Target
from robot_memory.evaluation.bench.plain import PlainMemory, made_up, questions
from robot_memory.evaluation.bench.plan import SCAN, Plan
from robot_memory.evaluation.bench.racing import Race, race
from robot_memory.memory.retrieval.parity.candidates import candidates
from robot_memory.memory.retrieval.parity.decay import search_tmr
from robot_memory.memory.retrieval.parity.search import search_clip
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import Vector, VectorIndex

READ_BYTES = 256 << 20  # several times the last cache of most machines
ENTITIES = 40
K = 10
LIMIT = Target(1.3)
ALL_AT, SCAN_AT = 100_000, 10_000  # memories from which the limit is to be kept: by the whole search, by the scan alone
ROUNDING = 1e-6  # cosines nearer to each other than this are equal in float32


def measure(plan: Plan) -> Iterator[Figure]:
    """Read speed, exact search and time-decay retrieval for each size and dimension."""
    block = np.ones(READ_BYTES // 4, np.float32)
    for dimension in plan.dimensions:
        for size in plan.sizes:
            plan.show(f"scanning {size:,} vectors of {dimension}")
            yield from _figures(made_up(size, dimension, ENTITIES), block, plan.rounds)


def _figures(memory: PlainMemory, block: NDArray[np.float32], rounds: int) -> Iterator[Figure]:
    size, dimension = memory.vectors.shape
    index = ExactIndex(dimension)
    index.add(memory.ids, memory.vectors, memory.clips)
    asked = questions(memory, rounds)
    done = race(
        {
            "read": lambda n: block.max(),
            "scan": lambda n: index.search(asked[n], K),
            "all": lambda n: _retrieve(index, asked[n], int(memory.clips[-1])),
        },
        rounds,
        before=block.max,
    )
    share = index.nbytes / READ_BYTES
    yield Figure(SCAN, "one core reads memory", size, READ_BYTES / done.best_ms("read") / 1e6, "GB/s", dimension)
    for name, words, least in (
        ("scan", f"exact scan, top {K}", SCAN_AT),
        ("all", "scoring, clip maxima, TMR, top k", ALL_AT),
    ):
        yield _against_limit(words, name, done, share, (size, dimension), LIMIT if size >= least else None)
    yield Figure(
        SCAN,
        f"recall@{K}, exact",
        size,
        recall(index, memory, asked[:20]),
        "",
        dimension,
        "scan in float64",
        target=Target(1.0, least=True, of="measured"),
    )


def _against_limit(
    words: str, name: str, done: Race, share: float, shape: tuple[int, int], target: Target | None
) -> Figure:
    return Figure(
        SCAN,
        words,
        shape[0],
        done.ms(name),
        "ms",
        shape[1],
        "reading as many bytes",
        done.ratio(name, "read") / share,
        target,
        {"limit_ms": done.best_ms("read") * share, "best_ms": done.best_ms(name)},
    )


def _retrieve(index: VectorIndex, question: Vector, last: int) -> object:
    """What both published searches need of one scoring: clip maxima and best clips, and a round of time decay."""
    among = candidates([index.scores(question)])
    return search_clip(among, before_clip=last), search_tmr(among, before_clip=last)


def recall(index: VectorIndex, memory: PlainMemory, asked: NDArray[np.float32]) -> float:
    """The share of what is found that belongs to the K nearest, as float64 has them; rounding apart."""
    right = 0
    for question in asked:
        cosines = in_float64(memory.vectors, question)
        tenth = np.partition(cosines, -K)[-K]
        found = np.searchsorted(memory.ids, index.search(question, K)[0])
        right += int((cosines[found] >= tenth - ROUNDING).sum())
    return right / (K * len(asked))


def in_float64(vectors: NDArray[np.float32], question: Vector) -> NDArray[np.float64]:
    """The cosines of all [n], worked out with 53 bits."""
    exact = question.astype(np.float64)
    pieces = [vectors[at : at + 8192].astype(np.float64) @ exact for at in range(0, len(vectors), 8192)]
    return np.concatenate(pieces)
