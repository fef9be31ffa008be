"""The graph of neighbours makes a search faster and never wrong: while it is built, after that, and without it."""

from __future__ import annotations

import importlib.util
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from neighbouring import answers, clustered, index_at, recall, saved, until
from remembering import add_clip, graph_at, remember

from robot_memory.memory.vectors import hnsw, keeper
from robot_memory.memory.vectors.cache import Home
from robot_memory.memory.vectors.hnsw import HnswIndex

needs_hnswlib = pytest.mark.skipif(
    importlib.util.find_spec("hnswlib") is None, reason="hnswlib is not installed (it needs a compiler)"
)


def same_as_exact(index: HnswIndex, query: np.ndarray, k: int, among: np.ndarray | None = None) -> None:
    ids, cosines = index.search(query, k, among)
    wanted, exactly = index.exact.search(query, k, among)
    assert ids.tolist() == wanted.tolist() and cosines.tolist() == exactly.tolist()


@needs_hnswlib
def test_what_it_finds_is_ranked_exactly(tmp_path: Path) -> None:
    vectors = clustered(0, 3000)
    index = index_at(tmp_path / "g", vectors)
    until(lambda: answers(index))
    queries = clustered(0, 3000)[::97] + 0.1 * clustered(1, 3000)[::97]
    assert recall(index, queries, 10) >= 0.99 and recall(index, queries, 50) >= 0.99
    for query in queries[:20]:
        ids, cosines = index.search(query, 10)
        assert cosines.tolist() == index.cosines(query, ids).tolist()
        assert (np.diff(cosines) <= 0).all()
    index.close()


@needs_hnswlib
def test_a_choice_is_searched_exactly(tmp_path: Path) -> None:
    """However little of it is near: a graph's neighbours that are filtered afterwards may be none at all."""
    vectors = clustered(2, 2000)
    index = index_at(tmp_path / "g", vectors)
    until(lambda: answers(index))
    for seed in range(20):
        among = np.random.default_rng(seed).choice(np.arange(-50, 2500), 30 * (seed + 1))
        same_as_exact(index, vectors[seed], 10, among)
    index.close()


@needs_hnswlib
def test_it_is_right_while_it_is_built_and_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "YOUNG", 100)
    vectors = clustered(3, 4000)
    index = index_at(tmp_path / "g", vectors)
    seen = []
    while not answers(index):
        seen.append((index.progress, index.describe()))
        same_as_exact(index, vectors[len(seen)], 10)
        time.sleep(0.01)
    assert any(0 < share < 1 for share, _ in seen) and [s for s, _ in seen] == sorted(s for s, _ in seen)
    assert "is being built" in seen[-1][1] and seen[-1][1].startswith("exact (4,000 vectors")
    index.close()


