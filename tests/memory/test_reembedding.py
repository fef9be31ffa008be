"""Another text model: all vectors are made anew, in small changes, and a kill in between costs none of them."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from remembering import add_clip, graph_at, remember

from robot_memory.errors import Cancelled
from robot_memory.memory.reembed import BATCH, reembed, waiting
from robot_memory.memory.storage.embedders import TEXT, Embedder, EmbedderChanged, know_embedder
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.packing import pack, unpack


class HashEmbedder:
    """Real vectors of a real, if senseless, model: the numbers of the text's hash."""

    def __init__(self, name: str, dimension: int = 16) -> None:
        self.name, self.dimension = name, dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [np.frombuffer(hashlib.shake_128(text.encode()).digest(self.dimension), np.uint8) for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), self.dimension) - 127.5
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clip = add_clip(change.db)
        for n in range(3 * BATCH + 10):
            remember(change, clip, f"<face_1> said number {n}.", n)
        change.db.execute("UPDATE memories SET archived = 1 WHERE id % 5 = 0")
    graph.store.close()
    return tmp_path / "memory.sqlite"


def assert_all_new(store: Store, embedder: HashEmbedder) -> None:
    rows = store.reader().execute("SELECT text, model, embedding FROM memories").fetchall()
    assert len(rows) == 3 * BATCH + 10 and {row["model"] for row in rows} == {embedder.name}
    expected = embedder.embed([row["text"].replace("<face_1>", "someone") for row in rows])
    assert all(row["embedding"] == pack(vector) for row, vector in zip(rows, expected, strict=True))
    assert waiting(store.reader(), embedder.name) == 0


def test_every_memory_gets_the_new_vector_archived_ones_as_well(path: Path) -> None:
    new = HashEmbedder("text 2")
    with Store(path) as store:
        before, shares = store.generation(), list[float]()
        assert waiting(store.reader(), new.name) == 3 * BATCH + 10
        assert reembed(store, new, shares.append) == 3 * BATCH + 10
        assert_all_new(store, new)
        assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1 and len(shares) >= 5
        assert store.generation() >= before + 4, "in small changes, between which clips come in"
        assert reembed(store, new) == 0
        (row,) = store.reader().execute("SELECT * FROM embedders WHERE role = ?", (TEXT,)).fetchall()
        assert (row["name"], row["dimension"]) == ("text 2", 16)
        assert unpack(store.reader().execute("SELECT embedding FROM memories").fetchone()[0]).shape == (16,)


def test_what_comes_in_meanwhile_stays(path: Path) -> None:
    new = HashEmbedder("text 2")
    with Store(path) as store:
        done: list[float] = []

        def meanwhile(share: float) -> None:
            if len(done) == 1:
                with store.write() as db:
                    db.execute("UPDATE memories SET text = '<face_1> was reworded.' WHERE id IN (300, 700)")
            done.append(share)

        reembed(store, new, meanwhile)
        assert_all_new(store, new)


def test_it_can_be_stopped_and_goes_on_where_it_was(path: Path) -> None:
    new = HashEmbedder("text 2")

    def stop(share: float) -> None:
        if share > 0.5:
            raise Cancelled("enough")

    with Store(path) as store:
        with pytest.raises(Cancelled):
            reembed(store, new, stop)
        left = waiting(store.reader(), new.name)
        assert BATCH < left < 2 * BATCH
        assert reembed(store, new) == left
        assert_all_new(store, new)


@pytest.mark.parametrize("checksum", ["", "fresh"])
def test_kill_9_in_the_middle(path: Path, checksum: str) -> None:
    """`fresh`: the same name, other weights. Vectors of the old ones must not pass for the new ones'."""
    name = "text 1" if checksum else "text 2"
    code = """if True:
        import os, signal, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])
        from test_reembedding import HashEmbedder, reembed; from robot_memory.memory.storage.store import Store
        calls = []
        def step(share):
            calls.append(share)
            if len(calls) == int(sys.argv[5]): os.kill(os.getpid(), signal.SIGKILL)
        reembed(Store(Path(sys.argv[1])), HashEmbedder(sys.argv[3]), step, sys.argv[4])
    """
    with Store(path) as store, store.write() as db:
        know_embedder(db, Embedder(TEXT, "text 1", 8, "old"))
    for calls in (2, 1, 3):
        arguments = [str(path), str(Path(__file__).parent), name, checksum, str(calls)]
        assert subprocess.run([sys.executable, "-c", code, *arguments]).returncode == -signal.SIGKILL
    new = HashEmbedder(name)
    with Store(path) as store:
        assert 0 < reembed(store, new, None, checksum) < 3 * BATCH
        assert_all_new(store, new)


def test_another_model_under_a_known_name_is_told(path: Path) -> None:
    with Store(path) as store:
        with store.write() as db:
            know_embedder(db, Embedder(TEXT, "text 1", 8, "aaaa"))
            know_embedder(db, Embedder(TEXT, "text 1", 8, "aaaa"))
            know_embedder(db, Embedder("face_embedding", "faces 1", 128, "ffff"))
        for dimension, checksum in ((16, "aaaa"), (8, "bbbb")):
            with store.write() as db, pytest.raises(EmbedderChanged, match="another 'text 1'"):
                know_embedder(db, Embedder(TEXT, "text 1", dimension, checksum))
        with store.write() as db, pytest.raises(EmbedderChanged, match="a name of its own"):
            know_embedder(db, Embedder("face_embedding", "faces 1", 128, "eeee"))
        reembed(store, HashEmbedder("text 1"), None, "bbbb")
        with store.write() as db:
            know_embedder(db, Embedder(TEXT, "text 1", 16, "bbbb"))
        assert_all_new(store, HashEmbedder("text 1"))
