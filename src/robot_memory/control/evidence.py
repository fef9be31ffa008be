"""Memories as evidence: read with names as known now, with the words as they were said, the place and the picture."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from robot_memory.control.answer import Evidence
from robot_memory.memory.people import People
from robot_memory.memory.retrieval import Hit
from robot_memory.memory.tokens import with_names
from robot_memory.streams.working import Glimpse


def gather(db: sqlite3.Connection, people: People, hits: Iterable[Hit]) -> list[Evidence]:
    """The evidence for some hits, in their order."""
    return [_evidence(db, people, hit) for hit in hits]


def provisional(glimpse: Glimpse) -> Evidence:
    """Something seen or heard a moment ago whose clip is not committed yet, so nobody is recognised in it."""
    text = f"Someone said: “{glimpse.text}”" if glimpse.text else "Someone is in view."
    source = "heard" if glimpse.text else "seen"
    return Evidence(
        0,
        "episodic",
        source,
        text,
        glimpse.text,
        "",
        (),
        glimpse.start_ns,
        glimpse.end_ns,
        0,
        "",
        0,
        1.0,
        provisional=True,
    )


def _evidence(db: sqlite3.Connection, people: People, hit: Hit) -> Evidence:
    row = db.execute(
        "SELECT memories.*, turns.text AS quote, turns.entity AS speaker "
        "FROM memories LEFT JOIN turns ON turns.id = turn "
        "WHERE memories.id = ?",
        (hit.memory,),
    ).fetchone()
    entities = [
        edge["entity"]
        for edge in db.execute("SELECT entity FROM edges WHERE memory = ? ORDER BY entity", (hit.memory,))
    ]
    speaker = people.of_entity(row["speaker"]).token if row["speaker"] is not None else ""
    return Evidence(
        memory=row["id"],
        kind=row["kind"],
        source=row["source"],
        text=with_names(row["text"], people.name_of),
        quote=row["quote"] or "",
        speaker=speaker,
        people=tuple(dict.fromkeys(people.of_entity(entity).id for entity in entities)),
        start_ns=row["start_ns"],
        end_ns=row["end_ns"],
        clip=row["clip"],
        pose=row["pose"] or "",
        snapshot=_snapshot(db, row["clip"], row["start_ns"]),
        score=hit.score,
        archived=bool(row["archived"]),
    )


def _snapshot(db: sqlite3.Connection, clip: int, stamp_ns: int) -> int:
    """The clip's picture nearest to a moment; 0 if it has none."""
    row = db.execute(
        "SELECT id FROM snapshots WHERE clip = ? ORDER BY abs(stamp_ns - ?), id LIMIT 1", (clip, stamp_ns)
    ).fetchone()
    return row["id"] if row else 0
