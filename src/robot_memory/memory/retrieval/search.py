"""Finding memories: exact filters first, then keywords (FTS5, BM25) and vectors fused by rank.

A filter (person, kind, time) is a set of rows in SQL and cuts before scoring, so nothing that fits it is ever crowded
out.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robot_memory.memory.vectors.index import Vector, VectorIndex

RRF = 60  # reciprocal rank fusion's constant (Cormack et al. 2009)
POOL = 100  # candidates of each channel, or more where more are asked for


@dataclass(frozen=True)
class Query:
    """What is looked for. `entities`: memories about any of these; times in ns, half-open; `recorded_by_ns`: as known
    then.
    """

    text: str = ""
    vector: Vector | None = None
    entities: Sequence[int] | None = None
    kind: str = ""
    sources: Sequence[str] = ()
    start_ns: int | None = None
    end_ns: int | None = None
    recorded_by_ns: int | None = None
    archived: bool = False


@dataclass(frozen=True)
class Hit:
    """A memory found, how strongly, and by which channels."""

    memory: int
    score: float
    why: tuple[str, ...]


def search(db: sqlite3.Connection, index: VectorIndex, query: Query, k: int | None) -> list[Hit]:
    """The best `k` memories, best first (None: all). Without text or vector: those that pass the filter, by time."""
    where, values = _filter(query)
    limit = -1 if k is None else k
    if not query.text and query.vector is None:
        rows = db.execute(f"SELECT id FROM memories WHERE {where} ORDER BY start_ns, id LIMIT ?", (*values, limit))
        return [Hit(row["id"], 1.0, ("filter",)) for row in rows]
    pool = max(POOL, len(index)) if k is None else max(POOL, k)
    channels = {"keywords": _by_keyword(db, query.text, where, values, pool)}
    if query.vector is not None:
        among = np.array(
            [row["id"] for row in db.execute(f"SELECT id FROM memories WHERE {where} ORDER BY id", values)], np.int64
        )
        channels["vectors"] = index.search(query.vector, pool, among)[0].tolist()
    return _fuse(channels)[:k]


def _filter(query: Query) -> tuple[str, list[object]]:
    """The filter as an SQL condition over `memories` and its values."""
    conditions, values = ["1"], list[object]()
    if not query.archived:
        conditions.append("archived = 0")
    if query.entities is not None:
        conditions.append(f"id IN (SELECT memory FROM edges WHERE entity IN ({_marks(query.entities)}))")
        values += query.entities
    if query.kind:
        conditions.append("kind = ?")
        values.append(query.kind)
    if query.sources:
        conditions.append(f"source IN ({_marks(query.sources)})")
        values += query.sources
    if query.start_ns is not None:
        conditions.append("end_ns >= ?")
        values.append(query.start_ns)
    if query.end_ns is not None:
        conditions.append("start_ns < ?")
        values.append(query.end_ns)
    if query.recorded_by_ns is not None:
        conditions.append("clip IN (SELECT id FROM clips WHERE end_ns <= ?)")
        values.append(query.recorded_by_ns)
    return " AND ".join(conditions), values


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _by_keyword(db: sqlite3.Connection, text: str, where: str, values: list[object], pool: int) -> list[int]:
    words = re.findall(r"\w+", text)
    if not words:
        return []
    wanted = " OR ".join(f'"{word}"' for word in words)
    rows = db.execute(
        f"SELECT id FROM memories_fts JOIN memories ON id = memories_fts.rowid WHERE memories_fts MATCH ? AND {where} "
        "ORDER BY bm25(memories_fts), id LIMIT ?",
        (wanted, *values, pool),
    )
    return [row["id"] for row in rows]


def _fuse(channels: dict[str, list[int]]) -> list[Hit]:
    scores: dict[int, float] = defaultdict(float)
    why: dict[int, list[str]] = defaultdict(list)
    for channel, ids in channels.items():
        for rank, memory in enumerate(ids, start=1):
            scores[memory] += 1 / (RRF + rank)
            why[memory].append(channel)
    best = max(scores.values(), default=1.0)
    ranked = sorted(scores, key=lambda memory: (-scores[memory], memory))
    return [Hit(memory, scores[memory] / best, tuple(why[memory])) for memory in ranked]
