"""The cached graph: taken when it is whole and of this store, noticed and built anew when it is anything else."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from neighbouring import answers, clustered, index_at, recall, saved, until

from robot_memory.memory.vectors import cache
from robot_memory.memory.vectors.hnsw import HnswIndex
from robot_memory.memory.vectors.neighbours import Neighbours

pytest.importorskip("hnswlib", reason="hnswlib is not installed (it needs a compiler)")
COUNT = 800
VECTORS = clustered(0, COUNT)
MARK = np.resize(np.float32([-1, 1, 1]), 32) / np.float32(32**0.5)  # a vector like no other


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A cache of all the vectors, alone in its folder."""
    path = tmp_path / "store" / "memory.sqlite.hnsw"
    path.parent.mkdir()
    finish(index_at(path, VECTORS), path)
    return path


def finish(index: HnswIndex, path: Path) -> None:
    """Wait until the graph has all and is on the disk."""
    until(lambda: index.progress == 1.0 and saved(index) > 0 and path.with_name(path.name + ".head").exists())
    index.close(wait_s=None)


def taken(index: HnswIndex, caplog: pytest.LogCaptureFixture) -> str:
    """Why the cache was not taken; nothing if it was."""
    until(lambda: index.progress == 1.0)
    return "".join(record.getMessage() for record in caplog.records if "is not taken" in record.getMessage())


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "robot_memory.memory")


