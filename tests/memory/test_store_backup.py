"""A backup while the robot writes, and the way back: of one moment, checked, whole or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from damage import filled, noise, pages_of, texts
from remembering import add_clip

from robot_memory.errors import Cancelled, StoreLocked, StoreUnreadable
from robot_memory.memory.storage import files
from robot_memory.memory.storage.backup import backup, restore
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.trouble import DiskTrouble, StoreDamaged


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("whole") / "memory.sqlite")


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "memory.sqlite"))


def sequences(path: Path) -> list[int]:
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return [row[0] for row in db.execute("SELECT sequence FROM clips WHERE session = 'w' ORDER BY id")]
    finally:
        db.close()


def test_a_backup_is_of_one_moment_while_another_process_writes(path: Path, tmp_path: Path) -> None:
    code = """if True:
        import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])
        from remembering import add_clip; from robot_memory.memory.storage.store import Store
        with Store(Path(sys.argv[1])) as store:
            for n in range(100_000):
                with store.write() as db:
                    add_clip(db, 2 * n, "w"); add_clip(db, 2 * n + 1, "w")
                if n == 3: print("x", flush=True)
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(Path(__file__).parent)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert writer.stdout is not None and writer.stdout.readline() == "x\n"
        shares: list[float] = []
        for n in range(5):
            target = tmp_path / f"backup{n}"
            assert backup(path, target, shares.append) == target.stat().st_size
            found = sequences(target)
            assert found == list(range(len(found))) and len(found) % 2 == 0 and len(found) >= 8
            assert stat.S_IMODE(target.stat().st_mode) == 0o600
            assert not files.beside(target, "-wal").exists()
        assert shares and all(0 <= share <= 1 for share in shares) and shares[-1] == 1
        with pytest.raises(StoreLocked, match=f"process {writer.pid}"):
            restore(tmp_path / "backup0", path)
    finally:
        writer.kill()
        writer.wait()


