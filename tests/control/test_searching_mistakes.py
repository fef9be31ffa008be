"""A search that cannot be meant is refused in words that say what to write instead."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from searched import Told, look, told_at

from robot_memory.control.searching import SearchUnknown
from robot_memory.control.searchrequest import SearchInvalid
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.corrections import CorrectionInvalid
from robot_memory.memory.retrieval.query import Place

INVALID = [
    ({"text": "?" * 5000}, "at most 1,000"),
    ({"text": "tea\x1b[31m"}, "control characters"),
    ({"text": "\udcff"}, "control characters"),
    ({"mode": "magic"}, "hybrid, vector, keyword"),
    ({"kind": "dreams"}, "episodic or semantic"),
    ({"start_ns": 2, "end_ns": 1}, "swap its ends"),
    ({"start_ns": 2, "end_ns": 2}, "swap its ends"),
    ({"start_ns": 2**70}, "64 bits"),
    ({"place": Place(0, 0, -1)}, "radius above 0"),
    ({"place": Place(0, 0, 0)}, "radius above 0"),
    ({"place": Place(math.nan, 0, 1)}, "finite"),
    ({"place": Place(0, math.inf, 1)}, "finite"),
    ({"place": Place(0, 0, math.nan)}, "finite"),
    ({"place": Place(0, 0, 1, "map\n\0")}, "control characters"),
    ({"place": Place(0, 0, 1), "place_name": "kitchen"}, "give one of them"),
    ({"place_name": "?!"}, "e.g. kitchen"),
    ({"place_name": "x" * 201}, "at most 200"),
    ({"persons": ("person_1",) * 101}, "at most 100"),
    ({"limit": -1}, "above 0"),
    ({"before_clip": -1}, "no clip -1"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[Told]:
    with told_at(tmp_path_factory.mktemp("mistakes") / "memory.sqlite", embedder) as (told, _):
        yield told


@pytest.mark.parametrize(("wanted", "words"), INVALID, ids=lambda one: str(one)[:50])
def test_what_contradicts_itself_is_invalid(told: Told, wanted: dict[str, object], words: str) -> None:
    with pytest.raises(SearchInvalid, match=words) as refused:
        look(told, **wanted)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 300


@pytest.mark.parametrize("token", ["", "Anna", "voice_1", "person_", "person_x", "person_٣", "person_" + "9" * 30])
def test_what_is_no_id_is_invalid(told: Told, token: str) -> None:
    with pytest.raises(CorrectionInvalid, match="person_4"):
        look(told, persons=(token,))


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"place_name": "cellar"}, "no place called 'cellar'"),
        ({"place_name": 'gar" OR "tea'}, "no place called"),
        ({"session": "tomorrow"}, "no session 'tomorrow'"),
        ({"place": Place(0, 0, 1, "moon")}, "the frame 'moon'"),
    ],
)
def test_what_is_not_remembered_is_unknown(told: Told, wanted: dict[str, object], words: str) -> None:
    with pytest.raises(SearchUnknown, match=words):
        look(told, **wanted)


@pytest.mark.parametrize(
    "text",
    ['"', "tea OR", "NEAR(a b)", "* -", "text:tea", "'; DROP TABLE memories; --", "<voice_1>", "<person_99>", "\n\t ",
     "was ist das für ein Tee?", "茶", "?", "the", "before Anna came", "last Whitsun week", "32 May 2026"],
)  # fmt: skip
def test_words_are_words_whatever_they_are(told: Told, text: str) -> None:
    for mode in ("hybrid", "vector", "keyword"):
        look(told, text, mode=mode)


def test_nothing_found_says_so(told: Told) -> None:
    page = look(told, "xylophone", mode="keyword")
    assert page.evidence == () and page.next_cursor == "" and "nothing that is remembered fits" in page.message


def test_an_empty_memory_says_so(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    for text in ("", "tea"):
        assert look(Told(graph, embedder), text).message == "nothing is remembered yet"