def test_it_is_taken_again_with_what_was_added_and_without_what_was_removed(
    kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    more = np.concatenate([VECTORS, clustered(1, 100)])
    ids = np.setdiff1d(np.arange(1, len(more) + 1), [*np.arange(10, 200, 3), COUNT])
    index = index_at(kept, more[ids - 1], ids=ids, generation=9)
    assert taken(index, caplog) == ""
    assert index.keeper.graph is not None and index.keeper.graph._removed == len(np.arange(10, 200, 3)) + 1
    assert saved(index) == COUNT
    for n in ids[::50].tolist():
        assert index.search(more[n - 1], 1)[0].tolist() == [n]
    assert recall(index, more[::40], 10) >= 0.99
    index.close(wait_s=None)


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def cut(path: Path, size: int) -> None:
    os.truncate(path, size)


def head(path: Path) -> Path:
    return path.with_name(path.name + ".head")


HARM: dict[str, tuple[Callable[[Path], object], str]] = {
    "a byte of the graph": (lambda path: flip(path, 50_000), "its bytes are not"),
    "its first byte": (lambda path: flip(path, 0), "its bytes are not"),
    "its end": (lambda path: cut(path, path.stat().st_size - 1), "its bytes are not"),
    "most of it": (lambda path: cut(path, 96), "its bytes are not"),
    "all of it": (lambda path: cut(path, 0), "its bytes are not"),
    "no graph": (lambda path: path.unlink(), "there is none"),
    "no head": (lambda path: head(path).unlink(), "there is none"),
    "a digit of the head": (lambda path: flip(head(path), 200), "its head is torn"),
    "half of the head": (lambda path: cut(head(path), 150), "its head is torn"),
    "an empty head": (lambda path: cut(head(path), 0), "its head is torn"),
    "a head of noise": (lambda path: head(path).write_bytes(bytes(range(256))), "its head is torn"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "cannot be read|its bytes are not"),
}


@pytest.mark.parametrize("harm", HARM)
def test_what_is_torn_is_noticed_and_built_anew(kept: Path, harm: str, caplog: pytest.LogCaptureFixture) -> None:
    do, words = HARM[harm]
    do(kept)
    index = index_at(kept, VECTORS)
    assert any(word in taken(index, caplog) for word in words.split("|")), caplog.text
    assert recall(index, VECTORS[::50], 10) >= 0.99
    if harm == "a folder":
        until(lambda: "not kept for the next start" in caplog.text)
        assert answers(index)
        index.close(wait_s=None)
        return
    finish(index, kept)
    caplog.clear()
    again = index_at(kept, VECTORS)
    assert taken(again, caplog) == ""
    again.close(wait_s=None)


def test_one_of_another_store_or_model_or_time_is_noticed(
    kept: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = clustered(8, COUNT)
    narrow = clustered(0, COUNT, 16)
    for vectors, home, words in (
        (VECTORS, {"store": "another"}, "its store is 's'"),
        (VECTORS, {"model": "another"}, "its model is 'm'"),
        (VECTORS, {"generation": 0}, "of a later time"),
        (narrow, {}, "its dimension is 32"),
        (other, {}, "its vectors are not the store's"),
    ):
        caplog.clear()
        copy = shutil.copytree(kept.parent, tmp_path / words) / kept.name  # it takes the place of one that is no use
        index = index_at(copy, vectors, **home)
        until(lambda: "is not taken" in caplog.text)
        assert words in caplog.text
        index.close(wait_s=None)
        assert index.search(vectors[5], 1)[0].tolist() == [6]


def test_one_that_lacks_memories_of_before_is_noticed(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A memory that was archived and is back: it is older than the newest in the graph, and not in it."""
    ids = np.arange(1, COUNT + 2)
    index = index_at(kept, np.concatenate([clustered(3, 1), VECTORS]), ids=ids - 1, generation=2)
    assert "it lacks memories of before" in taken(index, caplog)
    index.close(wait_s=None)


def test_a_true_head_of_a_graph_that_hnswlib_refuses(kept: Path, caplog: pytest.LogCaptureFixture) -> None:
    wanted = cache._read_head(kept)
    kept.write_bytes(b"not a graph" * 100)
    whole = {**wanted.__dict__, "size": 1100, "sha256": cache._checksum(kept, lambda: None)}
    cache._write_head(kept, cache.Head(**whole))
    index = index_at(kept, VECTORS)
    assert "is not taken" in taken(index, caplog)
    assert recall(index, VECTORS[::100], 10) >= 0.99
    index.close(wait_s=None)


def test_what_is_forgotten_is_in_no_file(kept: Path) -> None:
    index = index_at(kept, np.concatenate([VECTORS, [MARK]]), generation=2)
    until(lambda: index.progress == 1.0)
    assert index.keeper.graph is not None
    index.keeper.graph.saved = 0
    index.keeper.wake()
    until(lambda: saved(index) == COUNT + 1)
    assert MARK.tobytes() in kept.read_bytes()
    index.forget(np.array([COUNT + 1]))
    assert list(kept.parent.iterdir()) == []
    assert COUNT + 1 not in index.search(MARK, 100)[0]
    finish(index, kept)
    assert saved(index) == COUNT and MARK.tobytes() not in kept.read_bytes()


def test_what_is_forgotten_while_it_is_written_comes_into_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the child that writes opens the file late."""
    save, late_s, path = Neighbours.save, 0.3, tmp_path / "g"

    def late(self: Neighbours, making: str) -> None:
        time.sleep(late_s)
        save(self, making)

    monkeypatch.setattr(Neighbours, "save", late)
    index = index_at(path, np.concatenate([VECTORS, [MARK]]))
    until(path.with_name("g.making").exists)
    index.forget(np.array([COUNT + 1]))
    end = time.monotonic() + 2 * late_s
    while time.monotonic() < end:
        for file in tmp_path.iterdir():
            with suppress(FileNotFoundError):  # it took its name meanwhile
                assert MARK.tobytes() not in file.read_bytes(), file.name
        time.sleep(0.005)
    finish(index, path)
    assert saved(index) == COUNT and MARK.tobytes() not in path.read_bytes()


def test_what_was_removed_is_out_of_the_file_when_it_is_built_anew(kept: Path) -> None:
    index = index_at(kept, VECTORS)
    until(lambda: index.progress == 1.0)
    index.remove(np.arange(1, 401))
    until(lambda: saved(index) == COUNT - 400 and index.progress == 1.0)
    index.close(wait_s=None)
    data = kept.read_bytes()
    assert VECTORS[1].tobytes() not in data and VECTORS[401].tobytes() in data


KILLED = """if True:
    import os, signal, sys, threading, time; sys.path.insert(0, sys.argv[1]); from pathlib import Path
    from neighbouring import clustered, index_at, saved
    from robot_memory.memory.vectors import cache
    steps, at = [0], int(sys.argv[3])
    def step(real):
        def call(*given, **named):
            steps[0] += 1
            if steps[0] == at: os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **named)
        return call
    for name in ("replace", "fsync", "open"): setattr(os, name, step(getattr(os, name)))
    cache._checksum = step(cache._checksum)
    index = index_at(Path(sys.argv[2]), clustered(0, 800))
    while not saved(index): time.sleep(0.01)
    print(steps[0])
"""


@pytest.mark.parametrize("before", [False, True], ids=["the first", "over another"])
def test_kill_9_while_it_is_written(tmp_path: Path, before: bool, caplog: pytest.LogCaptureFixture) -> None:
    """At each step of the writing: the next start takes a whole one or builds one, and leaves no rubbish."""
    path = tmp_path / "memory.sqlite.hnsw"
    script = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(path)]
    total = int(subprocess.run([*script, "0"], capture_output=True, text=True, check=True).stdout)
    assert total >= 8
    for at in range(1, total + 1):
        cache.forget(path)
        if before:
            finish(index_at(path, clustered(5, 100)), path)
        assert subprocess.run([*script, str(at)], check=False).returncode == -signal.SIGKILL
        index = index_at(path, VECTORS)
        until(lambda index=index: answers(index) and index.progress == 1.0)  # type: ignore[misc]
        assert index.search(VECTORS[77], 1)[0].tolist() == [78]
        finish(index, path)
        assert {file.name for file in tmp_path.iterdir()} == {path.name, path.name + ".head"}
        assert cache.read(path, cache._read_head(path), lambda: None).count == COUNT
