"""The graph beside a memory never outlives that memory: what takes its place finds none, and no half-made one stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from remembering import add_clip, graph_at, remember

from robot_memory.config import StoreSettings
from robot_memory.doctor import belongings
from robot_memory.memory.storage import files
from robot_memory.memory.storage.backup import backup, restore
from robot_memory.memory.storage.jsonlines import export_lines, import_lines
from robot_memory.memory.storage.store import Store

CACHE = (".hnsw", ".hnsw.head", ".hnsw.making", ".hnsw.head.making")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    graph = graph_at(tmp_path / "memory.sqlite")
    with graph.change() as change:
        clip = add_clip(change.db)
        for n in range(10):
            remember(change, clip, f"Number {n}.", n)
    graph.close()
    graph.store.close()
    for ending in CACHE:
        files.beside(graph.store.path, ending).write_bytes(b"of before")
    return graph.store.path


def left(path: Path) -> set[str]:
    return {file.name.removeprefix(path.name) for file in path.parent.glob(path.name + ".hnsw*")}


def test_opening_takes_away_what_is_half_made_only(path: Path) -> None:
    with Store(path, readonly=True):
        assert left(path) == set(CACHE)
    with Store(path):
        assert left(path) == {".hnsw", ".hnsw.head"}


def test_a_backup_comes_back_without_it(path: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "saved")
    assert left(path) == set(CACHE), "a backup is one file, and changes nothing"
    restore(tmp_path / "saved", path)
    assert left(path) == set()


def test_a_restoring_that_was_cut_short_is_finished_without_it(path: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "saved")
    (tmp_path / "saved").rename(files.beside(path, f"{files.NEXT}replaced-20260101T000000Z"))
    with Store(path):
        assert left(path) == set()


def test_an_import_finds_none(path: Path, tmp_path: Path) -> None:
    export_lines(path, tmp_path / "lines")
    for ending in ("", files.LOG, files.INDEX):
        files.beside(path, ending).unlink(missing_ok=True)
    import_lines(tmp_path / "lines", path)
    assert left(path) == set()


def test_a_damaged_memory_is_saved_without_it(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\xff" * 3000)
    with Store(path) as store:
        assert store.damage
        assert left(path) == set()


def test_the_doctor_knows_it(path: Path) -> None:
    for ending in (".hnsw", ".hnsw.making"):
        files.beside(path, ending).write_bytes(bytes(2_000_000))
    found = [one.text for one in belongings.memory(StoreSettings(path=str(path))) if one.what == "index"]
    assert found == [f"{path}.hnsw, 2.0 MB: of large memories, made again when it is gone"]
    assert list(belongings.copies(StoreSettings(path=str(path)))) == []
