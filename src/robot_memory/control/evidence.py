"""Memories as evidence: read with names as known now, with the words as they were said, the place and the picture.

As of a moment: with counts, ends and validity as they had been recorded by then.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress

from robot_memory.control.answer import Evidence, Fact
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.asof import Then, folded
from robot_memory.memory.retrieval.filters import LISTED, listed
from robot_memory.memory.retrieval.query import Hit
from robot_memory.memory.tokens import sole_token, split, with_names, with_tokens
from robot_memory.streams.working import Glimpse

ROWS = (
    "SELECT memories.*, clips.session AS session, turns.text AS quote, turns.entity AS speaker, turns.confidence "
    "FROM memories JOIN clips ON clips.id = memories.clip LEFT JOIN turns ON turns.id = memories.turn"
)


def gather(
    db: sqlite3.Connection,
    people: People,
    hits: Iterable[Hit],
    as_of_ns: int | None = None,
    before_clip: int | None = None,
) -> list[Evidence]:
    """The evidence for some hits, in their order; as it had been recorded by `as_of_ns` and clip `before_clip`."""
    of_memory = {hit.memory: hit for hit in hits}
    some = listed(of_memory)
    about: dict[int, list[int]] = defaultdict(list)
    for edge in db.execute(f"SELECT memory, entity FROM edges WHERE memory IN {LISTED} ORDER BY entity", (some,)):
        about[edge["memory"]].append(edge["entity"])
    rows = db.execute(f"{ROWS} WHERE memories.id IN {LISTED}", (some,)).fetchall()
    pictures = _pictures(db, {row["clip"] for row in rows})
    back = as_of_ns is not None or before_clip is not None
    as_then = folded(db, of_memory, as_of_ns, before_clip) if back else {}
    found: dict[int, Evidence] = {}
    for row in rows:
        then = as_then.get(row["id"]) or _now(row)
        picture = _nearest(pictures[row["clip"]], then.start_ns)
        found[row["id"]] = _evidence(row, then, about[row["id"]], people, picture, of_memory[row["id"]])
    return [found[memory] for memory in of_memory if memory in found]


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
        session=glimpse.session,
        score=1.0,
        provisional=True,
    )


def _pictures(db: sqlite3.Connection, clips: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """Clip -> its snapshots as (stamp, id)."""
    pictures: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in db.execute(f"SELECT clip, stamp_ns, id FROM snapshots WHERE clip IN {LISTED}", (listed(clips),)):
        pictures[row["clip"]].append((row["stamp_ns"], row["id"]))
    return pictures


def _nearest(pictures: list[tuple[int, int]], stamp_ns: int) -> int:
    """The picture nearest to a moment; 0 if there is none."""
    return min(pictures, key=lambda one: (abs(one[0] - stamp_ns), one[1]), default=(0, 0))[1]


def _now(row: sqlite3.Row) -> Then:
    return Then(row["count"], row["start_ns"], row["end_ns"], row["valid_until_ns"])


def _evidence(row: sqlite3.Row, then: Then, entities: list[int], people: People, snapshot: int, hit: Hit) -> Evidence:
    speaker = people.of_entity(row["speaker"]).token if row["speaker"] is not None else ""
    since_ns = row["valid_from_ns"]
    return Evidence(
        memory=row["id"],
        kind=row["kind"],
        source=row["source"],
        text=with_names(row["text"], people.name_of),
        author=speaker,
        facts=_facts(row, people),
        quote=row["quote"] or "",
        speaker=speaker,
        people=tuple(dict.fromkeys(people.of_entity(entity).id for entity in entities)),
        start_ns=then.start_ns,
        end_ns=then.end_ns,
        valid_from_ns=then.start_ns if since_ns == row["start_ns"] else since_ns,
        valid_until_ns=then.valid_until_ns,
        count=then.count,
        session=row["session"],
        clip=row["clip"],
        pose=row["pose"] or "",
        snapshot=snapshot,
        score=hit.score,
        channels=tuple(hit.channels.items()),
        confidence=row["confidence"] or 0.0,
        archived=bool(row["archived"]),
    )


def _facts(row: sqlite3.Row, people: People) -> tuple[Fact, ...]:
    """The claim that a memory makes, if it makes one."""
    if row["subject"] is None:
        return ()
    subject, value = _for_programs(row["subject"], people), _for_programs(row["value"], people)
    return (Fact(subject, row["attribute"], value, row["polarity"] < 0),)


def _for_programs(text: str, people: People) -> str:
    """Whoever stands alone by their id as a person, within words by name."""
    token = sole_token(text)
    if token is None:
        return with_tokens(text, people.name_of)
    kind, number = split(token)
    with suppress(KeyError):  # a token that was only spoken
        return f"person_{people.now(number)}" if kind == "person" else people.of_entity(number).token
    return token
