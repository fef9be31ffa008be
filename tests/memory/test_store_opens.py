"""What the store does with the file it is given: new, its own, another's, damaged, newer."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from remembering import add_clip, graph_at, remember

from robot_memory.errors import StoreLocked, StoreUnreadable
from robot_memory.memory.storage.schema import VERSION
from robot_memory.memory.storage.store import Store, page_size_for


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


@pytest.fixture
def filled(path: Path) -> Path:
    """A store with enough in it to span many pages."""
    graph = graph_at(path)
    with graph.change() as change:
        clip = add_clip(change.db)
        for n in range(300):
            remember(change, clip, f"Sentence number {n}.", n)
    graph.store.close()
    return path


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def test_a_new_store_is_made_with_its_folders_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "memory.sqlite"
    with Store(path) as store, store.write() as db:
        add_clip(db)
        assert {mode(p) for p in path.parent.iterdir()} == {"0o600"}
        assert {p.name for p in path.parent.iterdir()} == {
            "memory.sqlite",
            "memory.sqlite-wal",
            "memory.sqlite-shm",
            "memory.sqlite.lock",
        }
    assert mode(path.parent) == "0o700"


def test_a_file_that_others_could_read_is_closed_to_them(filled: Path) -> None:
    """An empty one made beforehand, or a backup copied back."""
    filled.chmod(0o644)
    with Store(filled):
        assert mode(filled) == "0o600"
    other = filled.with_name("other.sqlite")
    other.touch(0o666)
    with Store(other):
        assert mode(other) == "0o600"


def test_a_link_is_the_memory_it_leads_to(filled: Path, tmp_path: Path) -> None:
    """One lock, whichever name it is opened by; a link to a disk that is not mounted begins no new memory."""
    link = tmp_path / "link.sqlite"
    link.symlink_to(filled)
    with Store(filled), pytest.raises(StoreLocked):
        Store(link)
    with Store(link) as store:
        assert store.reader().execute("SELECT count(*) FROM memories").fetchone()[0] == 300
    assert {file.name for file in tmp_path.iterdir()} == {filled.name, f"{filled.name}.lock", link.name}
    away = tmp_path / "away"
    filled.rename(away)
    (tmp_path / "disk").symlink_to(tmp_path / "unmounted")
    for path in (link, tmp_path / "disk" / "memory.sqlite"):
        with pytest.raises(StoreUnreadable, match="which is not there: mount its disk"):
            Store(path)
    assert not filled.exists() and not (tmp_path / "unmounted").exists()


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert store.generation() == 0


def test_a_blank_database_left_by_a_crash_becomes_a_store(path: Path) -> None:
    made = sqlite3.connect(path)
    made.execute("PRAGMA journal_mode=WAL")
    made.execute("VACUUM")
    made.close()
    assert path.stat().st_size > 0
    with Store(path) as store, store.write() as db:
        add_clip(db)


def test_what_was_written_is_there_again(filled: Path) -> None:
    with Store(filled) as store:
        assert store.reader().execute("SELECT count(*) FROM memories").fetchone()[0] == 300
        assert store.generation() >= 1


def foreign(path: Path) -> None:
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE recipes(name TEXT)")
    made.execute("INSERT INTO recipes VALUES ('soup')")
    made.commit()
    made.close()


@pytest.mark.parametrize("readonly", [False, True])
def test_another_programs_database_is_refused_and_left_as_it_is(path: Path, readonly: bool) -> None:
    foreign(path)
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable, match="another program"):
        Store(path, readonly)
    assert path.read_bytes() == before
    assert {p.name for p in path.parent.iterdir()} <= {"memory.sqlite", "memory.sqlite.lock"}


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize(
    "content", [b"x", b"These are notes, not a memory.\n" * 400, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(path: Path, content: bytes, readonly: bool) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreUnreadable, match=str(path)):
        Store(path, readonly)
    assert path.read_bytes() == content


@pytest.mark.parametrize("readonly", [False, True])
def test_a_newer_format_is_refused_and_left_as_it_is(filled: Path, readonly: bool) -> None:
    newer = sqlite3.connect(filled)
    newer.execute(f"PRAGMA user_version={VERSION + 1}")
    newer.close()
    before = filled.read_bytes()
    with pytest.raises(StoreUnreadable, match=f"has format {VERSION + 1}.*upgrade it"):
        Store(filled, readonly)
    assert filled.read_bytes() == before


@pytest.mark.parametrize("share", [0.001, 0.02, 0.3, 0.9])
def test_readers_refuse_a_truncated_store_and_leave_it_to_the_writer(filled: Path, share: float) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreUnreadable, match=str(filled)):
        Store(filled, readonly=True)
    assert filled.read_bytes() == whole[: int(len(whole) * share)]
    with Store(filled) as store:
        assert store.damage is not None


def test_pages_are_larger_for_longer_vectors(tmp_path: Path) -> None:
    assert [page_size_for(dimension) for dimension in (64, 384, 512, 768, 1024, 4096)] == [4096] * 3 + [16384] * 3
    for size in (4096, 16384):
        with Store(tmp_path / str(size), page_size=size) as store:
            assert store.reader().execute("PRAGMA page_size").fetchone()[0] == size
        with Store(tmp_path / str(size), page_size=8192) as store:
            assert store.reader().execute("PRAGMA page_size").fetchone()[0] == size, "a file keeps its own"


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    for readonly in (False, True):
        with pytest.raises(StoreUnreadable):
            Store(tmp_path, readonly)


def test_reading_what_is_not_there_says_what_to_do(path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="start the robot or replay a bag first"):
        Store(path, readonly=True)
    assert list(path.parent.iterdir()) == []
    path.touch()
    with pytest.raises(StoreUnreadable, match="empty"):
        Store(path, readonly=True)


def test_a_refused_file_can_be_opened_once_it_is_put_right(filled: Path) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(b"not a memory")
    with pytest.raises(StoreUnreadable):
        Store(filled)
    filled.write_bytes(whole)
    with Store(filled) as store:
        assert store.generation() >= 1


def test_readers_work_without_a_writer_and_beside_one(filled: Path) -> None:
    with Store(filled, readonly=True) as alone:
        before = alone.generation()
    with Store(filled) as writer, Store(filled, readonly=True) as beside:
        with writer.write() as db:
            add_clip(db, 1)
            assert beside.generation() == before
            assert beside.reader().execute("SELECT count(*) FROM clips").fetchone()[0] == 1
        assert beside.generation() == before + 1
        assert beside.reader().execute("SELECT count(*) FROM clips").fetchone()[0] == 2


def test_a_reader_that_opened_first_sees_what_a_later_writer_commits(filled: Path) -> None:
    with Store(filled, readonly=True) as early, Store(filled) as writer:
        before = early.generation()
        with writer.write() as db:
            add_clip(db, 1)
        assert early.generation() == before + 1


def test_a_reader_in_another_process_sees_what_is_committed(filled: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from robot_memory.memory.storage.store import Store; "
        "print(Store(Path(sys.argv[1]), readonly=True).generation())"
    )
    with Store(filled) as writer:
        before = writer.generation()
        with writer.write() as db:
            add_clip(db, 1)
        seen = subprocess.run([sys.executable, "-c", code, str(filled)], capture_output=True, text=True, check=True)
    assert seen.stdout == f"{before + 1}\n"


def test_a_reader_cannot_write(filled: Path) -> None:
    with Store(filled, readonly=True) as store:
        with pytest.raises(StoreLocked, match="through the running memory server"), store.write():
            pass
        for statement in ("DELETE FROM memories", "CREATE TABLE x(y)", "PRAGMA user_version=9"):
            with pytest.raises(sqlite3.OperationalError):
                store.reader().execute(statement)


def test_a_file_on_a_path_with_odd_characters(tmp_path: Path) -> None:
    path = tmp_path / "mémoire ?#%41 1;x" / "a b.sqlite"
    with Store(path) as store:
        assert store.generation() == 0
    with Store(path, readonly=True) as store:
        assert store.generation() == 0
    assert sorted(os.listdir(tmp_path)) == ["mémoire ?#%41 1;x"]


def test_closing_twice_is_harmless(path: Path) -> None:
    store = Store(path)
    store.close()
    store.close()
    with Store(path):
        pass
