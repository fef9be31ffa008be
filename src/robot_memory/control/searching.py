"""Search: what is remembered that fits all that is given, best first; without a text newest first; page after page.

A program's mistake gets words and never a wrong list: an id of nobody, a range that ends before it begins, a place that
nothing names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from robot_memory.control import evidence, showing
from robot_memory.control.agent import now_for, zone_of
from robot_memory.control.answer import Evidence
from robot_memory.control.clock import Zone, iso
from robot_memory.control.operator import quoted
from robot_memory.control.paging import Bookmark, read_cursor, write_cursor
from robot_memory.control.recall import query_of, told_later_ns, understood
from robot_memory.control.searchrequest import SearchRequest, checked
from robot_memory.control.understanding.reading import Reading
from robot_memory.errors import RobotMemoryError
from robot_memory.lanes import Lane, Rank, Traffic
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.corrections import PersonUnknown
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.retrieval.archived import Archive
from robot_memory.memory.retrieval.asof import folded
from robot_memory.memory.retrieval.filters import WORD
from robot_memory.memory.retrieval.query import Hit, Mode, Order, Place, Query
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.index import VectorIndex

WAITING = 32  # searches, beside the one at work


class SearchUnknown(RobotMemoryError):
    """The request names a session or a place that is not remembered."""


@dataclass(frozen=True)
class SearchPage:
    """A page of results. `next_cursor`: empty if there are no more; `read`: what was understood, for a person and for
    JSON; `message`: why there is nothing, where there is nothing.
    """

    evidence: tuple[Evidence, ...]
    next_cursor: str
    read: Mapping[str, Any]
    message: str


@dataclass(frozen=True)
class Means:
    """What comparing meanings takes, opened when it is first needed: keywords and listings need neither."""

    embedder: Callable[[], TextEmbedder]
    index: Callable[[], VectorIndex]


class Searching:
    """The searching lane: a search is not made to wait until an answer is found."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, traffic: Traffic, capacity: int = WAITING) -> None:
        self._graph, self._embedder = graph, embedder
        self._lane = Lane("searching", Rank.ANSWERING, traffic, capacity)

    def search(self, request: SearchRequest, wall_ns: int) -> Future[SearchPage]:
        """Queue a search. Raises Busy; the future what `search_page` raises."""
        means = Means(lambda: self._embedder, lambda: self._graph.index)
        return self._lane.submit(lambda: search_page(self._graph.store, means, request, wall_ns))

    def show(self, memory: int, uri: str, asker: str = "") -> Future[showing.Shown]:
        """Queue a look at a memory or a picture. Raises Busy; the future what `showing.show` raises."""
        return self._lane.submit(lambda: showing.show(self._graph.store, memory, uri, asker))

    def stop(self) -> None:
        """What runs is finished, what waits is cancelled."""
        self._lane.close()


def search_page(store: Store, means: Means, request: SearchRequest, wall_ns: int) -> SearchPage:
    """A page of what is found, in one moment's view of the store; `wall_ns` is now, where a live robot asks. Raises
    SearchInvalid, CorrectionInvalid (no id) or CursorInvalid; PersonUnknown or SearchUnknown.
    """
    request = checked(request)
    key = repr(replace(request, limit=0, cursor=""))
    with store.snapshot() as db:
        people, zone, memory = People(db), zone_of(db), _which_memory(db)
        before = read_cursor(request.cursor, key, memory, db) if request.cursor else None
        now_ns = before.now_ns if before else _now(db, request, wall_ns)
        query, read = _query(db, people, request, means.embedder, now_ns, zone)
        if before:
            query = replace(query, before_clip=min(before.last_clip, query.before_clip or before.last_clip))
        shown = frozenset(before.memories if before else ())
        size = request.size
        index = means.index() if query.vector is not None else ExactIndex(1)
        hits = _hits(db, index, query, request, shown, size + 1)
        found = evidence.gather(db, people, hits[:size], request.as_of_ns, request.before_clip)
        cursor = ""
        if len(hits) > size:
            last_clip = before.last_clip if before else _newest_clip(db)
            ids = tuple(sorted(shown.union(hit.memory for hit in hits[:size])))
            cursor = write_cursor(Bookmark(_generation(db), last_clip, now_ns, ids), key, memory)
        return SearchPage(tuple(found), cursor, read, "" if found else _why_nothing(db, before))


def _now(db: sqlite3.Connection, request: SearchRequest, wall_ns: int) -> int:
    return now_for(db, wall_ns) if request.as_of_ns is None else request.as_of_ns


def _hits(
    db: sqlite3.Connection,
    index: VectorIndex,
    query: Query,
    request: SearchRequest,
    shown: frozenset[int],
    count: int,
) -> list[Hit]:
    """The best `count` that have not been shown."""
    wanted = len(shown) + count
    while True:
        hits = search(db, index, query, wanted)
        ids = {hit.memory for hit in hits} - shown
        if _cuts_a_past(query, request):
            ids = _then_within(db, ids, query, request)
        if len(ids) >= count or len(hits) < wanted:
            return [hit for hit in hits if hit.memory in ids][:count]
        wanted *= 4


def _cuts_a_past(query: Query, request: SearchRequest) -> bool:
    """Is there a time range as of a moment? What was observed again since may reach into it only now."""
    back = request.as_of_ns is not None or request.before_clip is not None
    return back and (query.start_ns is not None or query.end_ns is not None)


