"""Finding memories again: exact filters first, then keywords, vectors, neighbours, persons and times in one ranking.

What passes a filter is never crowded out: the channels look only at what passes. Nothing is decayed away: of two that
fit alike the newer wins, no more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from robot_memory.memory.retrieval.archived import Archive
from robot_memory.memory.retrieval.asof import folded
from robot_memory.memory.retrieval.concerning import concerns
from robot_memory.memory.retrieval.conversation import Moment, around, occasions
from robot_memory.memory.retrieval.filters import LISTED, Cut, Filter, Passing, known, listed, wanted
from robot_memory.memory.retrieval.keywords import by_keyword
from robot_memory.memory.retrieval.nearest import by_vector
from robot_memory.memory.retrieval.query import Hit, Mode, Order, Query, Standing
from robot_memory.memory.retrieval.ranking import Channel, Found, in_order, ranked
from robot_memory.memory.retrieval.recency import recency
from robot_memory.memory.retrieval.sight import sightings, was_then
from robot_memory.memory.retrieval.wording import asks, tells_time
from robot_memory.memory.tokens import TOKEN
from robot_memory.memory.vectors.index import VectorIndex

POOL = 100  # candidates of each channel, or as many as are asked for
SEEDS = 60  # of these the neighbours are looked at


def search(db: sqlite3.Connection, index: VectorIndex, query: Query, k: int | None) -> list[Hit]:
    """The best `k` memories, best first (None: all). Without text or vector: those that pass the filter, by time."""
    with Archive(db, query.model) as archive:
        return _search(db, index, query, k, archive if query.archived else None)


def _search(
    db: sqlite3.Connection, index: VectorIndex, query: Query, k: int | None, archive: Archive | None
) -> list[Hit]:
    seen = known(db, query)
    passing = Passing(db, seen.and_(*wanted(query, archive), *_ended(db, query)))
    if not query.text and query.vector is None:
        return _listed(db, query, passing.filter, k)
    pool = max(POOL, _newest(db) if k is None else k)
    keywords = by_keyword(db, query.text, passing, pool, archive) if query.mode is not Mode.VECTOR else {}
    near = by_vector(db, index, query, passing, pool, archive) if query.mode is not Mode.KEYWORD else set()
    candidates = keywords.keys() | near
    if query.mode is Mode.HYBRID:
        candidates |= sightings(db, query, passing, POOL)
    found = Found(_cosines(index, query, candidates, archive), keywords)
    if query.mode is Mode.HYBRID:
        found, candidates = _looked_into(db, index, query, found, candidates, passing, seen, archive)
    hits = in_order(ranked(found, candidates), query.order, _starts(db, query, candidates))
    return hits[:k]


def _newest(db: sqlite3.Connection) -> int:
    """The highest id: no more memories than that can be found."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM memories").fetchone()[0])


def _listed(db: sqlite3.Connection, query: Query, passing: Filter, k: int | None) -> list[Hit]:
    way = "DESC" if query.order is Order.LAST else "ASC"
    rows = db.execute(
        f"SELECT id FROM memories WHERE {passing.sql} ORDER BY start_ns {way}, id {way} LIMIT ?",
        (*passing.values, -1 if k is None else k),
    )
    return [Hit(row["id"], 1.0, {"filter": 1.0}) for row in rows]


def _cosines(index: VectorIndex, query: Query, memories: Iterable[int], archive: Archive | None) -> dict[int, float]:
    if query.vector is None or query.mode is Mode.KEYWORD:
        return {}
    ids = np.array(sorted(memories), np.int64)
    found = dict(zip(ids.tolist(), index.cosines(query.vector, ids).tolist()))
    if archive is not None:
        scores = archive.scores(query.vector, ids)
        found |= zip(scores.ids.tolist(), scores.cosines.tolist())
    return found


def _looked_into(
    db: sqlite3.Connection,
    index: VectorIndex,
    query: Query,
    found: Found,
    candidates: set[int],
    passing: Passing,
    seen: Filter,
    archive: Archive | None,
) -> tuple[Found, set[int]]:
    """The same with what was said around the best of them as far as it was `seen`, whom they concern, and when they
    were.
    """
    matches = found.matches(candidates)
    seeds = sorted(candidates, key=lambda one: (-matches[one], -one))[:SEEDS]
    lines = around(db, seeds, seen)
    beside = {one for line in lines.values() for one in (line.before, line.after) if one} - candidates
    lines |= around(db, beside, seen)
    outer = {one for line in lines.values() for one in (line.before, line.after) if one} - candidates
    candidates = candidates | passing.of(beside)
    rows = [row for row in _rows(db, candidates) if row["source"] != "seen" or was_then(row, query)]
    candidates = {row["id"] for row in rows}
    looked = Found({**found.cosines, **_cosines(index, query, outer, archive)}, found.keywords, lines)
    moments = [Moment(row["id"], row["session"], row["start_ns"], row["end_ns"]) for row in rows]
    others = {
        "occasion": occasions(moments, looked.matches(candidates)),
        "person": concerns(db, candidates, query.theirs),
        **_told_by_rows(rows, query),
    }
    return replace(looked, others=others), candidates


def _told_by_rows(rows: Sequence[sqlite3.Row], query: Query) -> dict[str, Channel]:
    """The channels that the memories' own words, times and sources make, as far as the question asks for them."""
    signs: dict[str, Callable[[sqlite3.Row], bool]] = {"asking": lambda row: asks(row["text"])}
    if query.of_sight:
        signs["sight"] = lambda row: bool(row["source"] == "seen")
    if query.asks_when:
        signs["telling"] = lambda row: tells_time(TOKEN.sub("", row["text"]))
    if query.during_ns != (None, None):
        signs["time"] = lambda row: was_then(row, query)
    if query.standing is Standing.EARLIER:
        signs["earlier"] = lambda row: row["valid_until_ns"] is not None
    channels: dict[str, Channel] = {
        name: {row["id"]: 1.0 for row in rows if shows(row)} for name, shows in signs.items()
    }
    if (now_ns := query.now_ns) is not None:
        channels["recent"] = {row["id"]: recency(row["end_ns"], now_ns) for row in rows}
    return channels


def _ended(db: sqlite3.Connection, query: Query) -> list[Cut]:
    """Where it is asked what held at an earlier moment: without what was known to hold no longer by then."""
    if query.standing is not Standing.LATEST or not query.back:
        return []
    past = [row["id"] for row in db.execute("SELECT id FROM memories WHERE valid_until_ns IS NOT NULL")]
    then = folded(db, past, query.recorded_by_ns, query.before_clip)
    ended = listed(one for one in past if one in then and then[one].valid_until_ns is not None)
    return [Cut(f"id NOT IN {LISTED}", (ended,), "SELECT value AS id FROM json_each(?)", without=True)]


def _rows(db: sqlite3.Connection, memories: Iterable[int]) -> list[sqlite3.Row]:
    return db.execute(
        "SELECT memories.id, text, source, session, valid_until_ns, memories.start_ns, memories.end_ns FROM memories "
        f"JOIN clips ON clips.id = clip WHERE memories.id IN {LISTED}",
        (listed(memories),),
    ).fetchall()


def _starts(db: sqlite3.Connection, query: Query, memories: Iterable[int]) -> dict[int, int]:
    if query.order is Order.RELEVANCE:
        return {}
    rows = db.execute(f"SELECT id, start_ns FROM memories WHERE id IN {LISTED}", (listed(memories),))
    return {row["id"]: row["start_ns"] for row in rows}
