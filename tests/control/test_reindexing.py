"""`robot-memory reindex` and its like while a robot runs: the vectors are indexed anew, with progress and an end."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from robot_memory import cli
from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.service import MemoryService
from robot_memory.errors import Cancelled
from robot_memory.lanes import Traffic
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors import hnsw, keeper
from robot_memory.memory.vectors.packing import pack
from told import Story

needs_hnswlib = pytest.mark.skipif(
    importlib.util.find_spec("hnswlib") is None, reason="hnswlib is not installed (it needs a compiler)"
)
MANY = 3000


@pytest.fixture
def memory(story: Story) -> Path:
    """As many memories as are worth a graph where a megabyte is."""
    story.clip({"anna": (0, 20)}, [("anna", 2.0, 8.0, "My name is Anna."), ("anna", 9.0, 14.0, "I like the sea.")])
    random = np.random.default_rng(0).normal(size=(MANY, story.graph.models.text_dimension)).astype(np.float32)
    with story.graph.store.write() as db:
        db.executemany(
            "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding) "
            "VALUES (1, 'episodic', ?, 1, 2, 'heard', ?, ?)",
            [
                (f"Number {n}.", story.graph.models.text, pack(vector / np.linalg.norm(vector)))
                for n, vector in enumerate(random)
            ],
        )
    story.graph.close()
    story.graph.store.close()
    return story.graph.store.path


def graph_of(memory: Path) -> Path:
    return memory.with_name(memory.name + ".hnsw")


def serving(memory: Path) -> MemoryService:
    where = StoreSettings(path=str(memory))
    return MemoryService(where, StreamSettings(), PerceptionSettings(), AnswerSettings(), Traffic())


def test_a_small_memory_needs_no_graph_and_is_told_so(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph_of(memory).write_bytes(b"of another time")
    assert cli.main(["reindex", "--store", str(memory)]) == 0
    told = capsys.readouterr().out
    assert "memories are indexed anew: exact (3,0" in told and "fast enough below" in told
    assert not graph_of(memory).exists()


@needs_hnswlib
def test_the_graph_of_a_large_one_is_built_and_kept(
    memory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hnsw, "WORTH_BYTES", 1_000_000)
    for _ in range(2):
        began = time.time_ns()
        assert cli.main(["reindex", "--store", str(memory)]) == 0
        assert "indexed anew: hnsw, re-ranked exactly" in capsys.readouterr().out
        assert graph_of(memory).stat().st_mtime_ns >= began - 10**8
    assert {file.suffix for file in memory.parent.glob("memory.sqlite.hnsw*")} == {".hnsw", ".head"}


@needs_hnswlib
def test_it_is_built_anew_while_questions_are_answered_and_may_be_stopped(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hnsw, "WORTH_BYTES", 1_000_000)
    monkeypatch.setattr(keeper, "LOOK_S", 0.001)
    service = serving(memory)
    try:
        service.graph.index.settle(lambda share: None)
        query = service.graph.index.exact.rows.vectors(len(service.graph.index) - 1, 1)[0]
        last, shares = len(service.graph.index), list[float]()

        def report(stage: str, share: float) -> None:
            assert stage == "rebuild_index" and service.upkeep.under_way.startswith("rebuild_index")
            shares.append(share)
            ids, cosines = service.graph.index.search(query, 10)
            assert len(ids) == 10 and ids[0] == last and cosines[0] > 0.999

        done = service.upkeep.rebuild_index(report, lambda: False).result(30)
        assert done.count == len(service.graph.index) >= MANY and "hnsw" in done.message
        assert shares == sorted(shares) and (shares[0], shares[-1]) == (0.0, 1.0)
        with pytest.raises(Cancelled, match="the index is whole, and its graph goes on being built"):
            service.upkeep.rebuild_index(lambda stage, share: None, lambda: True).result(30)
    finally:
        service.close()
    assert not service.graph.index.busy, "nothing works on after the end"


def test_a_memory_in_use_is_told_where_there_is_no_ros(
    memory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with Store(memory):
        assert cli.main(["reindex", "--store", str(memory)]) == 1
    assert "is being written by process" in capsys.readouterr().err


STOPPED = """if True:
    import signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from robot_memory.memory.vectors import hnsw, keeper, neighbours
    hnsw.WORTH_BYTES, neighbours.BATCH = 1_000_000, 1
    from robot_memory.cli import main
    step = keeper.Keeper._step
    def told(index):
        print("building", flush=True)
        return step(index)
    keeper.Keeper._step = told
    sys.exit(main(sys.argv[1:]))
"""


@needs_hnswlib
def test_ctrl_c_ends_it_at_once_and_leaves_nothing_half(memory: Path) -> None:
    command = [sys.executable, "-c", STOPPED, "reindex", "--store", str(memory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "building\n", running.communicate()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=20)
    assert (running.returncode, told) == (130, "robot-memory: reindex was stopped\n")
    assert not list(memory.parent.glob("memory.sqlite.hnsw*"))
