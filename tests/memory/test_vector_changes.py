"""What was removed is not found and what was added is, whatever came before; and a search sees one moment's vectors."""

from __future__ import annotations

import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from robot_memory.memory.vectors import exact
from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.ranking import best_rows

D = 16


def some_vectors(seed: int, count: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, D)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Changes(RuleBasedStateMachine):
    """Beside a dictionary, with blocks of 8 rows so that their borders are met."""

    def __init__(self) -> None:
        super().__init__()
        self.block, exact.BLOCK_BYTES = exact.BLOCK_BYTES, 8 * 4 * D
        self.index, self.naive, self.next = ExactIndex(D), dict[int, tuple[np.ndarray, int]](), 1
        self.old: list[tuple[object, np.ndarray, np.ndarray]] = []

    def teardown(self) -> None:
        exact.BLOCK_BYTES = self.block

    @rule(count=st.integers(0, 30), step=st.integers(1, 4), seed=st.integers(0, 99))
    def add(self, count: int, step: int, seed: int) -> None:
        ids = self.next + step * np.arange(count)
        vectors = some_vectors(seed, count)
        self.index.add(ids, vectors, ids // 3)
        self.naive |= {n: (vector, n // 3) for n, vector in zip(ids.tolist(), vectors, strict=True)}
        self.next += step * count

    @rule(share=st.floats(0, 1), seed=st.integers(0, 99), strangers=st.lists(st.integers(-9, 500), max_size=4))
    def remove(self, share: float, seed: int, strangers: list[int]) -> None:
        gone = [n for n, x in zip(self.naive, np.random.default_rng(seed).random(len(self.naive))) if x < share]
        self.index.remove(np.array(gone + strangers, np.int64))
        for n in gone + strangers:
            self.naive.pop(n, None)

    @rule()
    def hold(self) -> None:
        rows = self.index.rows
        self.old.append((rows, rows.ids.copy(), rows.cosines(some_vectors(7, 1)[0])))

    @rule(k=st.integers(0, 40), seed=st.integers(0, 99), among=st.none() | st.lists(st.integers(-5, 200)))
    def search(self, k: int, seed: int, among: list[int] | None) -> None:
        query = some_vectors(seed, 1)[0]
        ids, cosines = self.index.search(query, k, None if among is None else np.array(among, np.int64))
        left = [n for n in self.naive if among is None or n in among]
        wanted = sorted(left, key=lambda n: (-np.dot(self.naive[n][0], query), n))[:k]
        assert ids.tolist() == wanted
        assert cosines.tolist() == [np.dot(self.naive[n][0], query) for n in wanted]

    @rule(seed=st.integers(0, 99), ids=st.lists(st.integers(-5, 200)))
    def cosines(self, seed: int, ids: list[int]) -> None:
        query = some_vectors(seed, 1)[0]
        found = self.index.cosines(query, np.array(ids, np.int64))
        assert found.dtype == np.float32
        assert found.tolist() == [np.dot(self.naive[n][0], query) if n in self.naive else 0 for n in ids]

    @invariant()
    def all_are_scored(self) -> None:
        scores = self.index.scores(some_vectors(3, 1)[0])
        assert scores.ids.tolist() == sorted(self.naive) and len(self.index) == len(self.naive)
        assert scores.clips.tolist() == [n // 3 for n in scores.ids.tolist()]
        assert scores.cosines.tolist() == [np.dot(self.naive[n][0], some_vectors(3, 1)[0]) for n in sorted(self.naive)]
        assert sum(len(block) for block in self.index.rows.blocks) == len(self.naive)
        assert len(self.index.rows.blocks) <= 2 + len(self.naive) // 4, "no crumbs are left"

    @invariant()
    def what_is_held_stays(self) -> None:
        for rows, ids, cosines in self.old:
            assert np.array_equal(rows.ids, ids)  # type: ignore[attr-defined]
            assert np.array_equal(rows.cosines(some_vectors(7, 1)[0]), cosines)  # type: ignore[attr-defined]


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@given(st.integers(0, 20_000), st.integers(0, 600), st.integers(0, 9), st.integers(1, 50))
@settings(max_examples=60, deadline=None)
def test_the_best_rows_are_those_of_a_full_sort(count: int, k: int, seed: int, different: int) -> None:
    """Of many equal ones, too, and where the sample that the floor comes from has nothing good."""
    random = np.random.default_rng(seed)
    cosines = random.integers(0, different, count).astype(np.float32) / different
    if seed % 2:
        cosines = np.sort(cosines) * np.linspace(0, 1, count, dtype=np.float32)
    assert best_rows(cosines, k).tolist() == np.argsort(-cosines, kind="stable")[:k].tolist()


def test_equal_vectors_are_equally_near_in_any_block_and_choice() -> None:
    """A product of matrix and vector may differ in the last bit from row to row, and ties would not be ties."""
    vector = np.random.default_rng(0).normal(size=(1, 385)).astype(np.float32)
    index, ids = ExactIndex(385), np.arange(20_011)
    index.add(ids, np.repeat(vector, len(ids), axis=0), ids)
    query = np.random.default_rng(1).normal(size=385).astype(np.float32)
    assert len(set(index.scores(query).cosines.tolist())) == 1
    assert index.search(query, 5)[0].tolist() == [0, 1, 2, 3, 4]
    assert index.search(query, 3, ids[7::3])[0].tolist() == [7, 10, 13]
    assert set(index.search(query, 9, ids[7::3])[1].tolist()) == set(index.scores(query).cosines[:1].tolist())


def test_ids_that_do_not_ascend_are_refused_and_change_nothing() -> None:
    index = ExactIndex(D)
    index.add(np.array([5, 6]), some_vectors(0, 2), np.array([1, 1]))
    for ids in ([6, 7], [9, 8], [7, 7]):
        with pytest.raises(ValueError, match="make the index anew"):
            index.add(np.array(ids), some_vectors(1, 2), np.array([1, 1]))
    index.add(np.array([7]), some_vectors(2, 1), np.array([1]))
    assert index.search(some_vectors(2, 1)[0], 1)[0].tolist() == [7] and len(index) == 3


def test_two_search_while_a_third_adds_and_removes() -> None:
    """Each search is of one moment: all of a clip's memories or none, and never a vector half written."""
    index, vectors = ExactIndex(D), some_vectors(4, 40_000)
    wrong, searches, done = list[object](), [0, 0], threading.Event()

    def search(reader: int) -> None:
        while not done.is_set():
            scores = index.scores(vectors[0])
            searches[reader] += 1
            if not np.array_equal(scores.cosines, vectors[scores.ids] @ vectors[0]) and not np.allclose(
                scores.cosines, vectors[scores.ids] @ vectors[0], atol=1e-6
            ):
                wrong.append("cosines")
            _, counts = np.unique(scores.clips, return_counts=True)
            if set(counts.tolist()) - {40}:
                wrong.append(counts)

    readers = [threading.Thread(target=search, args=(n,)) for n in (0, 1)]
    for reader in readers:
        reader.start()
    for clip in range(1000):
        ids = np.arange(40 * clip, 40 * clip + 40)
        index.add(ids, vectors[ids], ids // 40)
        if clip % 3 == 2:
            index.remove(ids - 40 * (clip // 2))
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == [] and min(searches) > 3
    assert len(index) == 40_000 - 40 * len({clip - clip // 2 for clip in range(2, 1000, 3)})


@pytest.mark.parametrize("count", [5, 8, 16, 20])
def test_the_memory_of_what_was_removed_is_freed(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the last block goes as a whole."""
    monkeypatch.setattr(exact, "BLOCK_BYTES", 8 * 4 * D)
    index, ids = ExactIndex(D), np.arange(count)
    index.add(ids, some_vectors(0, count), ids)
    held = [weakref.ref(block.base) for block in index.rows.blocks]
    index.remove(ids[8 * (len(held) - 1) :])
    assert held[-1]() is None
    index.remove(ids)
    assert not any(one() for one in held)
