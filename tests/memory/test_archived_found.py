"""What is archived is found on demand, by words and by meaning, as if it were not, and by the same filters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import DIM, SECOND, add_clip, graph_at, random_unit, remember

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.retrieval.archived import BLOCK, Archive
from robot_memory.memory.retrieval.query import Hit, Mode, Query, Standing
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.vectors.packing import pack

SAID = (
    "The cups were red and the kettle hissed.",
    "Hoping for a cup of tea, <face_1> waited.",
    "A Café in Zürich served naïve tourists.",
    "<face_2> relies on relational databases; the relations were many.",
    "Nobody came.",
    "cup cup cup",
    "The happiest of happy days: happiness!",
    "Ω and ☕ and 日本 were written on the board.",
)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clips = [add_clip(change.db, n) for n in range(4)]
        faces = [change.new_entity("face", clips[0]) for _ in range(3)]
        for n in range(40):
            claimed = n % 5 == 0
            remember(
                change,
                clips[n // 10],
                f"{SAID[n % len(SAID)]} {n}",
                n,
                start_s=3.0 * n,
                source=("heard", "seen")[n % 2],
                about={f"face_{face}": 1.0 for bit, face in enumerate(faces) if n >> bit & 1},
                frame=Frame("thing", "seen", str(n)) if claimed else None,
            )
    yield graph
    graph.store.close()


def look(graph: MemoryGraph, query: Query) -> list[tuple[int, float]]:
    return [
        (hit.memory, pytest.approx(hit.score, abs=1e-5)) for hit in search(graph.store.reader(), graph.index, query, 50)
    ]


QUERIES = {
    "words": Query("a red cup", mode=Mode.KEYWORD, archived=True),
    "meaning": Query("", random_unit(3)[0], mode=Mode.VECTOR, archived=True),
    "both": Query("happy tea at the café", random_unit(4)[0], archived=True),
    "a person asked about": Query("relation", random_unit(5)[0], asked=((2,),), archived=True),
    "about a person": Query("cup", random_unit(6)[0], entities=[1], archived=True),
    "about two": Query("", random_unit(6)[0], persons=((1,), (2,)), archived=True),
    "a phrase": Query("cup", random_unit(7)[0], phrase="the cups were", archived=True),
    "a time": Query("tea", random_unit(8)[0], start_ns=20 * SECOND, end_ns=60 * SECOND, archived=True),
    "then": Query("tea", random_unit(8)[0], recorded_by_ns=65 * SECOND, archived=True),
    "before a clip": Query("tea", random_unit(8)[0], before_clip=2, archived=True),
    "a kind": Query("tea", random_unit(9)[0], kind="semantic", archived=True),
    "a source": Query("", random_unit(9)[0], sources=("seen",), archived=True),
    "what still holds": Query("cup", random_unit(9)[0], standing=Standing.LATEST, now_ns=SECOND, archived=True),
    "what was seen": Query("who was there", random_unit(9)[0], of_sight=True, asked=((1,),), archived=True),
    "no words at all": Query(archived=True),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_all_of_it_is_found_as_it_was_at_hand(graph: MemoryGraph, query: Query) -> None:
    before = look(graph, query)
    assert before
    with graph.change() as change:
        change.archive(range(1, 41))
    assert len(graph.index) == 0
    assert [one for one, _ in look(graph, query)] == [one for one, _ in before]
    assert look(graph, query) == before


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_some_of_it_is_found_beside_what_is_at_hand(graph: MemoryGraph, query: Query) -> None:
    before = {one for one, _ in look(graph, query)}
    with graph.change() as change:
        change.archive(range(1, 41, 3))
    assert {one for one, _ in look(graph, query)} == before
    db = graph.store.reader()
    (at_hand,) = (search(db, graph.index, Query(**{**vars(query), "archived": False}), 50),)
    assert {hit.memory for hit in at_hand} <= before - set(range(1, 41, 3))


def test_the_best_of_the_archive_is_first(graph: MemoryGraph) -> None:
    with graph.change() as change:
        change.archive([7])
    db = graph.store.reader()
    best = search(db, graph.index, Query("happiness", random_unit(6)[0], archived=True), 3)[0]
    assert best.memory == 7 and best.channels["vector"] == pytest.approx(1.0, abs=1e-3) and best.channels["keyword"] > 0


WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"], include_characters="éÜñøß☕'"), min_size=1, max_size=12)


@given(
    texts=st.lists(st.lists(WORDS, max_size=4).map(" ".join), min_size=1, max_size=12),
    asked=st.lists(WORDS, max_size=3),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_match_as_at_hand(graph: MemoryGraph, texts: list[str], asked: list[str]) -> None:
    """Whatever the writing system and the ending: for each word asked, with a word of the texts among them."""
    asked = [*asked, *texts[0].split()[:1]]
    query = Query(" ".join(asked), mode=Mode.KEYWORD, archived=True)
    found: list[list[Hit]] = []
    for archived in (0, 1):
        with graph.store.write() as db:
            db.execute("DELETE FROM memories")
            db.executemany(
                "INSERT INTO memories(id, clip, kind, text, start_ns, end_ns, source, archived, model, embedding) "
                "VALUES (?, 1, 'episodic', ?, 0, 0, 'seen', ?, 'text 1', x'')",
                [(n, text, archived) for n, text in enumerate(texts, start=1)],
            )
        found.append(search(graph.store.reader(), graph.index, query, None))
    assert {hit.memory: hit.score for hit in found[0]} == pytest.approx({hit.memory: hit.score for hit in found[1]})


def test_vectors_of_another_model_are_not_compared(graph: MemoryGraph) -> None:
    with graph.change() as change:
        change.archive(range(1, 41))
        change.db.execute("UPDATE memories SET model = 'text 0' WHERE id <= 20")
        change.db.execute("UPDATE memories SET embedding = x'' WHERE id = 40")  # damaged, to be made anew
    db = graph.store.reader()
    query = random_unit(3)[0]
    assert Archive(db, "text 1").scores(query).ids.tolist() == list(range(21, 40))
    assert len(Archive(db).scores(query).ids) == 39
    hits = search(db, graph.index, Query(vector=query, model="text 1", mode=Mode.VECTOR, archived=True), None)
    assert {hit.memory for hit in hits} == set(range(21, 40))


def test_many_blocks_are_scored_as_one(graph: MemoryGraph) -> None:
    count = 2 * BLOCK + 5
    vectors = random_unit(1, count).astype(np.float16)
    with graph.store.write() as db:
        db.execute("DELETE FROM memories")
        db.executemany(
            "INSERT INTO memories(id, clip, kind, text, start_ns, end_ns, source, archived, model, embedding, keep) "
            "VALUES (?, 1, 'episodic', '', 0, 0, 'seen', ?, 'text 1', ?, ?)",
            [(n + 1, n % 7 != 0, pack(vector), -n) for n, vector in enumerate(vectors)],
        )
    query = random_unit(9)[0]
    scores = Archive(graph.store.reader()).scores(query)
    there = np.array([n for n in range(count) if n % 7])
    assert scores.ids.tolist() == (there + 1).tolist()
    np.testing.assert_allclose(scores.cosines, vectors[there].astype(np.float32) @ query, atol=1e-6)
    some = Archive(graph.store.reader()).scores(query, np.array([1, 2, 8, 9, 5000]))
    assert some.ids.tolist() == [2, 9]


def test_an_empty_archive_changes_nothing(graph: MemoryGraph) -> None:
    for query in QUERIES.values():
        assert look(graph, query) == look(graph, Query(**{**vars(query), "archived": False}))
    assert len(Archive(graph.store.reader()).scores(random_unit(1)[0]).ids) == 0 and DIM == 8