@needs_hnswlib
def test_what_comes_in_is_found_at_once_during_the_building_and_after(tmp_path: Path) -> None:
    vectors = clustered(4, 2500)
    index = index_at(tmp_path / "g", vectors[:1500])
    for n in range(1500, 2500, 10):
        ids = np.arange(n + 1, n + 11)
        index.add(ids, vectors[n : n + 10], ids // 40)
        assert index.search(vectors[n + 9], 1)[0].tolist() == [n + 10]
    until(lambda: index.progress == 1.0)
    assert recall(index, vectors[1490:2500:30], 10) >= 0.99
    index.close()


@needs_hnswlib
def test_what_is_removed_is_not_found_and_makes_room_for_the_rest(tmp_path: Path) -> None:
    vectors = clustered(5, 2000)
    index = index_at(tmp_path / "g", vectors)
    until(lambda: index.progress == 1.0)
    before = index.keeper.graph
    for n in range(0, 1500, 50):
        near = index.search(vectors[n], 10)[0]
        index.remove(near)
        assert not set(index.search(vectors[n], 50)[0].tolist()) & set(near.tolist())
    assert len(index) <= 2000 - 250
    index.remove(np.arange(1, 1000))
    until(lambda: index.keeper.graph not in (None, before) and index.progress == 1.0)
    assert index.keeper.graph is not None and len(index.keeper.graph) == len(index)
    assert recall(index, vectors[1100::40], 10) >= 0.99
    index.close()


@needs_hnswlib
def test_two_search_while_one_adds_and_removes(tmp_path: Path) -> None:
    vectors = clustered(6, 6000)
    index = index_at(tmp_path / "g", vectors[:3000])
    wrong, searches, done = list[object](), [0, 0], threading.Event()

    def search(reader: int) -> None:
        while not done.is_set():
            n = 2001 + searches[reader] % 900
            ids, cosines = index.search(vectors[n], 10)
            searches[reader] += 1
            if ids[0] != n + 1 or len(set(ids.tolist())) != 10 or (np.diff(cosines) > 0).any():
                wrong.append((n, ids))

    readers = [threading.Thread(target=search, args=(n,)) for n in (0, 1)]
    for reader in readers:
        reader.start()
    for n in range(3000, 6000, 40):
        ids = np.arange(n + 1, min(n + 41, 6001))
        index.add(ids, vectors[n : n + 40], ids // 40)
        index.remove(ids - 3000 if n < 4900 else ids[:0])
    done.set()
    for reader in readers:
        reader.join()
    index.close()
    assert wrong == [] and min(searches) > 20


@needs_hnswlib
def test_closing_takes_less_than_a_tenth_of_a_second(tmp_path: Path) -> None:
    for wait_s in (0.0, 0.05, 0.3):
        index = index_at(tmp_path / "g", clustered(7, 20_000))
        time.sleep(wait_s)
        begin = time.monotonic()
        index.close()
        assert time.monotonic() - begin < 0.15
        assert index.keeper._thread is not None
        until(lambda thread=index.keeper._thread: not thread.is_alive(), 1.0)  # type: ignore[misc]
        same_as_exact(index, clustered(7, 20_000)[5], 10)


@needs_hnswlib
def test_as_many_as_there_are(tmp_path: Path) -> None:
    vectors = clustered(8, 300)
    index = index_at(tmp_path / "g", vectors)
    until(lambda: index.progress == 1.0)
    for k in (0, 1, 49, 50, 51, 300, 1000):
        assert len(index.search(vectors[0], k)[0]) == min(k, 300)
    index.remove(np.arange(2, 301))
    assert index.search(vectors[0], 5)[0].tolist() == [1]
    index.close()


def test_it_says_which_index_answers_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = clustered(9, 100)
    small = HnswIndex(vectors.shape[1], Home(tmp_path / "g", "m"))
    small.add(np.arange(100), vectors, np.arange(100))
    small.start()
    assert small.describe() == "exact (100 vectors, 0 MB): fast enough below 537 MB"
    assert "only read" in index_at(None, vectors).describe() or "not installed" in index_at(None, vectors).describe()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    without = index_at(tmp_path / "g", vectors)
    assert "hnswlib is not installed — pip install hnswlib" in without.describe()
    same_as_exact(without, vectors[3], 10)
    assert not list(tmp_path.iterdir())


@needs_hnswlib
def test_a_memory_keeps_its_graph_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the store, over a change, a reload and a reopening; archived memories are not in it."""
    monkeypatch.setattr(hnsw, "WORTH_BYTES", 1000 * 32)
    path = tmp_path / "memory.sqlite"
    graph = graph_at(path)
    with graph.change() as change:
        clip = add_clip(change.db)
        for n in range(990):
            remember(change, clip, f"Number {n}.", n)
    assert "fast enough" in graph.index.describe()
    with graph.change() as change:
        for n in range(990, 1100):
            remember(change, clip, f"Number {n}.", n)
        change.archive([1, 2, 3])
    until(lambda: answers(graph.index) and (tmp_path / "memory.sqlite.hnsw.head").exists())
    assert len(graph.index) == 1097 == len(graph.index.scores(np.ones(8, np.float32)).ids)
    graph.reload_index()
    assert len(graph.index) == 1097
    until(lambda: answers(graph.index))
    graph.close()
    graph.store.close()
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    again = graph_at(path)
    until(lambda: answers(again.index), 2.0)
    assert saved(again.index), "it was taken from the cache"
    scores = again.index.scores(np.ones(8, np.float32))
    assert scores.ids.tolist() == list(range(4, 1101)) and set(scores.clips.tolist()) == {clip}
    again.close()
    again.store.close()
