"""Full disks, logs that are torn or another's, files that may not be written: a word, no crash loop, work resumes."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from damage import filled, texts
from remembering import add_clip

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.storage import files
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.trouble import DiskTrouble, StoreForbidden

CRASH = """if True:
    import sys, os; from pathlib import Path; sys.path.insert(0, sys.argv[2])
    from remembering import add_clip; from robot_memory.memory.storage.store import Store
    store = Store(Path(sys.argv[1]))
    for n in range(int(sys.argv[3])):
        with store.write() as db:
            add_clip(db, n, sys.argv[4])
            db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) SELECT max(id), 9, randomblob(5000) FROM clips")
    os._exit(0)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("whole") / "memory.sqlite")


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "memory.sqlite"))


def crashed(path: Path, changes: int = 20, session: str = "c") -> Path:
    """Leave the memory with `changes` in its log only; returns the log."""
    arguments = [str(path), str(Path(__file__).parent), str(changes), session]
    subprocess.run([sys.executable, "-c", CRASH, *arguments], check=True)
    files.beside(path, "-shm").unlink()
    return files.beside(path, "-wal")


def picture(db: sqlite3.Connection, clip: int, size: int) -> None:
    db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, 0, randomblob(?))", (clip, size))


def until_full(store: Store) -> int:
    """How many clips went in before the disk was full."""
    done = 0
    try:
        while True:
            with store.write() as db:
                picture(db, add_clip(db, done, "c"), 30_000)
            done += 1
    except DiskTrouble:
        return done


def written(path: Path, session: str = "c") -> list[int]:
    """Open it as the robot does, write, and say which of the session's clips are there."""
    with Store(path) as store:
        with store.write() as db:
            add_clip(db, random.randrange(1 << 20), "after")
        db = store.reader()
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        return [row[0] for row in db.execute("SELECT sequence FROM clips WHERE session = ? ORDER BY id", (session,))]


def test_a_log_comes_in_after_a_crash(path: Path) -> None:
    crashed(path)
    assert written(path) == list(range(20))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.61, 0.99])
def test_a_torn_log_costs_only_its_end(path: Path, share: float) -> None:
    log = crashed(path)
    os.truncate(log, int(log.stat().st_size * share))
    found = written(path)
    assert found == list(range(len(found))) and len(found) <= 20 and (share < 0.9 or len(found) >= 18)
    with Store(path) as store:
        assert store.damage is None


@pytest.mark.parametrize("content", [bytes(50_000), random.Random(1).randbytes(50_000)])
def test_a_log_of_zeros_or_noise_is_left_out(path: Path, whole: Path, content: bytes) -> None:
    crashed(path).write_bytes(content)
    assert written(path) == []
    assert texts(path) == texts(whole)


def test_the_log_of_another_memory_is_left_out(path: Path, whole: Path, tmp_path: Path) -> None:
    other = filled(tmp_path / "other.sqlite", clips=3)
    shutil.copy(crashed(other), files.beside(path, "-wal"))
    written(path)
    assert texts(path) == texts(whole)
    (aside,) = [file for file in files.kept(path) if file.name.endswith("-wal")]
    assert aside.stat().st_size


def test_changes_behind_a_broken_place_of_the_log_are_saved(path: Path) -> None:
    """SQLite reads a log up to the first broken page and says nothing of the changes behind it."""
    log = crashed(path)
    data = bytearray(log.read_bytes())
    middle = 32 + (len(data) - 32) // 4120 // 2 * 4120
    data[middle + 24 : middle + 24 + 4096] = random.Random(1).randbytes(4096)
    log.write_bytes(data)
    found = written(path)
    assert len(found) >= 18 and max(found) == 19
    assert files.kept(path)


def test_a_full_disk_undoes_the_change_and_work_resumes(path: Path, whole: Path) -> None:
    with Store(path) as store:
        pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
        store._writer.execute(f"PRAGMA max_page_count={pages + 2}")
        for _ in range(3):
            with pytest.raises(DiskTrouble, match="make room"), store.write() as db:
                picture(db, add_clip(db, 1, "c"), 100_000)
        assert issubclass(DiskTrouble, sqlite3.Error), "clips wait in the spool"
        store._writer.execute("PRAGMA max_page_count=1000000")
        with store.write() as db:
            add_clip(db, 2, "c")
    assert written(path) == [2]


