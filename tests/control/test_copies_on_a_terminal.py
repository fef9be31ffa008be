"""`robot-memory backup, restore, export, import, reembed`: whole or not at all, and never over something else."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from robot_memory import cli
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.storage import files
from robot_memory.memory.storage.store import Store
from told import Story

Capture = pytest.CaptureFixture[str]

HEEDING = """import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background hands down that it is ignored
from robot_memory.cli import main
sys.exit(main(sys.argv[1:]))"""


@pytest.fixture
def memory(story: Story) -> Path:
    story.clip({"anna": (0, 20)}, [("anna", 2.0, 8.0, "My name is Anna."), ("anna", 9.0, 14.0, "I like the sea.")])
    story.graph.store.close()
    return story.graph.store.path


def run(*words: str | Path) -> int:
    return cli.main([*map(str, words)])


def content(memory: Path) -> str:
    with Store(memory, readonly=True) as store, store.snapshot() as db:
        return fingerprint(db)


def test_a_backup_is_the_memory_and_comes_back(memory: Path, tmp_path: Path, capsys: Capture) -> None:
    saved, before = tmp_path / "saved.sqlite", content(memory)
    assert run("backup", saved, "--store", memory) == 0
    assert content(saved) == before and saved.stat().st_mode & 0o777 == 0o600
    run("name", "person_1", "Zoe", "--store", memory)
    assert content(memory) != before
    capsys.readouterr()
    assert run("restore", saved, "--store", memory) == 0
    assert content(memory) == before
    kept = Path(capsys.readouterr().out.rpartition("kept in ")[2].strip())
    assert kept.exists() and content(kept) != before


def test_a_backup_is_taken_while_somebody_writes_and_a_restore_is_refused(
    memory: Path, tmp_path: Path, capsys: Capture
) -> None:
    saved = tmp_path / "saved.sqlite"
    with Store(memory):
        assert run("backup", saved, "--store", memory) == 0
        assert run("restore", saved, "--store", memory) == 1
    assert "being written by process" in capsys.readouterr().err


def test_an_export_is_imported_as_the_same_memory(memory: Path, tmp_path: Path) -> None:
    lines, other = tmp_path / "memory.jsonl", tmp_path / "other.sqlite"
    assert run("export", lines, "--store", memory) == 0
    assert lines.stat().st_mode & 0o777 == 0o600
    assert run("import", lines, "--store", other) == 0
    assert content(other) == content(memory)


def counted(memory: Path) -> list[tuple[object, ...]]:
    """What the votes come to."""
    with Store(memory, readonly=True) as store, store.snapshot() as db:
        return [tuple(row) for name in ("tallies", "heard") for row in db.execute(f"SELECT * FROM {name}")]


def test_the_votes_of_an_imported_memory_are_counted(memory: Path, tmp_path: Path) -> None:
    lines, other = tmp_path / "memory.jsonl", tmp_path / "other.sqlite"
    run("export", lines, "--store", memory)
    run("import", lines, "--store", other)
    assert counted(other) == counted(memory) != []


def test_a_correction_in_a_damaged_memory_finds_its_votes_counted(memory: Path) -> None:
    before = counted(memory)
    with closing(sqlite3.connect(memory)) as db:
        size = db.execute("PRAGMA page_size").fetchone()[0]
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns_entity'").fetchone()[0]
    with memory.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    assert run("name", "person_1", "Zoe", "--store", memory) == 0
    assert files.kept(memory)
    assert counted(memory) == before != []


@pytest.mark.parametrize("verb", ["backup", "export"])
def test_nothing_is_written_over(memory: Path, tmp_path: Path, capsys: Capture, verb: str) -> None:
    there, dangling = tmp_path / "there", tmp_path / "dangling"
    there.write_text("a letter")
    dangling.symlink_to(tmp_path / "nowhere")
    for target in (there, dangling, memory):
        assert run(verb, target, "--store", memory) == 1
        assert "is there already" in capsys.readouterr().err
    assert there.read_text() == "a letter"


@pytest.mark.parametrize("verb", ["backup", "export", "restore", "import"])
def test_a_name_that_is_no_place_is_told_in_words(memory: Path, tmp_path: Path, capsys: Capture, verb: str) -> None:
    for place in (tmp_path, tmp_path / ("n" * 300), tmp_path / ("n" * 250)):
        assert run(verb, place, "--store", memory) == 1
        told = capsys.readouterr().err
        assert told.startswith("robot-memory: ") and "Errno" not in told and ("choose" in told or "name" in told), told


@pytest.mark.parametrize("verb", ["restore", "import"])
def test_what_is_no_copy_changes_nothing(memory: Path, tmp_path: Path, capsys: Capture, verb: str) -> None:
    letter, before = tmp_path / "letter", content(memory)
    letter.write_text("a letter")
    for wrong in (letter, tmp_path / "none"):
        assert run(verb, wrong, "--store", memory) == 1
        assert "Traceback" not in capsys.readouterr().err
    assert content(memory) == before


def test_vectors_of_another_model_are_made_anew(memory: Path, capsys: Capture) -> None:
    with Store(memory) as store, store.write() as db:
        db.execute("UPDATE memories SET model = 'an older one', embedding = zeroblob(6)")
        count = db.execute("SELECT count(*) FROM memories").fetchone()[0]
    assert run("reembed", "--store", memory) == 0
    assert f"{count} memories have new vectors" in capsys.readouterr().out
    with Store(memory, readonly=True) as store:
        rows = store.reader().execute("SELECT model, length(embedding) AS bytes FROM memories").fetchall()
    assert {(row["model"] == "an older one", row["bytes"] > 6) for row in rows} == {(False, True)}
    assert run("reembed", "--store", memory) == 0
    assert "0 memories have new vectors" in capsys.readouterr().out


def test_a_locked_memory_is_told_where_there_is_no_ros(
    memory: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with Store(memory):
        for verb in (("name", "person_1", "Zoe"), ("reembed",)):
            assert run(*verb, "--store", memory) == 1
            assert "is being written by process" in capsys.readouterr().err


def test_ctrl_c_leaves_nothing_half(memory: Path, tmp_path: Path) -> None:
    """A large memory, and a signal while it is being copied."""
    with Store(memory) as store, store.write() as db:
        clip = db.execute("SELECT id FROM clips").fetchone()[0]
        db.executemany(
            "INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, ?, randomblob(200000))",
            [(clip, n) for n in range(800)],
        )
    for verb, target in (("backup", "saved.sqlite"), ("export", "memory.jsonl")):
        folder = tmp_path / verb
        folder.mkdir()
        command = [sys.executable, "-c", HEEDING, verb, str(folder / target), "--store", str(memory)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            deadline = time.monotonic() + 20
            while not any(file.stat().st_size > 1_000_000 for file in folder.iterdir()):
                assert running.poll() is None and time.monotonic() < deadline
                time.sleep(0.005)
            running.send_signal(signal.SIGINT)
            _, told = running.communicate(timeout=20)
        assert running.returncode == 130, told
        assert told == f"robot-memory: {verb} was stopped\n"
        assert list(folder.iterdir()) == []


def test_a_memory_that_was_mended_is_told(memory: Path, capsys: Capture) -> None:
    size = memory.stat().st_size
    with sqlite3.connect(memory) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns_entity'").fetchone()[0]
        page = db.execute("PRAGMA page_size").fetchone()[0]
    with memory.open("r+b") as file:
        file.seek((root - 1) * page)
        file.write(b"\xff" * page)
    assert memory.stat().st_size == size
    assert run("name", "person_1", "Zoe", "--store", memory) == 0
    told = capsys.readouterr().err
    assert "was found damaged" in told and "is kept" in told
