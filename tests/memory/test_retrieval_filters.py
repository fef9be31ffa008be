"""Filters are exact and cut before anything is scored: by person, kind, source, time, and what was known when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import SECOND, add_clip, graph_at, random_unit, remember

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search


@dataclass(frozen=True)
class Known:
    """A memory as it was put in."""

    id: int
    text: str
    start_s: float
    end_s: float
    kind: str
    source: str
    about: frozenset[int]
    clip_end_s: int
    archived: bool


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MemoryGraph, list[Known]]]:
    graph = graph_at(Path(tmp_path_factory.mktemp("m")) / "memory.sqlite")
    known = []
    with graph.change() as change:
        clips = [add_clip(change.db, n) for n in range(4)]
        faces = [change.new_entity("face", clips[0]) for _ in range(3)]
        for n in range(60):
            start, length = n * 2.0, (0.0, 1.0, 7.0)[n % 3]
            about = frozenset(face for bit, face in enumerate(faces) if n >> bit & 1)
            kind, source = ("episodic", "semantic")[n % 2], ("seen", "heard", "inferred")[n % 5 % 3]
            frame = Frame("thing", "seen", str(n)) if kind == "semantic" else None
            clip = clips[int(start // 30)]
            memory = remember(
                change,
                clip,
                f"The cup number {n} was red.",
                n,
                start_s=start,
                end_s=start + length,
                frame=frame,
                source=source,
                about={f"face_{face}": 1.0 for face in about},
            )
            if archived := n % 11 == 0:
                change.db.execute("UPDATE memories SET archived = 1 WHERE id = ?", (memory,))
            known.append(
                Known(
                    memory,
                    f"The cup number {n} was red.",
                    start,
                    start + length,
                    kind,
                    source,
                    about,
                    (int(start // 30) + 1) * 30,
                    archived,
                )
            )
    yield graph, known
    graph.store.close()


def fits(one: Known, query: Query) -> bool:
    return (
        (query.archived or not one.archived)
        and (query.entities is None or bool(one.about & set(query.entities)))
        and (not query.kind or one.kind == query.kind)
        and (not query.sources or one.source in query.sources)
        and (query.start_ns is None or one.end_s * SECOND >= query.start_ns)
        and (query.end_ns is None or one.start_s * SECOND < query.end_ns)
        and (query.recorded_by_ns is None or one.clip_end_s * SECOND <= query.recorded_by_ns)
    )


moments = st.none() | st.integers(-1, 125).map(lambda s: s * SECOND)
queries = st.builds(
    Query,
    text=st.sampled_from(["", "cup", "red cup", "blue"]),
    vector=st.none() | st.integers(0, 9).map(lambda n: random_unit(n)[0]),
    entities=st.none() | st.lists(st.integers(1, 5), max_size=3),
    kind=st.sampled_from(["", "episodic", "semantic"]),
    sources=st.lists(st.sampled_from(["seen", "heard", "inferred", "nowhere"]), max_size=2).map(tuple),
    start_ns=moments,
    end_ns=moments,
    recorded_by_ns=moments,
    archived=st.booleans(),
)


@given(query=queries)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_found_is_what_fits(filled: tuple[MemoryGraph, list[Known]], query: Query) -> None:
    graph, known = filled
    hits = search(graph.store.reader(), graph.index, query, 1000)
    found = [hit.memory for hit in hits]
    fitting = {one.id for one in known if fits(one, query)}
    assert len(set(found)) == len(found)
    if not query.text and query.vector is None:
        by_id = {one.id: one for one in known}
        assert found == sorted(fitting, key=lambda n: (by_id[n].start_s, n))
    elif query.vector is not None or query.text != "blue":
        assert set(found) == fitting
    else:
        assert found == []
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.score <= 1 for hit in hits) and all(hit.why for hit in hits)


def test_nothing_that_fits_is_crowded_out(tmp_path: Path) -> None:
    """A thousand better matches about others do not hide the one about this person."""
    graph = graph_at(tmp_path / "m")
    with graph.change() as change:
        clip = add_clip(change.db)
        face, other = change.new_entity("face", clip), change.new_entity("face", clip)
        for n in range(1000):
            remember(change, clip, "Tea, tea, tea.", 1, start_s=n, about={f"face_{other}": 1.0})
        mine = remember(change, clip, "Something about tea leaves in a long sentence.", 2, about={f"face_{face}": 1.0})
    query = Query("tea", random_unit(1)[0], entities=[face])
    assert [hit.memory for hit in search(graph.store.reader(), graph.index, query, 5)] == [mine]
    graph.store.close()


def test_as_many_as_are_asked_for(tmp_path: Path) -> None:
    graph = graph_at(tmp_path / "m")
    with graph.change() as change:
        clip = add_clip(change.db)
        for n in range(300):
            remember(change, clip, f"Tea number {n}.", n)
    for query in (Query("tea"), Query(vector=random_unit(0)[0]), Query("tea", random_unit(0)[0]), Query()):
        for k in (0, 1, 99, 150, 250):
            assert len(search(graph.store.reader(), graph.index, query, k)) == k
    graph.store.close()


def test_both_channels_count_and_say_so(tmp_path: Path) -> None:
    graph = graph_at(tmp_path / "m")
    with graph.change() as change:
        clip = add_clip(change.db)
        word = remember(change, clip, "Anna likes tea.", 1)
        near = remember(change, clip, "Somebody drinks.", 2)
        both = remember(change, clip, "Tea again.", 2)
    hits = search(graph.store.reader(), graph.index, Query("tea", random_unit(2)[0]), 3)
    assert hits[0].memory == both and hits[0].why[:2] == ("vector", "keyword")
    assert {hit.memory for hit in hits[1:]} == {word, near}
    graph.store.close()
