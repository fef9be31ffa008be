"""Memories as a compressor looks at them: arrays, one row a memory, in order of id. Nothing here knows a question."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.days import DAY_NS
from robot_memory.memory.vectors.packing import unpack_rows

Numbers = NDArray[np.float32]
Ids = NDArray[np.int64]
UNFRAMED = ""


@dataclass(frozen=True)
class Nodes:
    """All [n]: `ids`, `clips`, `start_ns`, the local `days` since 1970, `offset_ns` of local time, `lived` (days that
    the robot had lived by then), `quality` (how surely it was perceived) and `saliency` in 0..1, `counts` of
    observations, `sources` ("seen", "heard" …), `attributes` of frames ("" without one), `holds` (the frame still
    does), `bears` (a derived memory rests on it), `texts`. `vectors` [n, d] have unit length, or zeros only where
    another model made them: those cannot be compared. Edges [e]: `edge_node` is a row, ascending, `edge_entity` a face
    or voice, `edge_person` whose.
    """

    ids: Ids
    clips: Ids
    start_ns: Ids
    days: Ids
    offset_ns: Ids
    lived: NDArray[np.float64]
    quality: Numbers
    saliency: Numbers
    counts: Ids
    sources: tuple[str, ...]
    attributes: tuple[str, ...]
    holds: NDArray[np.bool_]
    bears: NDArray[np.bool_]
    texts: tuple[str, ...]
    vectors: Numbers
    edge_node: Ids
    edge_entity: Ids
    edge_person: Ids
    edge_weight: Numbers

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def weights(self) -> Numbers:
        """The sum of each memory's edge weights [n]; 0 of what is about nobody."""
        return np.bincount(self.edge_node, self.edge_weight, len(self)).astype(np.float32)

    @property
    def isolated(self) -> NDArray[np.bool_]:
        """Which memories are about no face or voice [n]."""
        alone: NDArray[np.bool_] = np.bincount(self.edge_node, minlength=len(self)) == 0
        return alone

    @property
    def foreign(self) -> NDArray[np.bool_]:
        """Whose vectors are of another model [n]."""
        strange: NDArray[np.bool_] = np.logical_not(self.vectors.any(axis=1))
        return strange


def read_nodes(db: sqlite3.Connection, ids: Collection[int] | None = None, of: tuple[str, int] | None = None) -> Nodes:
    """The memories that are not archived, or those of `ids` that are not, as they stand; `of`: a model and how many
    numbers its vectors have. Without it, that of the newest memory.
    """
    among, values = (
        ("", ()) if ids is None else (" AND m.id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(ids)),))
    )
    rows = db.execute(
        "SELECT m.id, m.clip, m.start_ns, m.count, m.source, m.text, m.attribute, m.saliency, m.model, m.embedding, "
        "m.bearing, m.subject IS NOT NULL AND m.valid_until_ns IS NULL AS holds, utc_offset_s, lived_ns, "
        "turns.confidence FROM memories AS m JOIN clips ON clips.id = m.clip JOIN sessions ON sessions.id = session "
        f"LEFT JOIN turns ON turns.id = m.turn WHERE m.archived = 0{among} ORDER BY m.id",
        values,
    ).fetchall()
    edges = db.execute(
        "SELECT memory, entity, person, weight FROM edges JOIN memories AS m ON m.id = memory "
        f"JOIN entities ON entities.id = entity WHERE m.archived = 0{among} ORDER BY memory, entity",
        values,
    ).fetchall()
    own = np.array([row["id"] for row in rows], np.int64)
    started = np.array([row["start_ns"] for row in rows], np.int64)
    offsets = np.array([row["utc_offset_s"] for row in rows], np.int64) * 10**9
    return Nodes(
        own,
        np.array([row["clip"] for row in rows], np.int64),
        started,
        (started + offsets) // DAY_NS,
        offsets,
        np.array([row["lived_ns"] for row in rows], np.float64) / DAY_NS,
        np.array([1.0 if row["confidence"] is None else row["confidence"] for row in rows], np.float32),
        np.array([row["saliency"] for row in rows], np.float32),
        np.array([row["count"] for row in rows], np.int64),
        tuple(row["source"] for row in rows),
        tuple(row["attribute"] or UNFRAMED for row in rows),
        np.array([row["holds"] for row in rows], np.bool_),
        np.array([row["bearing"] > 0 for row in rows], np.bool_),
        tuple(row["text"] for row in rows),
        _vectors(rows, *(of or _newest(rows))),
        np.searchsorted(own, np.array([edge["memory"] for edge in edges], np.int64)),
        np.array([edge["entity"] for edge in edges], np.int64),
        np.array([edge["person"] for edge in edges], np.int64),
        np.array([edge["weight"] for edge in edges], np.float32),
    )


def _newest(rows: Sequence[sqlite3.Row]) -> tuple[str, int]:
    return (rows[-1]["model"], len(rows[-1]["embedding"]) // 2) if rows else ("", 0)


def _vectors(rows: Sequence[sqlite3.Row], model: str, dimension: int) -> Numbers:
    """The vectors [n, d] of a model; zeros for those of others, which are there until all are embedded anew."""
    own = [n for n, row in enumerate(rows) if row["model"] == model]
    found = unpack_rows([rows[n]["embedding"] for n in own], dimension)
    if len(own) == len(rows):
        return found
    vectors = np.zeros((len(rows), dimension), np.float32)
    vectors[own] = found
    return vectors
