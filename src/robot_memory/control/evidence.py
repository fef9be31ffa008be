"""Memories as evidence: read with names as known now, with the words as they were said, the place and the picture."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator

from robot_memory.control.answer import Evidence
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Hit
from robot_memory.memory.tokens import with_names
from robot_memory.streams.working import Glimpse

ROWS = (
    "SELECT memories.*, turns.text AS quote, turns.entity AS speaker "
    "FROM memories LEFT JOIN turns ON turns.id = memories.turn"
)


def gather(db: sqlite3.Connection, people: People, hits: Iterable[Hit]) -> list[Evidence]:
    """The evidence for some hits, in their order."""
    scores = {hit.memory: hit.score for hit in hits}
    found: dict[int, Evidence] = {}
    for some in _some_of(list(scores)):
        marks = ", ".join("?" * len(some))
        about: dict[int, list[int]] = defaultdict(list)
        for edge in db.execute(f"SELECT memory, entity FROM edges WHERE memory IN ({marks}) ORDER BY entity", some):
            about[edge["memory"]].append(edge["entity"])
        rows = db.execute(f"{ROWS} WHERE memories.id IN ({marks})", some).fetchall()
        pictures = _pictures(db, sorted({row["clip"] for row in rows}))
        for row in rows:
            picture = _nearest(pictures[row["clip"]], row["start_ns"])
            found[row["id"]] = _evidence(row, about[row["id"]], people, picture, scores[row["id"]])
    return [found[memory] for memory in scores if memory in found]


def provisional(glimpse: Glimpse) -> Evidence:
    """Something seen or heard a moment ago whose clip is not committed yet, so nobody is recognised in it."""
    return Evidence(
        memory=0,
        kind="episodic",
        source="heard" if glimpse.text else "seen",
        text=f"Someone said: “{glimpse.text}”" if glimpse.text else "Someone is in view.",
        quote=glimpse.text,
        start_ns=glimpse.start_ns,
        end_ns=glimpse.end_ns,
        score=1.0,
        provisional=True,
    )


def _some_of(memories: list[int]) -> Iterator[list[int]]:
    """Memories a few hundred at a time: SQLite limits the values of a statement."""
    for first in range(0, len(memories), 500):
        yield memories[first : first + 500]


def _pictures(db: sqlite3.Connection, clips: list[int]) -> dict[int, list[tuple[int, int]]]:
    """Clip -> its snapshots as (stamp, id)."""
    pictures: dict[int, list[tuple[int, int]]] = defaultdict(list)
    marks = ", ".join("?" * len(clips))
    for row in db.execute(f"SELECT clip, stamp_ns, id FROM snapshots WHERE clip IN ({marks})", clips):
        pictures[row["clip"]].append((row["stamp_ns"], row["id"]))
    return pictures


def _nearest(pictures: list[tuple[int, int]], stamp_ns: int) -> int:
    """The picture nearest to a moment; 0 if there is none."""
    return min(pictures, key=lambda one: (abs(one[0] - stamp_ns), one[1]), default=(0, 0))[1]


def _evidence(row: sqlite3.Row, entities: list[int], people: People, snapshot: int, score: float) -> Evidence:
    return Evidence(
        memory=row["id"],
        kind=row["kind"],
        source=row["source"],
        text=with_names(row["text"], people.name_of),
        quote=row["quote"] or "",
        speaker=people.of_entity(row["speaker"]).token if row["speaker"] is not None else "",
        people=tuple(dict.fromkeys(people.of_entity(entity).id for entity in entities)),
        start_ns=row["start_ns"],
        end_ns=row["end_ns"],
        clip=row["clip"],
        pose=row["pose"] or "",
        snapshot=snapshot,
        score=score,
        archived=bool(row["archived"]),
    )