def test_a_limit_on_files_undoes_the_change_and_work_resumes(path: Path) -> None:
    """RLIMIT_FSIZE: the system answers with a signal, which Python ignores, and an error."""
    code = """if True:
        import resource, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])
        from test_store_trouble import Store, add_clip, picture
        from robot_memory.memory.storage.trouble import DiskTrouble
        with Store(Path(sys.argv[1])) as store:
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
            done = refused = 0
            while refused < 3:
                try:
                    with store.write() as db:
                        clip = add_clip(db, done, "c")
                        picture(db, clip, 20_000)
                    done += 1
                except DiskTrouble:
                    refused += 1
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            with store.write() as db:
                add_clip(db, done, "c")
            print(done + 1)
    """
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(Path(__file__).parent)], capture_output=True, text=True, check=True
    )
    assert written(path) == list(range(int(done.stdout)))


def test_a_disk_that_is_really_full(whole: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        path = Path(shutil.copy(whole, disk / "memory.sqlite"))
        with Store(path) as store:
            done = until_full(store)
            with store.snapshot() as db:
                assert db.execute("SELECT count(*) FROM clips WHERE session = 'c'").fetchone()[0] == done > 5
            subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
            with store.write() as db:
                add_clip(db, done, "c")
        assert written(path) == list(range(done + 1))
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_on_a_full_disk_a_memory_is_still_read(whole: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        path = Path(shutil.copy(whole, disk / "memory.sqlite"))
        with (disk / "rest").open("wb", 0) as rest, pytest.raises(OSError, match="No space"):
            os.posix_fallocate(rest.fileno(), 0, 1 << 23)
        with (disk / "crumbs").open("wb", 0) as crumbs, suppress(OSError):
            while crumbs.write(bytes(4096)):
                pass
        with Store(path, readonly=True) as store, store.snapshot() as db:
            assert db.execute("SELECT count(*) FROM memories").fetchone()[0] == len(texts(whole))
        with pytest.raises(DiskTrouble, match=r"no room|did not take"):
            Store(path)
        (disk / "crumbs").unlink()
        assert written(path) == []
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def as_nobody(code: str, *arguments: str) -> str:
    """What a process without root's powers says."""
    drop = "import os\nif os.getuid() == 0: os.setuid(65534)\n"
    begin = (  # what is imported later may lie where nobody may read
        "import sys; from pathlib import Path; from robot_memory.memory.storage.store import Store; "
        "from robot_memory.memory.storage.tables import tables; [tables(version) for version in (1, 2, 3)]\n"
    )
    ask = f"try:\n    {code}\nexcept BaseException as error:\n    print(type(error).__name__, error)"
    done = subprocess.run(
        [sys.executable, "-c", begin + drop + ask, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def open_path(path: Path) -> Path:
    """In a folder that everybody may reach."""
    if os.getuid() == 0:
        for folder in (path.parent, *path.parent.parents):
            if str(folder).startswith("/tmp/") or folder == Path("/tmp"):
                folder.chmod(folder.stat().st_mode | 0o055)
    return path


def test_what_may_not_be_written_says_so(open_path: Path) -> None:
    open_path.chmod(0o444)
    open_path.parent.chmod(0o555)
    said = as_nobody("Store(Path(sys.argv[1]))", str(open_path))
    assert said.startswith("StoreUnreadable") and "cannot be written" in said and "permissions" in said
    said = as_nobody("print(Store(Path(sys.argv[1]), readonly=True).generation())", str(open_path))
    assert said.isdigit(), "a memory on a disk that cannot be written is still read"
    open_path.parent.chmod(0o777)
    said = as_nobody("Store(Path(sys.argv[1]))", str(open_path))
    assert said.startswith("StoreUnreadable") and "cannot be written" in said
    files.beside(open_path, ".lock").unlink()
    open_path.chmod(0o000)
    said = as_nobody("Store(Path(sys.argv[1]), readonly=True)", str(open_path))
    assert said.startswith("StoreForbidden") and "permissions" in said
    assert issubclass(StoreForbidden, RobotMemoryError)
