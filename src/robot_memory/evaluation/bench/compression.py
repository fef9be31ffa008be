"""Compression: one step after a clip in a full store, and all of a store at once, against the direct formulation.

The store is filled to its budget, so each clip that comes makes as many memories go. A step is timed as the memoriser
does it, inside the clip's transaction; what the clip itself costs is not part of it.
"""

from __future__ import annotations

import ctypes
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bench.figure import Figure, Target
from robot_memory.evaluation.bench.filling import BATCH, CLIP_NS, end_of, fill
from robot_memory.evaluation.bench.plain import CLIP, PlainMemory, made_up
from robot_memory.evaluation.bench.plan import COMPRESSION, Plan
from robot_memory.evaluation.bench.racing import race
from robot_memory.memory.compression import batch
from robot_memory.memory.compression.archive import archive
from robot_memory.memory.compression.nodes import Nodes, read_nodes
from robot_memory.memory.compression.online import Compressed, NodeBudget, compress
from robot_memory.memory.compression.weighing import of_all
from robot_memory.memory.compression.worth import Switches
from robot_memory.memory.insertion.rows import Observation, add
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.insertion.similar import link_similar
from robot_memory.memory.storage.store import Store

MODEL = "made-up"
ENTITIES = 40
BROUGHT = 12  # memories of a clip that comes
CLIPS = 4  # a round: enough for a window of what is about nobody to be full
GONE = 0.7  # of all, at once
DIRECT_MOST = 10_000  # memories, of which all are compared with all: 400 MB of cosines
TARGET_AT, DIMENSION_AT = 100_000, 1024
MEDIAN, P95, ABOVE, AT_ONCE = (Target(bound, of="measured") for bound in (60.0, 150.0, 50.0, 2.0))
PEAK, FRESH_PEAK = re.compile(r"VmHWM:\s+(\d+) kB"), "5"  # what clear_refs takes to begin a new peak


def measure(plan: Plan) -> Iterator[Figure]:
    """Steps and batches at each size, in the largest dimension."""
    dimension = plan.dimensions[-1]
    for size in plan.sizes:
        plan.show(f"filling a store with {size:,} memories of {dimension}")
        clips = CLIPS * plan.rounds
        made = made_up(size + clips * BROUGHT, dimension, ENTITIES)
        path = plan.folder / f"compressed-{size}.sqlite"
        fill(path, _first(made, size), MODEL)
        with Store(path) as store:
            plan.show(f"weighing {size:,} memories")
            nodes = read_nodes(store.reader())
            yield from _at_once(nodes, min(plan.rounds, 5))
            _weigh_all(store, nodes)
            del nodes
            plan.show(f"compressing {size:,} memories, clip by clip")
            yield from _steps(store, made, size, clips)


def _at_once(nodes: Nodes, rounds: int) -> Iterator[Figure]:
    """70 % of a store, by the score; and, where it fits, against all cosines with all."""
    size, dimension = nodes.vectors.shape
    target = round((1 - GONE) * size)
    contest = {"batch": lambda n: batch.keep(nodes, target), "direct": lambda n: direct(nodes, target)}
    if size > DIRECT_MOST:
        del contest["direct"]
    done = race(contest, rounds)
    at = size >= TARGET_AT and dimension >= DIMENSION_AT
    yield Figure(
        COMPRESSION,
        f"{GONE:.0%} at once",
        size,
        done.ms("batch") / 1e3,
        "s",
        dimension,
        "" if size > DIRECT_MOST else "all cosines with all",
        None if size > DIRECT_MOST else done.ratio("batch", "direct"),
        AT_ONCE if at else None,
    )


def direct(nodes: Nodes, target: int) -> NDArray[np.bool_]:
    """[n] which stay by EWpruning as it is published: each memory's mean cosine with all, from all N × N of them."""
    weights, typical = nodes.weights, (nodes.vectors @ nodes.vectors.T).mean(1)
    score = 0.1 * _scaled(weights) + 0.9 * (1.0 - _scaled(typical))
    kept = np.zeros(len(nodes), np.bool_)
    kept[np.argsort(-score, kind="stable")[:target]] = True
    return kept


