"""The index gives exactly the nearest vectors, as brute force does, of all or of those asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import DIM, random_unit

from robot_memory.memory.vectors.exact import ExactIndex
from robot_memory.memory.vectors.packing import pack, unpack, unpack_rows


def brute_force(
    ids: list[int], vectors: np.ndarray, query: np.ndarray, k: int, among: set[int] | None = None
) -> list[int]:
    scored = [
        (-float(np.float32(vector @ query)), n)
        for n, vector in zip(ids, vectors, strict=True)
        if among is None or n in among
    ]
    return [n for _, n in sorted(scored)][:k]


@st.composite
def indices(draw: st.DrawFn) -> tuple[list[int], np.ndarray]:
    count = draw(st.integers(0, 60))
    steps = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    ids = np.cumsum(steps).tolist()
    directions = random_unit(draw(st.integers(0, 5)), 7)
    return ids, directions[[draw(st.integers(0, 6)) for _ in ids]] if ids else np.empty((0, DIM), np.float32)


@given(
    indices(),
    st.integers(0, 70),
    st.integers(0, 100),
    st.none() | st.lists(st.integers(-5, 60), max_size=30),
    st.integers(1, 20),
)
@settings(max_examples=120, deadline=None)
def test_as_brute_force(
    made: tuple[list[int], np.ndarray], k: int, seed: int, among: list[int] | None, batch: int
) -> None:
    """Ties in order of id; ids that are not there, unordered or named twice are no matter."""
    ids, vectors = made
    index = ExactIndex(DIM)
    for n in range(0, len(ids), batch):
        index.add(np.array(ids[n : n + batch], np.int64), vectors[n : n + batch], np.array(ids[n : n + batch]) // 3)
    query = random_unit(seed)[0]
    found, scores = index.search(query, k, None if among is None else np.array(among, np.int64))
    wanted = brute_force(ids, vectors, query, k, None if among is None else set(among))
    by_id = dict(zip(ids, vectors, strict=True))
    assert len(set(found.tolist())) == len(found) == len(wanted)
    assert [round(float(by_id[n] @ query), 5) for n in found.tolist()] == [
        round(float(by_id[n] @ query), 5) for n in wanted
    ]
    assert all(n in by_id and (among is None or n in among) for n in found.tolist())
    assert np.allclose(scores, [by_id[n] @ query for n in found.tolist()], atol=1e-6)
    assert all(a >= b for a, b in itertools.pairwise(scores))


def test_equal_vectors_come_in_order_of_id() -> None:
    index = ExactIndex(DIM)
    index.add(np.array([3, 5, 9], np.int64), np.stack([random_unit(1)[0]] * 3), np.ones(3, np.int64))
    assert index.search(random_unit(1)[0], 2)[0].tolist() == [3, 5]


def test_among_does_not_find_neighbours_of_what_is_not_there() -> None:
    """Archived memories are in the store and not in the index; the next one must not be found once for each of them."""
    index = ExactIndex(DIM)
    index.add(np.array([1, 10], np.int64), random_unit(1, 2), np.ones(2, np.int64))
    assert sorted(index.search(random_unit(2)[0], 9, np.array([2, 3, 4, 10], np.int64))[0].tolist()) == [10]


def test_an_empty_index_and_an_empty_choice() -> None:
    index = ExactIndex(DIM)
    assert index.search(random_unit(0)[0], 5)[0].tolist() == []
    assert index.search(random_unit(0)[0], 5, np.array([1], np.int64))[0].tolist() == []
    index.add(np.array([1], np.int64), random_unit(0), np.ones(1, np.int64))
    assert index.search(random_unit(0)[0], 5, np.array([], np.int64))[0].tolist() == []
    assert len(index) == 1


def test_it_grows_without_losing_anything() -> None:
    index, vectors = ExactIndex(DIM), random_unit(3, 5000)
    for n in range(0, 5000, 700):
        ids = np.arange(n, min(n + 700, 5000))
        index.add(ids, vectors[n : n + 700], ids // 40)
    for n in (0, 1023, 1024, 4999):
        assert index.search(vectors[n], 1)[0].tolist() == [n]


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_half_precision_is_kept_exactly_and_is_close(seed: int) -> None:
    vector = random_unit(seed)[0]
    once = unpack(pack(vector))
    assert once.dtype == np.float32 and pack(once) == pack(vector)
    assert float(once @ vector) == pytest.approx(1, abs=1e-3)


def test_many_stored_vectors_are_read_as_one_is() -> None:
    numbers = np.array([0.0, -0.0, 1.0, -1.0, 6e-8, -3e-5, 6.2e-5, 65504.0], np.float32)
    vectors = np.concatenate([random_unit(5, 500), [numbers, numbers[::-1]]])
    blobs = [pack(vector) for vector in vectors]
    read = unpack_rows(blobs, DIM)
    assert read.dtype == np.float32
    assert read.tobytes() == b"".join(unpack(blob).tobytes() for blob in blobs)
    with pytest.raises(ValueError, match="vectors of \\[7, 8\\] numbers"):
        unpack_rows([pack(vectors[0]), pack(vectors[0][:7])], DIM)