def test_there_and_back(path: Path, whole: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        backup(store, tmp_path / "backup")
        with store.write() as db:
            db.execute("DELETE FROM edges")
            db.execute("DELETE FROM memories")
    kept = restore(tmp_path / "backup", path)
    assert texts(path) == texts(whole)
    assert kept is not None and texts(kept) == {} and files.kept(path) == [kept]
    with Store(path) as store:
        assert store.damage is None


def test_a_store_that_crashed_is_kept_with_its_log(path: Path, whole: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "backup")
    code = """if True:
        import sys, os; from pathlib import Path; from robot_memory.memory.storage.store import Store
        store = Store(Path(sys.argv[1]))
        with store.write() as db:
            db.execute("INSERT INTO evicted VALUES ('x', 1, 2, 3)")
        os._exit(0)
    """
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert files.beside(path, "-wal").stat().st_size
    kept = restore(tmp_path / "backup", path)
    assert kept is not None and texts(path) == texts(whole)
    db = sqlite3.connect(kept)
    assert db.execute("SELECT count(*) FROM evicted WHERE kind = 'x'").fetchone()[0] == 1
    db.close()


def test_restoring_where_there_is_nothing(path: Path, whole: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "backup")
    assert restore(tmp_path / "backup", tmp_path / "elsewhere" / "memory.sqlite") is None
    assert texts(tmp_path / "elsewhere" / "memory.sqlite") == texts(whole)


def test_what_is_no_whole_backup_is_not_restored(path: Path, whole: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    backup(path, bad)
    noise(bad, pages_of(bad, "snapshots")[0])
    with pytest.raises(StoreDamaged):
        restore(bad, path)
    bad.write_text("These are notes.")
    with pytest.raises(StoreUnreadable, match="not a memory"):
        restore(bad, path)
    with pytest.raises(StoreUnreadable, match="no memory at"):
        restore(tmp_path / "nowhere", path)
    with pytest.raises(StoreUnreadable, match="itself"):
        restore(path, path)
    assert texts(path) == texts(whole) and files.kept(path) == []


def test_nothing_but_a_backup_is_written_over(path: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("These are notes.")
    for target in (notes, path):
        before = target.read_bytes()
        with pytest.raises(StoreUnreadable):
            backup(path, target)
        assert target.read_bytes() == before
    with pytest.raises(StoreUnreadable, match="is no folder"):
        backup(path, tmp_path / "no" / "backup")
    for _ in range(2):
        backup(path, tmp_path / "backup")


def test_a_damaged_memory_is_not_backed_up_over_a_good_backup(path: Path, whole: Path, tmp_path: Path) -> None:
    backup(path, tmp_path / "backup")
    noise(path, pages_of(path, "snapshots")[0])
    with pytest.raises(StoreDamaged, match="robot-memory up"):
        backup(path, tmp_path / "backup")
    assert texts(tmp_path / "backup") == texts(whole)


def test_a_memory_with_damaged_text_is_not_backed_up(path: Path, whole: Path, tmp_path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE turns SET text = CAST(x'47ff65' AS TEXT) WHERE id = 5")
    db.commit()
    db.close()
    with pytest.raises(StoreDamaged, match=r"a text in turns is no UTF-8.*robot-memory up"):
        backup(path, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()
    assert files.beside(path, ".suspect").exists(), "the next start looks at all of it"


def test_two_backups_to_one_place_do_not_cut_each_other(path: Path, whole: Path, tmp_path: Path) -> None:
    refusals = []

    def meanwhile(share: float) -> None:
        try:
            backup(path, tmp_path / "backup")
        except StoreLocked as refused:
            refusals.append(str(refused))

    backup(path, tmp_path / "backup", meanwhile)
    assert refusals and "another copy is being made" in refusals[0]
    assert texts(tmp_path / "backup") == texts(whole)


def test_a_backup_through_links(path: Path, whole: Path, tmp_path: Path) -> None:
    """Of a linked memory, and put back in the place of one: the links stay."""
    link, target = tmp_path / "link", tmp_path / "disk" / "backup"
    link.symlink_to(path)
    target.parent.mkdir()
    (tmp_path / "saved").symlink_to(target)
    with pytest.raises(StoreUnreadable, match="which is not there"):
        backup(link, tmp_path / "saved")
    target.touch()
    with pytest.raises(StoreUnreadable, match="itself"):
        backup(link, path)
    backup(link, tmp_path / "saved")
    restore(tmp_path / "saved", link)
    assert link.is_symlink() and (tmp_path / "saved").is_symlink()
    assert texts(target) == texts(whole) and texts(path) == texts(whole)
    with Store(path), pytest.raises(StoreLocked):
        restore(target, link)


def test_a_backup_can_be_stopped(path: Path, tmp_path: Path) -> None:
    def stop(share: float) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        backup(path, tmp_path / "backup", stop)
    with pytest.raises(Cancelled):
        restore(shutil.copy(path, tmp_path / "saved"), path, stop)
    assert {file.name for file in tmp_path.iterdir()} <= {
        "memory.sqlite", "memory.sqlite-wal", "memory.sqlite-shm", "memory.sqlite.lock",
        "saved", "saved-wal", "saved-shm",
    }  # fmt: skip


def test_no_room_for_a_backup(path: Path, tmp_path: Path) -> None:
    code = """if True:
        import resource, sys; from pathlib import Path; from robot_memory.memory.storage.backup import backup
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        backup(Path(sys.argv[1]), Path(sys.argv[2]))
    """
    done = subprocess.run([sys.executable, "-c", code, str(path), str(tmp_path / "b")], capture_output=True, text=True)
    assert DiskTrouble.__name__ in done.stderr.splitlines()[-1], done.stderr
    assert not [file for file in tmp_path.iterdir() if file.name.startswith("b")]


def test_writing_goes_on_while_a_backup_is_made(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        maker = threading.Thread(target=backup, args=(store, tmp_path / "backup"))
        maker.start()
        for n in range(20):
            with store.write() as db:
                add_clip(db, n, "w")
        maker.join()
        assert sequences(tmp_path / "backup") == list(range(len(sequences(tmp_path / "backup"))))