def _scaled(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    low, high = numbers.min(), numbers.max()
    scaled: NDArray[np.float32] = (numbers - low) / max(float(high - low), 1e-9)
    return scaled


def _steps(store: Store, made: PlainMemory, size: int, clips: int) -> Iterator[Figure]:
    """Clips come into a store that is full; and reading as many vectors as it has, to have something beside it."""
    budget, dimension = NodeBudget(size), made.vectors.shape[1]
    _clip(store, made, size - BROUGHT, budget)  # whatever is done once is done now
    begun = peak_bytes(afresh=True)
    taken = [_clip(store, made, size + n * BROUGHT, budget) for n in range(clips)]
    above = (peak_bytes() - begun) / 1e6
    seconds = np.array([one for one, *_ in taken])
    held = store.reader().execute("SELECT items FROM held WHERE kind = 'memories'").fetchone()[0]
    scan = min(_seconds_of(made.vectors[:size]) for _ in range(3))
    at = size >= TARGET_AT and dimension >= DIMENSION_AT
    more = {
        "wall_p50_ms": float(np.median([wall for _, wall, _ in taken])) * 1e3,
        "worst_ms": float(seconds.max()) * 1e3,
        "weighed": float(np.mean([done.weighed for *_, done in taken])),
        "over_budget": held - size,
    }
    for percent, target in ((50, MEDIAN), (95, P95)):
        name = f"a step after a clip of {BROUGHT}, " + ("median" if percent == 50 else "95 of 100")
        measured = float(np.percentile(seconds, percent))
        yield Figure(
            COMPRESSION,
            name,
            size,
            measured * 1e3,
            "ms",
            dimension,
            "one dot product with all vectors",
            measured / scan,
            target if at else None,
            more,
        )
    yield Figure(COMPRESSION, "memory above", size, above, "MB", dimension, target=ABOVE if at else None)


def _clip(store: Store, made: PlainMemory, first: int, budget: NodeBudget) -> tuple[float, float, Compressed]:
    """BROUGHT memories from row `first` on, and what compressing after them takes: seconds of this thread, and on the
    wall; and what it did.
    """
    with store.write() as db:
        clip = _add_clip(db)
        added = {}
        for row in range(first, first + BROUGHT):
            seen = Observation(clip, _sentence(made, row, end_of(clip) - CLIP_NS), made.vectors[row], MODEL)
            memory = add(db, seen)
            link_similar(db, memory, seen)
            added[memory] = made.vectors[row]
        begun, wall = time.thread_time(), time.perf_counter()
        done = compress(db, MODEL, added, budget)
        archive(db, done.going)
        return time.thread_time() - begun, time.perf_counter() - wall, done


def _add_clip(db: sqlite3.Connection) -> int:
    clip = int(db.execute("SELECT max(id) FROM clips").fetchone()[0]) + 1
    session, sequence = db.execute("SELECT session, sequence FROM clips WHERE id = ?", (clip - 1,)).fetchone()
    db.execute(
        "INSERT INTO clips(id, session, sequence, start_ns, end_ns, frames, audio_s) VALUES (?, ?, ?, ?, ?, 0, 30)",
        (clip, session, sequence + 1, end_of(clip) - CLIP_NS, end_of(clip)),
    )
    return clip


def _sentence(made: PlainMemory, row: int, start_ns: int) -> Sentence:
    entities = made.edge_entity[made.edge_memory == made.ids[row]]
    about = {f"{('face', 'voice')[one % 2]}_{one}": 1.0 for one in entities.tolist()}
    kind = "semantic" if made.semantic[row] else "episodic"
    return Sentence(kind, made.texts[row], start_ns, start_ns + CLIP_NS // CLIP, "heard", about)


def _weigh_all(store: Store, nodes: Nodes) -> None:
    """What a life would have weighed clip by clip."""
    scores = of_all(nodes, NodeBudget(0).half_life_days, Switches())
    rows = list(zip(scores.tolist(), nodes.ids.tolist(), strict=True))
    for first in range(0, len(rows), BATCH):
        with store.write() as db:
            db.executemany("UPDATE memories SET keep = ? WHERE id = ?", rows[first : first + BATCH])
    with store.write() as db:
        total = nodes.vectors.sum(0, dtype=np.float64)
        db.execute("INSERT INTO running VALUES (?, ?, ?)", (MODEL, len(nodes), total.tobytes()))


def peak_bytes(afresh: bool = False) -> int:
    """The most memory this process has held at once; `afresh`: from now on, without what it holds for no use."""
    if afresh:
        if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):  # glibc's
            trim(0)
        Path("/proc/self/clear_refs").write_text(FRESH_PEAK)
    found = PEAK.search(Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


def _seconds_of(vectors: NDArray[np.float32]) -> float:
    begun = time.thread_time()
    np.matmul(vectors[:, None, :], vectors[0][:, None])
    return time.thread_time() - begun


def _first(made: PlainMemory, size: int) -> PlainMemory:
    among = made.edge_memory < made.ids[size]
    return PlainMemory(
        made.ids[:size],
        made.clips[:size],
        made.semantic[:size],
        made.texts[:size],
        made.vectors[:size],
        made.entities,
        made.edge_memory[among],
        made.edge_entity[among],
    )
