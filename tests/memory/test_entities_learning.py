"""What an entity learns is in the store and in the gallery alike: after a commit, after a failure, after a restart."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from remembering import DIM, MODELS, SECOND, add_clip, add_entity, graph_at, random_unit, unit

from robot_memory.memory.entities import pairs
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.vectors.packing import pack, unpack

DAY = 24 * 3600 * SECOND


@pytest.fixture
def graph(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = graph_at(tmp_path / "memory.sqlite")
    yield made
    made.store.close()


def view(angle: float, axis: int = 0) -> np.ndarray:
    """A view of the person whose own direction is `axis`, turned a little."""
    vector = np.zeros(DIM, np.float32)
    vector[axis], vector[(axis + 1) % DIM] = np.cos(angle), np.sin(angle)
    return vector


def stored(graph: MemoryGraph, entity: int) -> np.ndarray:
    rows = graph.store.reader().execute("SELECT vector FROM embeddings WHERE entity = ? ORDER BY id", (entity,))
    return np.stack([unpack(row["vector"]) for row in rows])


def test_store_and_gallery_hold_the_same_whatever_is_learnt(graph: MemoryGraph) -> None:
    with graph.change() as change:
        face = change.new_entity("face", add_clip(change.db))
    for day in range(12):
        with graph.change() as change:
            clip = add_clip(change.db, day + 1, start_ns=day * DAY)
            change.learn("face", face, np.stack([view(0.3 * n + 0.02 * day) for n in range(-2, 3)]), clip)
        assert np.array_equal(graph.galleries["face"].set_of(face), stored(graph, face))
    assert 3 < len(stored(graph, face)) <= 20
    again = MemoryGraph(graph.store, MODELS)
    assert np.array_equal(again.galleries["face"].set_of(face), stored(graph, face))


def test_a_wrong_first_view_leaves_the_store_as_well(graph: MemoryGraph) -> None:
    with graph.change() as change:
        face = change.new_entity("face", clip := add_clip(change.db))
        change.learn("face", face, view(0, axis=4)[None], clip)
        change.learn("face", face, np.stack([view(0.1), view(-0.3)]), add_clip(change.db, 1))
    assert stored(graph, face) @ view(0, axis=4) == pytest.approx([0, 0], abs=1e-3)
    assert graph.galleries["face"].match(view(0, axis=4)).entity is None


def test_a_session_that_never_ends_has_many_days(graph: MemoryGraph) -> None:
    views = np.stack([view(0.25 * n) for n in range(4)])
    with graph.change() as change:
        face = change.new_entity("face", first := add_clip(change.db))
        change.learn("face", face, views[:2], first)
        change.learn("face", face, views[2:], add_clip(change.db, 1))
        one_day = change.db.execute("SELECT count(*) FROM embeddings").fetchone()[0]
        change.learn("face", face, views, add_clip(change.db, 2, start_ns=2 * DAY))
        two_days = change.db.execute("SELECT count(*) FROM embeddings").fetchone()[0]
    assert (one_day, two_days) == (3, 4)


class Stop(Exception):
    pass


def learn_and_fail(graph: MemoryGraph, known: int) -> None:
    with graph.change() as change:
        clip = add_clip(change.db, 1)
        change.learn("face", known, np.stack([view(0.3), view(-0.3)]), clip)
        for n in range(100):
            change.learn("face", change.new_entity("face", clip), random_unit(n), clip)
        raise Stop


def test_a_failure_gives_back_what_was_there(graph: MemoryGraph) -> None:
    with graph.change() as change:
        old = change.new_entity("face", clip := add_clip(change.db))
        change.learn("face", old, view(0)[None], clip)
    before = graph.galleries["face"].set_of(old)
    with pytest.raises(Stop):
        learn_and_fail(graph, old)
    assert np.array_equal(graph.galleries["face"].set_of(old), before)
    assert len(graph.galleries["face"]) == 1
    with graph.change() as change:
        new = change.new_entity("face", clip := add_clip(change.db, 1))
        change.learn("face", new, view(0, axis=3)[None], clip)
    assert graph.galleries["face"].match(view(0, axis=3)).entity == new
    assert graph.galleries["face"].match(view(0)).entity == old


def test_vectors_of_another_size_or_without_sense_are_refused(graph: MemoryGraph) -> None:
    with graph.change() as change:
        face = change.new_entity("face", clip := add_clip(change.db))
        change.learn("face", face, view(0)[None], clip)
    for bad in (np.ones((1, DIM + 1), np.float32), np.full((1, DIM), np.nan, np.float32), np.ones(DIM, np.float32)):
        with pytest.raises(ValueError, match="faces 1"), graph.change() as change:
            change.learn("face", face, bad, clip)
    assert len(stored(graph, face)) == 1


def test_readers_may_match_while_the_galleries_change(graph: MemoryGraph) -> None:
    with graph.change() as change:
        face = change.new_entity("face", clip := add_clip(change.db))
        change.learn("face", face, view(0)[None], clip)
    wrong, done = [], threading.Event()

    def ask() -> None:
        while not done.is_set():
            if (match := graph.galleries["face"].match(view(0.01))).entity != face:
                wrong.append(match)

    asker = threading.Thread(target=ask)
    asker.start()
    for n in range(150):
        try:
            with graph.change() as change:
                clip = add_clip(change.db, n + 1)
                change.learn("face", face, view(0.3 * (-1) ** n)[None], clip)
                for _ in range(3):
                    change.learn("face", change.new_entity("face", clip), view(0.1 * n, axis=3)[None], clip)
                if n % 2:
                    raise Stop
        except Stop:
            pass
    done.set()
    asker.join()
    assert wrong == []


def test_many_are_loaded_and_each_is_itself(graph: MemoryGraph) -> None:
    with graph.change() as change:
        clip = add_clip(change.db)
        faces = [add_entity(change.db, "face", clip) for _ in range(300)]
        voice = add_entity(change.db, "voice", clip)
        rows = [(faces[n % 300], clip, MODELS.face, pack(vector)) for n, vector in enumerate(random_unit(1, 900))]
        rows += [(voice, clip, MODELS.voice, pack(unit(1.0))), (faces[0], clip, "another", pack(unit(1.0)))]
        change.db.executemany("INSERT INTO embeddings(entity, clip, model, vector) VALUES (?, ?, ?, ?)", rows)
    again = MemoryGraph(graph.store, MODELS)
    assert len(again.galleries["face"]) == 300 and len(again.galleries["voice"]) == 1
    for n in (0, 150, 299):
        assert np.allclose(again.galleries["face"].set_of(faces[n]), random_unit(1, 900)[n::300], atol=1e-3)


def test_pairs_are_noted_once_and_the_highest_likeness_stays(graph: MemoryGraph) -> None:
    with graph.change() as change:
        clip, later = add_clip(change.db), add_clip(change.db, 1)
        one, other, third = (change.new_entity("face", clip) for _ in range(3))
        for score, when in ((0.6, clip), (0.8, later), (0.7, clip)):
            pairs.note_alike(change.db, other, one, score, when)
        pairs.note_apart(change.db, third, one, clip)
        pairs.note_apart(change.db, one, third, later)
        pairs.note_alike(change.db, one, third, 0.9, later)
    db = graph.store.reader()
    assert [tuple(row) for row in db.execute("SELECT * FROM alike")] == [(one, other, 0.8, later)]
    assert [tuple(row) for row in db.execute("SELECT * FROM apart")] == [(one, third, clip)]
    assert pairs.are_apart(db, third, one) and not pairs.are_apart(db, one, other)
