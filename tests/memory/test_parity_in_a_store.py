"""The published searches on a real store: people by their edges, whole clips shown, archived memories left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from remembering import add_clip, graph_at, random_unit, sentence, unit

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.retrieval.parity import store
from robot_memory.memory.retrieval.parity.presets import ANY, PAPER, Preset
from robot_memory.memory.vectors.index import Scores, Vector

TEA, BREAD, BOTH = unit(1, 0), unit(0, 1), unit(1, 1)
EVERYTHING = Preset(node_k=99, node_threshold=ANY, clip_k=99, clip_threshold=ANY)
# clip, about whom, what: memories by letter
TOLD: dict[str, tuple[int, str, Vector]] = {
    "a": (0, "anna", unit(1, 0.1)),
    "b": (0, "", unit(0.1, 1)),
    "c": (1, "anna", unit(1, 1)),
    "d": (2, "ben", unit(1, 0)),
    "e": (2, "", unit(-1, 0)),
}


@dataclass(frozen=True)
class Known:
    """A store in which `TOLD` was told: `ids` by letter, `clips` and `people` as numbered there."""

    graph: MemoryGraph
    clips: list[int]
    people: dict[str, int]
    ids: dict[str, int]

    def letters(self, memories: Any) -> str:
        letter_of = {memory: letter for letter, memory in self.ids.items()}
        return "".join(letter_of[memory] for memory in memories)

    @contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, Any]]:
        with self.graph.store.snapshot() as db:
            yield db, self.graph.index


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Known]:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clips = [add_clip(change.db, n) for n in range(3)]
        people = {"anna": change.new_entity("face", clips[0]), "ben": change.new_entity("voice", clips[0])}
        kinds = {"anna": "face", "ben": "voice"}
        ids = {}
        for letter, (clip, who, vector) in TOLD.items():
            about = {f"{kinds[who]}_{people[who]}": 1.0} if who else {}
            told = sentence(f"It was {letter}.", clip * 30.0, about=about)
            ids[letter] = change.remember(clips[clip], told, vector)[0]
    yield Known(graph, clips, people, ids)
    graph.close()
    graph.store.close()


def test_a_clip_comes_with_all_that_is_remembered_of_it(known: Known) -> None:
    with known.reading() as (db, index):
        found = store.search_clip(db, index, [TEA])
    assert [(one.clip, known.letters(one.memories)) for one in found] == [
        (known.clips[2], "de"),
        (known.clips[0], "ab"),
    ]
    assert found[0].score == pytest.approx(1.0, abs=1e-3)


def test_seen_clips_and_later_ones_do_not_come(known: Known) -> None:
    with known.reading() as (db, index):
        unseen = store.search_clip(db, index, [TEA], seen=[known.clips[2]])
        earlier = store.search_clip(db, index, [TEA], before_clip=known.clips[1])
    assert [one.clip for one in unseen] == [known.clips[0]]
    assert [one.clip for one in earlier] == known.clips[:2]


def test_a_person_restricts_the_search_to_what_is_about_them(known: Known) -> None:
    with known.reading() as (db, index):
        anna = store.search_node(db, index, [TEA], [known.people["anna"]])
        ben = store.search_node(db, index, [BREAD], [known.people["ben"]])
        either = store.search_node(db, index, [TEA], known.people.values())
        clips = store.search_clip(db, index, [BREAD], [known.people["anna"]])
    assert known.letters(one.memory for one in anna) == "ac"
    assert known.letters(one.memory for one in ben) == "d"
    assert known.letters(one.memory for one in either) == "dac"
    assert [known.letters(one.memories) for one in clips] == ["c"]  # b is nearer, but about nobody


def test_about_somebody_unknown_nothing_is_found(known: Known) -> None:
    with known.reading() as (db, index):
        for nobody in ([], [999]):
            assert store.search_clip(db, index, [TEA], nobody) == []
            assert store.search_node(db, index, [TEA], nobody) == []
            assert store.search_tmr(db, index, [TEA], nobody) == {}


def test_the_papers_numbers_take_the_place_of_the_codes(known: Known) -> None:
    with known.reading() as (db, index):
        code, paper = store.search_node(db, index, [TEA]), store.search_node(db, index, [TEA], preset=PAPER)
    assert (known.letters(one.memory for one in code), known.letters(one.memory for one in paper)) == ("dacbe", "da")


def test_the_better_of_two_wordings_counts(known: Known) -> None:
    with known.reading() as (db, index):
        found = {one.memory: one.score for one in store.search_node(db, index, np.stack([TEA, BREAD]))}
    assert found[known.ids["a"]] == pytest.approx(found[known.ids["b"]], abs=1e-3)


def test_time_decay_shows_the_newest_first_and_nothing_twice(known: Known) -> None:
    with known.reading() as (db, index):
        first = store.search_tmr(db, index, [BOTH], before_clip=known.clips[1])
        again = store.search_tmr(db, index, [BOTH], seen=first, before_clip=known.clips[1])
        rest = store.search_tmr(db, index, [BOTH], seen=first)
    assert {clip: known.letters(own) for clip, own in first.items()} == {known.clips[0]: "ab", known.clips[1]: "c"}
    assert again == {} and list(rest) == [known.clips[2]]


def test_what_is_archived_is_not_shown(known: Known) -> None:
    with known.graph.store.write() as db:
        db.execute("UPDATE memories SET archived = 1 WHERE id IN (?, ?)", (known.ids["a"], known.ids["b"]))
    known.graph.reload_index()
    with known.reading() as (db, index):
        everything = store.search_node(db, index, [TEA], preset=EVERYTHING)
        anna = store.search_node(db, index, [TEA], [known.people["anna"]])
    assert known.letters(one.memory for one in everything) == "dce"
    assert known.letters(one.memory for one in anna) == "c"


def test_a_clip_is_shown_without_what_is_archived_of_it(known: Known) -> None:
    with known.graph.store.write() as db:
        db.execute("UPDATE memories SET archived = 1 WHERE id = ?", (known.ids["e"],))
    with known.reading() as (db, index):
        assert [known.letters(one.memories) for one in store.search_clip(db, index, [TEA])] == ["d", "ab"]


def test_restricted_to_everybody_it_finds_what_it_finds_unrestricted(tmp_path: Path) -> None:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clips = [add_clip(change.db, n) for n in range(12)]
        face = change.new_entity("face", clips[0])
        for n, vector in enumerate(random_unit(3, 120)):
            told = sentence(f"It was {n}.", n, about={f"face_{face}": 1.0})
            change.remember(clips[n * 7 % 12], told, vector)  # not in order of clip
    questions = random_unit(4, 2)
    with graph.store.snapshot() as db:
        for search in (store.search_clip, store.search_node, store.search_tmr):
            some = search(db, graph.index, questions, before_clip=clips[9])
            assert some and some == search(db, graph.index, questions, [face], before_clip=clips[9])
    graph.close()
    graph.store.close()


class Busy:
    """An index to which a memory is added between the wordings of a question."""

    def __init__(self, graph: MemoryGraph, late: Vector) -> None:
        self._index, self._late, self.asked = graph.index, late, 0

    def scores(self, query: Vector) -> Scores:
        self.asked += 1
        if self.asked == 2:
            self._index.add(np.array([10**6]), self._late[None], np.array([1]))
        return self._index.scores(query)

    def cosines(self, query: Vector, ids: np.ndarray) -> np.ndarray:
        return self._index.cosines(query, ids)


def test_a_memory_that_comes_in_between_two_wordings_waits_for_the_next_question(known: Known) -> None:
    with known.reading() as (db, _):
        found = store.search_node(db, Busy(known.graph, TEA), [TEA, BREAD])  # type: ignore[arg-type]
    assert sorted(known.letters(one.memory for one in found)) == list("abcde")


def test_a_search_without_a_question_is_refused(known: Known) -> None:
    with known.reading() as (db, index), pytest.raises(ValueError, match="without a question"):
        store.search_node(db, index, [])
