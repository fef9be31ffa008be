"""An equal frame strengthens what is there; the opposite polarity, another value or no frame is kept apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import MODELS, add_clip, graph_at, random_unit, sentence, unit

from robot_memory.memory.graph import Change, MemoryGraph
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search

COFFEE = Frame("<voice_1>", "likes", "coffee")


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[MemoryGraph]:
    made = graph_at(tmp_path / "memory.sqlite")
    with made.change() as change:
        clip = add_clip(change.db)
        change.new_entity("voice", clip)
        change.new_entity("face", clip)
    yield made
    made.store.close()


@pytest.fixture
def change(graph: MemoryGraph) -> Iterator[Change]:
    with graph.change() as made:
        yield made


def put(change: Change, frame: Frame | None, text: str = "A sentence.", **fields: object) -> tuple[int, bool]:
    return change.remember(1, sentence(text, frame=frame, **fields), random_unit(1)[0])  # type: ignore[arg-type]


def rows(db: sqlite3.Connection) -> list[sqlite3.Row]:
    return db.execute("SELECT * FROM memories ORDER BY id").fetchall()


def test_an_equal_frame_strengthens(change: Change) -> None:
    first = put(change, COFFEE, "<voice_1> likes coffee.", start_s=10, about={"voice_1": 1.0})
    again = put(change, COFFEE, "<voice_1> loves a coffee.", start_s=50, about={"voice_1": 1.0, "face_2": 0.5})
    assert first == (1, True) and again == (1, False)
    (row,) = rows(change.db)
    assert (row["count"], row["start_ns"], row["end_ns"]) == (2, 10 * 10**9, 51 * 10**9)
    edges = {edge["entity"]: edge["weight"] for edge in change.db.execute("SELECT * FROM edges")}
    assert edges == {1: 2.0, 2: 0.5}


def test_time_is_extended_both_ways(change: Change) -> None:
    """A bag of last week may be replayed into today's memory."""
    put(change, COFFEE, start_s=100, end_s=110)
    put(change, COFFEE, start_s=20, end_s=30)
    (row,) = rows(change.db)
    assert (row["start_ns"], row["end_ns"], row["count"]) == (20 * 10**9, 110 * 10**9, 2)


@pytest.mark.parametrize("value", ["Coffee", " coffee ", "COFFEE", "coﬀee"])
def test_values_are_equal_however_they_are_written(change: Change, value: str) -> None:
    put(change, COFFEE)
    assert put(change, Frame("<voice_1>", "likes", value)) == (1, False)
    put(change, Frame("<voice_1>", "drinks", "café  crème"))
    assert put(change, Frame("<voice_1>", "drinks", "CAFE\u0301 CRE\u0300ME")) == (2, False), (
        "the same letters, composed otherwise"
    )


@pytest.mark.parametrize(
    "other",
    [
        Frame("<voice_1>", "likes", "coffee", -1),
        Frame("<voice_1>", "likes", "tea"),
        Frame("<voice_1>", "sells", "coffee"),
        Frame("<face_2>", "likes", "coffee"),
        Frame("<voice_11>", "likes", "coffee"),
        Frame("<voice_1>", "likes", "coffee with milk"),
        None,
    ],
)
def test_everything_else_is_kept_apart(change: Change, other: Frame | None) -> None:
    """Even with the very same vector: cosine never decides."""
    put(change, COFFEE)
    assert put(change, other) == (2, True)
    assert [row["count"] for row in rows(change.db)] == [1, 1]


def test_opposite_polarities_are_both_kept_with_their_times(change: Change) -> None:
    put(change, COFFEE, start_s=0)
    put(change, Frame("<voice_1>", "likes", "coffee", -1), start_s=60)
    put(change, COFFEE, start_s=120)
    assert [(row["polarity"], row["count"], row["end_ns"] // 10**9) for row in rows(change.db)] == [
        (1, 2, 121),
        (-1, 1, 61),
    ]


def test_no_frame_is_never_merged(change: Change) -> None:
    assert [put(change, None, "The same.") for _ in range(3)] == [(1, True), (2, True), (3, True)]


def test_an_archived_memory_comes_back_strengthened(change: Change) -> None:
    """Under a new number, so that an index can take it in."""
    put(change, COFFEE)
    change.db.execute("UPDATE memories SET archived = 1")
    assert put(change, COFFEE) == (2, True)
    assert [tuple(row) for row in change.db.execute("SELECT id, count, archived FROM memories")] == [(2, 2, 0)]
    assert put(change, COFFEE) == (2, False)


def test_a_strengthened_memory_is_in_the_index_once(graph: MemoryGraph) -> None:
    for n in range(3):
        with graph.change() as change:
            change.remember(1, sentence("Coffee.", frame=COFFEE), unit(1.0, n))
    assert len(graph.index) == 1
    assert [hit.memory for hit in search(graph.store.reader(), graph.index, Query("coffee", unit(1.0)), 9)] == [1]


@pytest.mark.parametrize("token", ["person_1", "face_1", "voice_2", "voice_99", "coffee", "voice_"])
def test_a_sentence_can_only_be_about_faces_and_voices_that_there_are(graph: MemoryGraph, token: str) -> None:
    """person_1 is no entity 1, and entity 1 is a voice: a wrong token must not link to somebody else."""
    with pytest.raises((ValueError, sqlite3.IntegrityError)), graph.change() as change:
        put(change, None, about={token: 1.0})
    assert rows(graph.store.reader()) == []


def test_all_fields_arrive(change: Change) -> None:
    about = {"voice_1": 0.25}
    change.db.execute(
        "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (1, 1, 0, 1, 'x', 0.5)"
    )
    one = Sentence(
        "semantic",
        "Ünï “quoted” <voice_1>",
        -5,
        2**62,
        "inferred",
        about,
        Frame("<voice_1>", "is", "Value ", -1),
        1,
        '{"x": 1}',
    )
    change.remember(1, one, unit(1.0))
    (row,) = rows(change.db)
    assert [
        row[name]
        for name in (
            "clip",
            "kind",
            "text",
            "start_ns",
            "end_ns",
            "source",
            "turn",
            "subject",
            "attribute",
            "value",
            "polarity",
            "pose",
            "model",
            "count",
            "archived",
        )
    ] == [
        1,
        "semantic",
        "Ünï “quoted” <voice_1>",
        -5,
        2**62,
        "inferred",
        1,
        "<voice_1>",
        "is",
        "Value ",
        -1,
        '{"x": 1}',
        MODELS.text,
        1,
        0,
    ]


frames = st.builds(
    Frame,
    st.sampled_from(["<voice_1>", "<face_2>"]),
    st.sampled_from(["likes", "has"]),
    st.sampled_from(["tea", "Tea", " tea", "coffee"]),
    st.sampled_from([1, -1]),
)


@given(said=st.lists(frames, max_size=25))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counts_add_up(graph: MemoryGraph, said: list[Frame]) -> None:
    try:
        with graph.change() as change:
            for frame in said:
                put(change, frame)
            found = rows(change.db)
            keys = [(r["subject"], r["attribute"], r["value"].strip().lower(), r["polarity"]) for r in found]
            assert len(set(keys)) == len(keys)
            assert sum(row["count"] for row in found) == len(said)
            raise KeyboardInterrupt  # each example starts with an empty memory
    except KeyboardInterrupt:
        pass
