"""A memory of an older robot_memory comes out whole, and as it was it is kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from robot_memory.errors import StoreUnreadable
from robot_memory.memory.storage import files
from robot_memory.memory.storage.checking import check_search
from robot_memory.memory.storage.schema import APPLICATION_ID, FIRST, STEPS, VERSION
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.tables import tables


def of_format_1(path: Path, more: str = "") -> Path:
    """What version 1 wrote: a session, people who spoke, memories of them."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript(
        f"""{FIRST} PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=1;
        UPDATE meta SET generation = 7;
        INSERT INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock)
            VALUES ('s', 'live', '', 3600, 'Europe/Berlin', 'b', 'real');
        INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) VALUES ('s', 0, 100, 200, 150, 30.0);
        INSERT INTO persons(merged_into) VALUES (NULL), (1);
        INSERT INTO entities(kind, person, clip, crop) VALUES ('face', 1, 1, x'ffd8'), ('voice', 1, 1, NULL);
        INSERT INTO embeddings(entity, clip, model, vector) VALUES (1, 1, 'faces 1', x'003c');
        INSERT INTO names(entity, name, source, clip) VALUES (2, 'Anna', 'heard', 1), (2, 'Anna', 'operator', 1);
        INSERT INTO votes(voice, face, clip, at_ns, conversation, value) VALUES (2, 1, 1, 150, 1, 1),
            (2, 1, 1, 160, 1, -1);
        INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (1, 2, 110, 120, 'I am Anna', 0.9);
        INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, turn, subject, attribute, value, polarity,
            model, embedding) VALUES (1, 'semantic', '<voice_2> likes tea.', 1, 2, 'said', 1, 'voice_2', 'likes',
            'tea', 1, 'text 1', x'003c');
        INSERT INTO edges VALUES (1, 2, 1.0);
        INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (1, 130, x'ffd8ff');
        INSERT INTO journal(at_ns, actor, action, clip, detail) VALUES (5, 'votes', 'link', 1, '{{}}');
        INSERT INTO dialogue(question_id, asked_ns, asker, question, outcome, answer, confidence, evidence)
            VALUES ('q', 1, '', 'Who?', 'ANSWERED', 'Anna', 1, '[]'); {more}"""
    )
    db.close()
    return path


def test_everything_comes_out(tmp_path: Path) -> None:
    path = of_format_1(tmp_path / "memory.sqlite")
    with Store(path) as store:
        db = store.reader()
        assert store.damage is None
        assert db.execute("PRAGMA user_version").fetchone()[0] == VERSION
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert set(tables()) <= {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        assert store.generation() == 7
        names = db.execute("SELECT name, source, at_ns, clip FROM names ORDER BY id").fetchall()
        assert [tuple(row) for row in names] == [("Anna", "heard", 100, 1), ("Anna", "operator", 100, 1)]
        assert [tuple(row) for row in db.execute("SELECT voice, face, at_ns, share FROM votes")] == [(2, 1, 150, 1.0)]
        found = db.execute("SELECT memories.text, norm FROM memories JOIN memories_fts f ON memories.id = f.rowid"
                           " WHERE memories_fts MATCH 'tea'").fetchone()  # fmt: skip
        assert tuple(found) == ("<voice_2> likes tea.", None)
        for table in ("sessions", "clips", "turns", "edges", "snapshots", "journal", "dialogue", "embeddings"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 1, table
        with store.write() as writer, pytest.raises(sqlite3.IntegrityError):
            writer.execute("INSERT INTO edges VALUES (99, 2, 1.0)")


def test_as_it_was_it_is_kept_once(tmp_path: Path) -> None:
    path = of_format_1(tmp_path / "memory.sqlite")
    for _ in range(2):
        with Store(path):
            pass
    (kept,) = files.kept(path)
    assert kept.name.startswith("memory.sqlite.format-1-") and oct(kept.stat().st_mode & 0o777) == "0o600"
    old = sqlite3.connect(kept)
    assert old.execute("PRAGMA user_version").fetchone()[0] == 1
    assert old.execute("SELECT count(*) FROM votes").fetchone()[0] == 2
    old.close()
    with Store(tmp_path / "new.sqlite"):
        assert files.kept(tmp_path / "new.sqlite") == [], "a new memory has nothing to keep"


def test_a_step_that_breaks_something_is_undone(tmp_path: Path) -> None:
    path = of_format_1(tmp_path / "memory.sqlite", "PRAGMA foreign_keys=OFF; UPDATE edges SET entity = 55;")
    for _ in range(2):
        with pytest.raises(StoreUnreadable, match="a row of edges belongs to a row of entities that is not there"):
            Store(path)
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA user_version").fetchone()[0] == 1
            assert db.execute("SELECT count(*) FROM votes").fetchone()[0] == 2


def test_a_damaged_memory_of_format_1_is_saved_and_brought_up(tmp_path: Path) -> None:
    path = of_format_1(tmp_path / "memory.sqlite")
    data = bytearray(path.read_bytes())
    data[:4096] = bytes(4096)
    path.write_bytes(data)
    with Store(path) as store:
        assert store.damage is not None
        db = store.reader()
        assert db.execute("PRAGMA user_version").fetchone()[0] == VERSION
        assert db.execute("SELECT text FROM memories").fetchone()[0] == "<voice_2> likes tea."
        assert db.execute("SELECT count(*) FROM names").fetchone()[0] == 2


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_every_older_format_is_read_as_it_is_and_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path = tmp_path / "memory.sqlite"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript("".join(STEPS[:version]))
    db.executescript(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={version}")
    db.close()
    with Store(path, readonly=True) as store:
        assert store.reader().execute("PRAGMA user_version").fetchone()[0] == version
    with Store(path) as store:
        assert store.damage is None
        kept = {row[0] for row in store.reader().execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    new = sqlite3.connect(":memory:")
    new.executescript("".join(STEPS))
    assert kept == {row[0] for row in new.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}


@pytest.mark.parametrize("version", range(1, VERSION))
def test_what_was_archived_leaves_the_search_table(tmp_path: Path, version: int) -> None:
    path = of_format_1(tmp_path / "memory.sqlite")
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(f"{''.join(STEPS[1:version])} PRAGMA user_version={version};")
    db.execute(
        "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, archived, model, embedding) "
        "VALUES (1, 'episodic', 'The tea was cold.', 5, 6, 'seen', 1, 'text 1', x'003c')"
    )
    db.close()
    for _ in range(2):
        with Store(path) as store:
            assert store.damage is None
            with store.write() as db:
                assert [row[0] for row in db.execute("SELECT rowid FROM memories_fts('tea')")] == [1]
                assert check_search(db, None).whole
            held = {row["kind"]: row["items"] for row in store.reader().execute("SELECT * FROM held")}
            assert held["memories"] == held["archive"] == 1