def _then_within(db: sqlite3.Connection, ids: set[int], query: Query, request: SearchRequest) -> set[int]:
    return {
        memory
        for memory, then in folded(db, ids, request.as_of_ns, request.before_clip).items()
        if (query.start_ns is None or then.end_ns >= query.start_ns)
        and (query.end_ns is None or then.start_ns < query.end_ns)
    }


def _query(
    db: sqlite3.Connection,
    people: People,
    request: SearchRequest,
    embedder: Callable[[], TextEmbedder],
    now_ns: int,
    zone: Zone,
) -> tuple[Query, dict[str, Any]]:
    """The query, and what was understood. Words of a keyword search are taken as they stand."""
    asker = _person(people, request.asker).token if request.asker else ""
    reading = Reading(request.text, zone=zone)
    query = Query(request.text, mode=Mode(request.mode), now_ns=now_ns, recorded_by_ns=request.as_of_ns)
    if request.compares:
        reading = understood(request.text, people, asker, now_ns, zone)
        query = replace(query_of(reading, people, embedder(), now_ns, request.as_of_ns), mode=query.mode)
    elif request.text:
        reading = replace(reading, topic=request.text)
    if not query.text and query.vector is None and query.order is Order.RELEVANCE:
        query = replace(query, order=Order.LAST)
    given = request.start_ns is not None or request.end_ns is not None
    start_ns, end_ns = (request.start_ns, request.end_ns) if given else _range(reading)
    about = [_person(people, one) for one in request.persons]
    place, session, where = _where(db, request)
    query = replace(
        query,
        persons=tuple(person.entities for person in about),
        kind=request.kind,
        session=session,
        start_ns=start_ns,
        end_ns=end_ns,
        told_until_ns=None if given or end_ns is None or not reading.topic else end_ns + told_later_ns(reading),
        place=place,
        before_clip=request.before_clip,
        archived=request.archived,
        phrase=request.place_name,
    )
    filters = {
        "about": [f"{person.describe()} ({person.token})" for person in about],
        "time": _time("" if given else reading.span.words, start_ns, end_ns, zone),
        "place": where,
    }
    return query, {**reading.shown(), **{name: value for name, value in filters.items() if value}}


def _range(reading: Reading) -> tuple[int | None, int | None]:
    """The time that the text names."""
    span = reading.span
    if span.vague or span.routine or span.anchor:  # no range, or a mere preference
        return None, None
    return span.start_ns, span.end_ns


def _time(words: str, start_ns: int | None, end_ns: int | None, zone: Zone) -> dict[str, str]:
    """The range as it is applied."""
    said = {"words": words} if words else {}
    ends = (("from", start_ns), ("until", end_ns))
    return said | {name: iso(stamp_ns, zone) for name, stamp_ns in ends if stamp_ns is not None}


def _person(people: People, token: str) -> Person:
    """Who has this id now; merged ids are followed. Raises PersonUnknown."""
    known = people.get(int(token.partition("_")[2]))
    if known is None:
        raise PersonUnknown(f"nobody is known as {token}: robot-memory who lists everyone")
    return known


def _where(db: sqlite3.Connection, request: SearchRequest) -> tuple[Place | None, str, str]:
    """The disc to search in, the session, and both in words. Raises SearchUnknown for what is not remembered."""
    session, place = request.session, request.place
    if session and db.execute("SELECT 1 FROM sessions WHERE id = ?", (session,)).fetchone() is None:
        raise SearchUnknown(f"there is no session {quoted(session)}: each result says of which session it is")
    if request.place_name and not _naming(db, request.place_name, request.archived):
        raise SearchUnknown(f"no place called {quoted(request.place_name)}: nothing that is remembered names it")
    if place is None:
        return None, session, f"what names {request.place_name}" if request.place_name else ""
    if not place.map_id:
        newest = db.execute(
            "SELECT coalesce(json_extract(pose, '$.map_id'), '') AS map, session FROM memories "
            "JOIN clips ON clips.id = clip WHERE pose <> '' AND json_extract(pose, '$.frame_id') = ? "
            "AND (? = '' OR session = ?) ORDER BY memories.id DESC LIMIT 1",
            (place.frame, session, session),
        ).fetchone()
        if newest is None:
            raise SearchUnknown(f"nothing is remembered with a place in the frame {quoted(place.frame)}")
        place = replace(place, map_id=newest["map"])
        session = session or ("" if newest["map"] else newest["session"])  # without a map: good within a session alone
    of = f" of the map {place.map_id}" if place.map_id else f" of the session {session}"
    return place, session, f"within {place.radius_m:g} m of ({place.x:g}, {place.y:g}) in {place.frame}{of}"


def _naming(db: sqlite3.Connection, place: str, archived: bool = False) -> frozenset[int]:
    """The memories whose words name a place; `archived`: those in the archive, too."""
    phrase = f'"{" ".join(WORD.findall(place))}"'
    named = {row[0] for row in db.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?", (phrase,))}
    if archived:
        with Archive(db) as archive:
            named.update(archive.matches(phrase))
    return frozenset(named)


def _which_memory(db: sqlite3.Connection) -> str:
    """What tells one memory from another: how it began."""
    row = db.execute("SELECT id FROM sessions ORDER BY rowid LIMIT 1").fetchone()
    return row["id"] if row else ""


def _newest_clip(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM clips").fetchone()[0])


def _generation(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT generation FROM meta").fetchone()[0])


def _why_nothing(db: sqlite3.Connection, before: Bookmark | None) -> str:
    if before:
        return "there is no more"
    if db.execute("SELECT 1 FROM memories LIMIT 1").fetchone() is None:
        return "nothing is remembered yet"
    return "nothing that is remembered fits all that was asked for"
