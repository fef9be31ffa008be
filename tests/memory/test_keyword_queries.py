"""Whatever is typed or misheard, a keyword query is words and never syntax."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import add_clip, graph_at, random_unit, remember

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search

TEXTS = [
    "Anna likes tea.",
    "Bert said: “the cup's red”",
    "Zoë drank café crème",
    "Anna OR Bert NEAR the door",
    "我喜欢茶",
    "Ключи на столе",
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    made = graph_at(Path(tmp_path_factory.mktemp("m")) / "memory.sqlite")
    with made.change() as change:
        clip = add_clip(change.db)
        for n, text in enumerate(TEXTS):
            remember(change, clip, text, n)
    yield made
    made.store.close()


def texts(graph: MemoryGraph, words: str) -> list[str]:
    db = graph.store.reader()
    return [
        db.execute("SELECT text FROM memories WHERE id = ?", (hit.memory,)).fetchone()[0]
        for hit in search(db, graph.index, Query(words), 10)
    ]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("tea", 0),
        ('"tea"', 0),
        ('te"a tea', 0),
        ("tea*", 0),
        ("-tea", 0),
        ("tea AND NOT tea", 0),
        ("(tea", 0),
        ("tea)", 0),
        ("text:tea", 0),
        ("^tea", 0),
        ("likes; DROP TABLE memories", 0),
        ("NEAR(tea likes, 1)", 0),
        ("{tea}:likes", 0),
        ("tea\0", 0),
        ("TEA 🍵", 0),
        ("liked", 0),
        ("cups", 1),
        ("cup's", 1),
        ("Zoe", 2),
        ("cafe creme", 2),
        ("ключи", 5),
        ("OR", 3),
        ("near door", 3),
    ],
)
def test_words_are_found_whatever_is_around_them(graph: MemoryGraph, words: str, first: int) -> None:
    assert texts(graph, words)[0] == TEXTS[first]


@pytest.mark.parametrize(
    "words", [" ", "🍵", "'", '"', '""', "*", "(", ")", "-", "?!…", "\0", "_", "___", "﹏", "nowhere", "٠" * 30]
)
def test_what_holds_no_known_word_finds_nothing_and_breaks_nothing(graph: MemoryGraph, words: str) -> None:
    assert texts(graph, words) == []


def test_without_words_a_vector_still_finds(graph: MemoryGraph) -> None:
    hits = search(graph.store.reader(), graph.index, Query("🍵", random_unit(0)[0]), 2)
    assert hits[0].memory == 1 and "vector" in hits[0].why and "keyword" not in hits[0].why


def test_a_very_long_question(graph: MemoryGraph) -> None:
    assert TEXTS[0] in texts(graph, "tea " * 20_000)
    assert TEXTS[0] in texts(graph, " ".join(f"word{n}" for n in range(5000)) + " tea")


@given(words=st.text(max_size=40))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_at_all(graph: MemoryGraph, words: str) -> None:
    texts(graph, words)
    texts(graph, words.encode("utf-8", "ignore").decode() + " tea")


def test_one_word_of_several_is_enough_and_more_are_better(graph: MemoryGraph) -> None:
    assert set(texts(graph, "Anna Bert")) == {TEXTS[0], TEXTS[1], TEXTS[3]}
    assert texts(graph, "Anna Bert")[0] == TEXTS[3]
