"""A change is durable as a whole or leaves no trace: in the file, in the galleries, in the index."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest
from remembering import DIM, MODELS, add_clip, graph_at, random_unit, remember, sentence, unit

from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store


@pytest.fixture
def graph(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = graph_at(tmp_path / "memory.sqlite")
    with made.change() as change:
        clip = add_clip(change.db)
        face = change.new_entity("face", clip)
        change.learn("face", face, random_unit(1), clip)
        remember(change, clip, "It began.", 1)
    yield made
    made.store.close()


def state(graph: MemoryGraph) -> dict[str, object]:
    """All that a reader could see: every table, each gallery's answer and the index."""
    db = graph.store.reader()
    tables = [
        row["name"]
        for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'memories_fts%'")
    ]
    rows = {
        table: [tuple(row) for row in db.execute(f"SELECT * FROM {table}")]
        for table in tables
        if table != "sqlite_sequence"
    }
    probes = random_unit(99, 5)
    matches = {kind: [gallery.match(probe) for probe in probes] for kind, gallery in graph.galleries.items()}
    words = [row[0] for row in db.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH 'began OR later'")]
    return {**rows, "matches": matches, "index": graph.index.search(probes[0], 100)[0].tolist(), "words": words}


class Stop(Exception):
    pass


@pytest.mark.parametrize("error", [Stop, KeyboardInterrupt, SystemExit])
def test_an_error_in_the_middle_leaves_no_trace(graph: MemoryGraph, error: type[BaseException]) -> None:
    def fails() -> None:
        with graph.change() as change:
            clip = add_clip(change.db, 1)
            for kind in ("face", "voice"):
                change.learn(kind, change.new_entity(kind, clip), random_unit(7, 3), clip)
            change.learn("face", 1, random_unit(8, 3), clip)
            remember(change, clip, "Later.", 2, about={"face_1": 1.0})
            raise error

    before = state(graph)
    with pytest.raises(error):
        fails()
    assert state(graph) == before
    with graph.change() as change:
        remember(change, add_clip(change.db, 1), "Later.", 2)
    assert len(graph.index) == 2


def test_a_commit_that_fails_leaves_no_trace(graph: MemoryGraph) -> None:
    """A foreign key that is only missed when the statement runs, and a disk that is full when the transaction ends."""

    def fills_the_disk() -> None:
        with graph.change() as change:
            clip = add_clip(change.db, 1)
            for n in range(2000):
                remember(change, clip, f"Later {n} " + "x" * 500, n)

    before = state(graph)
    with pytest.raises(sqlite3.IntegrityError), graph.change() as change:
        remember(change, 12345, "Of a clip that is not there.", 2)
    assert state(graph) == before
    graph.store._writer.execute("PRAGMA max_page_count=1")  # no more pages than there are
    with pytest.raises(sqlite3.OperationalError, match="no room"):
        fills_the_disk()
    assert state(graph) == before


def test_a_vector_of_the_wrong_size_is_refused_before_anything_is_written(graph: MemoryGraph) -> None:
    """Once in the file it would keep the store from opening ever again."""
    before = state(graph)
    for bad in (np.ones(DIM + 1, np.float32), np.ones((1, DIM), np.float32), np.full(DIM, np.nan, np.float32)):
        with pytest.raises(ValueError, match=f"{DIM}"), graph.change() as change:
            change.remember(add_clip(change.db, 1), sentence("Later."), bad)
        assert state(graph) == before
    again = MemoryGraph(graph.store, MODELS)
    assert len(again.index) == 1


def test_all_is_as_before_when_it_is_opened_again(graph: MemoryGraph, tmp_path: Path) -> None:
    """Also the cosines, which the file keeps in half precision."""
    with graph.change() as change:
        clip = add_clip(change.db, 1)
        for n in range(30):
            remember(change, clip, f"Later {n}.", n + 10)
            if n % 3 == 0:
                change.learn("voice", change.new_entity("voice", clip), random_unit(n, 3), clip)
    before = state(graph)
    probe = random_unit(5)[0]
    ids, scores = graph.index.search(probe, 40)
    graph.store.close()
    again = graph_at(tmp_path / "memory.sqlite")
    try:
        assert state(again) == before
        ids_again, scores_again = again.index.search(probe, 40)
        assert ids.tolist() == ids_again.tolist() and scores.tolist() == scores_again.tolist()
    finally:
        again.store.close()


def test_embeddings_of_another_model_stay_out(graph: MemoryGraph) -> None:
    from dataclasses import replace

    other = MemoryGraph(graph.store, replace(MODELS, face="faces 2", text="text 2"))
    assert len(other.galleries["face"]) == 0 and len(other.index) == 0
    assert len(MemoryGraph(graph.store, MODELS).galleries["face"]) == 1


def test_a_snapshot_is_of_one_moment(graph: MemoryGraph) -> None:
    store = graph.store
    with store.snapshot() as quiet:
        first = quiet.execute("SELECT count(*) FROM memories").fetchone()[0]
        writer = threading.Thread(target=lambda: write_one(graph))
        writer.start()
        writer.join()
        assert quiet.execute("SELECT count(*) FROM memories").fetchone()[0] == first
        with store.snapshot() as inner:
            assert inner.execute("SELECT count(*) FROM memories").fetchone()[0] == first
    assert store.reader().execute("SELECT count(*) FROM memories").fetchone()[0] == first + 1


def write_one(graph: MemoryGraph) -> None:
    with graph.change() as change:
        remember(change, add_clip(change.db, 1), "Meanwhile.", 3)


def test_writers_in_several_threads_take_turns(graph: MemoryGraph) -> None:
    def work(number: int) -> None:
        for n in range(10):
            with graph.store.write() as db:
                add_clip(db, 100 * number + n + 1)

    before = graph.store.generation()
    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert graph.store.reader().execute("SELECT count(*) FROM clips").fetchone()[0] == 41
    assert graph.store.generation() == before + 40


def test_a_gallery_may_be_asked_while_it_learns_and_reloads(graph: MemoryGraph) -> None:
    wrong, done = [], threading.Event()

    def ask() -> None:
        while not done.is_set():
            try:
                if graph.galleries["face"].match(random_unit(1)[0]).entity != 1:
                    wrong.append("face 1 was forgotten")
            except RuntimeError as error:
                wrong.append(str(error))

    asker = threading.Thread(target=ask)
    asker.start()
    for n in range(60):
        try:
            with graph.change() as change:
                clip = add_clip(change.db, n + 1)
                change.learn("face", change.new_entity("face", clip), -random_unit(n + 50, 3), clip)
                if n % 2:
                    raise Stop
        except Stop:
            pass
    done.set()
    asker.join()
    assert wrong == []


def test_a_write_within_a_write_is_refused_and_undoes_both(tmp_path: Path) -> None:
    def writes_twice(store: Store) -> None:
        with store.write() as db:
            add_clip(db)
            with store.write():
                pass

    with Store(tmp_path / "m") as store:
        with pytest.raises(sqlite3.OperationalError):
            writes_twice(store)
        assert store.reader().execute("SELECT count(*) FROM clips").fetchone()[0] == 0
        with store.write() as db:
            add_clip(db)


def test_learning_keeps_half_precision_at_once(graph: MemoryGraph) -> None:
    with graph.change() as change:
        voice = change.new_entity("voice", 1)
        change.learn("voice", voice, unit(0.123456789, 1.0)[None], 1)
    now = graph.galleries["voice"].match(unit(1.0, 1.0)).score
    assert MemoryGraph(graph.store, MODELS).galleries["voice"].match(unit(1.0, 1.0)).score == now
