"""A damaged memory opens: it is kept aside, what is readable is there and can be found, what is lost is told."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from damage import PAGE, counts, filled, noise, pages_of, texts, zeros
from remembering import add_clip

from robot_memory.errors import StoreUnreadable
from robot_memory.memory.storage.checking import check_pages, check_search
from robot_memory.memory.storage.rescue import Damage, rescues
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.trouble import StoreDamaged


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("whole") / "memory.sqlite")


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "memory.sqlite"))


def healed(path: Path) -> Damage | None:
    """Open twice: the second time nothing is wrong any more, and everything in the file is sound."""
    with Store(path) as store:
        damage = store.damage
        with store.write() as db:
            clip = add_clip(db, 9_999, "after")
            db.execute("DELETE FROM clips WHERE id = ?", (clip,))
            db.execute("DELETE FROM sessions WHERE id = 'after'")
        assert check_pages(path, None).whole
        with store.write() as db:
            assert check_search(db, None).whole
    with Store(path) as store:
        assert store.damage is None
        db = store.reader()
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        found = db.execute("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'there'").fetchone()[0]
        (at_hand,) = db.execute("SELECT count(*) FROM memories WHERE archived = 0").fetchone()
        assert found == at_hand, "each can be searched that is not archived"
        held = {row["kind"]: row["items"] for row in db.execute("SELECT * FROM held")}
        assert held["memories"] == at_hand
        assert held["memories"] + held["archive"] == db.execute("SELECT count(*) FROM memories").fetchone()[0]
        bearing = "(SELECT count(*) FROM derivations WHERE support = memories.id)"
        assert db.execute(f"SELECT 1 FROM memories WHERE bearing != {bearing}").fetchone() is None
        if damage is not None:
            assert rescues(db)[0] == damage, "and the journal tells of it"
    return damage


def lost_of(damage: Damage, table: str) -> int:
    return next((loss.lost for loss in damage.tables if loss.table == table), 0)


def test_a_whole_memory_is_left_alone(path: Path) -> None:
    assert healed(path) is None
    assert not list(path.parent.glob("*.damaged-*"))


def test_lost_pages_of_memories_cost_only_what_was_on_them(path: Path, whole: Path) -> None:
    pages = pages_of(path, "memories")
    for number in random.Random(1).sample(pages, 3):
        noise(path, number)
    damage = healed(path)
    assert damage is not None
    before, after = texts(whole), texts(path)
    assert after.items() <= before.items() and len(before) - 130 < len(after) < len(before)
    assert lost_of(damage, "memories") == len(before) - len(after)
    assert f"{len(before) - len(after):,} memories" in str(damage) and damage.kept_aside in str(damage)
    aside = Path(damage.kept_aside)
    assert aside.exists() and stat.S_IMODE(aside.stat().st_mode) == 0o600


@pytest.mark.parametrize("spoil", [noise, zeros])
def test_without_its_first_page_everything_comes_back(path: Path, whole: Path, spoil: Callable[..., None]) -> None:
    spoil(path, 1)
    damage = healed(path)
    assert damage is not None and damage.lost == 0
    before, after = counts(whole), counts(path)
    assert {**after, "journal": after["journal"] - 1} == {**before, "journal": before["journal"]}
    assert texts(path) == texts(whole)


def test_a_file_of_its_format_but_with_other_columns_is_saved_as_one_of_ours(path: Path, whole: Path) -> None:
    """Versions under development may write such ones."""
    db = sqlite3.connect(path)
    db.executescript("DROP INDEX memories_chain; ALTER TABLE memories DROP COLUMN matter; DROP TABLE talks;")
    db.close()
    with pytest.raises(StoreDamaged, match="its tables are not those of format"):
        Store(path, readonly=True)
    damage = healed(path)
    assert damage is not None and damage.lost == 0
    assert texts(path) == texts(whole)


def test_what_only_sums_up_others_is_made_anew(path: Path) -> None:
    """Votes are counted again when the graph is opened; the totals of budgets are there at once."""
    with Store(path) as store, store.write() as db:
        db.execute("INSERT INTO heard(voice, votes) VALUES (2, 7.0)")
        db.execute("UPDATE held SET bytes = 1")
    noise(path, 1)
    damage = healed(path)
    assert damage is not None and "held" not in {loss.table for loss in damage.tables}
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM heard").fetchone()[0] == 0
    assert db.execute("SELECT bytes = (SELECT sum(length(jpeg)) FROM snapshots) FROM held").fetchone()[0]
    db.close()


@pytest.mark.parametrize("older", [False, True])
def test_a_file_that_does_not_say_whose_it_is_any_more(path: Path, whole: Path, older: bool) -> None:
    db = sqlite3.connect(path)
    if older:
        db.executescript("DROP INDEX memories_chain; ALTER TABLE memories DROP COLUMN matter; DROP TABLE talks;")
    db.execute("PRAGMA application_id=0")
    db.close()
    damage = healed(path)
    assert damage is not None and damage.lost == 0
    assert texts(path) == texts(whole)


def test_one_byte_in_the_name_of_a_table(path: Path, whole: Path) -> None:
    """SQLite's own words about it are no UTF-8 then."""
    data = bytearray(path.read_bytes())
    data[data.find(b"apartapart") + 2] = 0xE7
    path.write_bytes(data)
    with pytest.raises(StoreDamaged, match="start the robot"):
        Store(path, readonly=True)
    damage = healed(path)
    assert damage is not None and damage.lost == 0
    assert texts(path) == texts(whole)


COLUMNS = [("turns", "text"), ("memories", "text"), ("memories", "source"), ("journal", "actor"), ("sessions", "zone")]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_text_that_is_none_heals(path: Path, whole: Path, table: str, column: str) -> None:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER memories_changed")
    trigger = sqlite3.connect(whole).execute("SELECT sql FROM sqlite_master WHERE name = 'memories_changed'")
    row = db.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0]
    db.execute(f"UPDATE {table} SET {column} = CAST(x'77ff6c6c207468657265' AS TEXT) WHERE rowid = ?", (row,))
    db.execute(trigger.fetchone()[0])
    db.commit()
    db.close()
    with (
        Store(path, readonly=True) as store,
        pytest.raises(StoreDamaged, match=r"no UTF-8.*restart the robot"),
        store.snapshot() as db,
    ):
        db.execute(f"SELECT {column} FROM {table}").fetchall()
    assert (path.parent / "memory.sqlite.suspect").exists()
    damage = healed(path)
    assert damage is not None and damage.lost == 0 and f"a text in {table} is no UTF-8" in damage.found
    db = sqlite3.connect(path)
    assert db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()[0] == "w\ufffdll there"
    db.close()


def alike_and_related(path: Path) -> set[tuple[int, int, str]]:
    db = sqlite3.connect(path)
    db.execute("INSERT OR IGNORE INTO alike SELECT id, id + 1, 0.5, 1 FROM entities WHERE id < 60")
    db.execute("INSERT OR IGNORE INTO apart SELECT id, id + 2, 1 FROM entities WHERE id < 60")
    db.execute("INSERT OR IGNORE INTO relations SELECT id + 7, id, 'similar' FROM memories WHERE id < 400")
    db.execute("DELETE FROM persons WHERE id > 70 AND id NOT IN (SELECT person FROM entities)")
    db.commit()
    found = set(db.execute("SELECT * FROM relations"))
    db.close()
    return found


@pytest.mark.parametrize("vacuumed", [False, True])
@pytest.mark.parametrize("pages", [1, 3])
def test_indexes_are_no_rows(path: Path, vacuumed: bool, pages: int) -> None:
    """The index of relations by their other end looks like relations the other way round."""
    related = alike_and_related(path)
    if vacuumed:
        db = sqlite3.connect(path)
        db.execute("VACUUM")
        db.close()
    before = counts(path)
    noise(path, 1, pages)
    healed(path)
    after = counts(path)
    db = sqlite3.connect(path)
    found = set(db.execute("SELECT * FROM relations"))
    db.close()
    assert found <= related and (vacuumed or pages > 1 or found == related)
    for table in ("persons", "entities", "alike", "apart", "decisions"):
        assert after[table] <= before[table], table


@pytest.mark.parametrize("spoil", [noise, zeros])
@pytest.mark.parametrize("table", ["windows", "answered", "persons"])
def test_rows_without_a_tree_are_not_taken_for_others(path: Path, spoil: Callable[..., None], table: str) -> None:
    """Of a table whose first page is lost, the others tell by their rows alone whose they are."""
    db = sqlite3.connect(path)
    db.execute(
        "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding) "
        "SELECT 1, 'episodic', 'There.', 0, 0, 'seen', '', x'' FROM memories JOIN (VALUES (1), (2), (3), (4))"
    )
    db.execute("INSERT OR IGNORE INTO windows SELECT id FROM memories")
    db.execute("INSERT INTO answered(memory, at_ns, cited) SELECT id, 77, 0 FROM memories")
    db.execute("INSERT INTO persons(id) SELECT 1000 + id FROM memories")
    db.commit()
    before = {name: set(db.execute(f"SELECT * FROM {name}")) for name in ("windows", "answered", "persons")}
    db.execute("VACUUM")
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    db.close()
    spoil(path, 1)
    spoil(path, root)
    healed(path)
    db = sqlite3.connect(path)
    for name, rows in before.items():
        found = set(db.execute(f"SELECT * FROM {name}"))
        assert found <= rows and len(found) > 0.4 * len(rows), name
    db.close()


def test_gaps_in_numbers_are_not_told_as_lost(path: Path) -> None:
    """What was forgotten on purpose is not lost, whoever cannot count the rows any more."""
    with Store(path) as store, store.write() as db:
        db.execute("DELETE FROM embeddings WHERE id % 2 = 0")
        db.execute("DELETE FROM snapshots WHERE id > 10")
    noise(path, 1)
    damage = healed(path)
    assert damage is not None and damage.lost == 0, damage


def test_what_a_cut_takes_is_told(path: Path, whole: Path) -> None:
    size = path.stat().st_size // PAGE
    os.truncate(path, size * 3 // 4 * PAGE)
    damage = healed(path)
    assert damage is not None and damage.pages == size - size * 3 // 4
    assert f"{damage.pages} pages of the file are gone" in str(damage)


def test_rows_that_are_dropped_are_told(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("DELETE FROM memories WHERE id = 5")
    db.commit()
    db.close()
    noise(path, pages_of(path, "snapshots")[0])
    damage = healed(path)
    assert damage is not None and lost_of(damage, "edges") == 1
    assert "dropped because their partner or their sense is lost: 1 edges" in str(damage)


def test_what_makes_no_sense_is_mended_or_left_out_and_told(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE persons SET merged_into = 2 WHERE id = 2")
    db.execute("UPDATE persons SET merged_into = 5 WHERE id = 4")
    db.execute("UPDATE persons SET merged_into = 4 WHERE id = 5")
    db.execute("UPDATE journal SET detail = '{' WHERE id = 3")
    db.execute("INSERT INTO names(id, entity, name, source, at_ns) VALUES (1, 1, 'An' || char(27) || 'na', 'said', 0)")
    db.execute("UPDATE embeddings SET vector = zeroblob(4) WHERE id = 6")
    db.execute("UPDATE memories SET embedding = zeroblob(4) WHERE id = 6")
    db.execute("UPDATE memories SET archived = 57 WHERE id = 7")
    db.execute("INSERT INTO running VALUES ('text 1', 3, zeroblob(64)), ('text 0', 3, x'ffffffffffffffff')")
    db.commit()
    db.close()
    noise(path, pages_of(path, "snapshots")[0])
    damage = healed(path)
    assert damage is not None
    assert {loss.table: loss.mended for loss in damage.tables if loss.mended} == {
        "persons": 2, "journal": 1, "names": 1, "memories": 2,
    }  # fmt: skip
    assert lost_of(damage, "embeddings") == 1 and lost_of(damage, "memories") == 0
    assert lost_of(damage, "running") == 1
    db = sqlite3.connect(path)
    assert db.execute("SELECT id FROM persons WHERE merged_into IS NOT NULL").fetchall() == [(5,)]
    assert db.execute("SELECT name FROM names").fetchall() == [("Anna",)]
    assert db.execute("SELECT action, detail FROM journal WHERE id = 3").fetchone() == ("lost", "{}")
    assert db.execute("SELECT model, embedding FROM memories WHERE id = 6").fetchone() == ("", b"")
    assert db.execute("SELECT archived FROM memories WHERE id = 7").fetchone() == (0,)
    assert db.execute("SELECT model FROM running").fetchall() == [("text 1",)]
    db.close()


def test_without_its_schema_the_sentences_come_back(path: Path, whole: Path) -> None:
    noise(path, 1, 12)
    healed(path)
    assert len(texts(path)) > 0.9 * len(texts(whole))
    assert texts(path).items() <= texts(whole).items()


@pytest.mark.parametrize("also", [[], [1]])
def test_where_the_newest_tables_are_no_longer_named_the_sentences_come_back(
    path: Path, whole: Path, also: list[int]
) -> None:
    """By the names that are left it would be a file of an older format, whose memories have fewer columns."""
    at = path.read_bytes().find(b"CREATE TABLE windows")
    for number in [at // PAGE + 1, *also]:
        noise(path, number)
    healed(path)
    assert len(texts(path)) > 0.9 * len(texts(whole)) and texts(path).items() <= texts(whole).items()


@pytest.mark.parametrize("table", ["memories_fts_data", "memories_fts_idx", "memories_fts_docsize"])
def test_a_damaged_search_index_costs_nothing(path: Path, whole: Path, table: str) -> None:
    db = sqlite3.connect(path)
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    db.close()
    noise(path, root)
    damage = healed(path)
    assert texts(path) == texts(whole)
    assert damage is None or damage.lost == 0


def test_search_data_that_lies_is_made_anew_in_place(path: Path, whole: Path) -> None:
    """The pages are sound; what stands in them is not."""
    db = sqlite3.connect(path)
    db.execute("UPDATE memories_fts_data SET block = randomblob(60) WHERE id > 10")
    db.commit()
    db.close()
    assert healed(path) is None
    assert texts(path) == texts(whole)


def test_sentences_missing_from_the_search_index_are_found_again(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("DELETE FROM memories_fts_docsize WHERE id = 7")
    db.commit()
    db.close()
    assert healed(path) is None


@pytest.mark.parametrize("seed", range(6))
def test_cut_anywhere_what_is_left_comes_back(path: Path, whole: Path, seed: int) -> None:
    share = random.Random(seed).uniform(0.05, 0.98)
    os.truncate(path, int(path.stat().st_size * share))
    damage = healed(path)
    assert damage is not None
    assert texts(path).items() <= texts(whole).items()
    if share > 0.5:
        assert len(texts(path)) > (share - 0.35) * len(texts(whole))


@pytest.mark.parametrize("seed", range(8))
def test_random_pages_anywhere(path: Path, whole: Path, seed: int) -> None:
    dice = random.Random(seed)
    for n in range(dice.randint(1, 20)):
        noise(path, dice.randint(1, path.stat().st_size // PAGE), seed=n)
    healed(path)
    assert texts(path).items() <= texts(whole).items()
    assert len(texts(path)) > 0.4 * len(texts(whole))


@pytest.mark.parametrize("content", [b"\0" * 8192, b"SQLite format 3\0"])
def test_a_file_of_nothing_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(content)
    damage = healed(path)
    assert damage is not None and Path(damage.kept_aside).read_bytes() == content


def test_lost_partners_are_made_anew_or_done_without(path: Path, whole: Path) -> None:
    """Clips, persons, faces, an operator's entry and a session lost: no sentence and no face goes with them."""
    db = sqlite3.connect(path)
    db.execute("DELETE FROM clips WHERE id = 5")
    db.execute("DELETE FROM persons WHERE id = 7")
    db.execute("DELETE FROM entities WHERE id IN (9, 80)")
    db.execute("DELETE FROM journal WHERE id = 11")
    db.execute("DELETE FROM sessions")
    db.execute("DELETE FROM turns WHERE id = 3")
    db.execute("UPDATE sqlite_sequence SET seq = 79 WHERE name = 'entities'")
    db.commit()
    db.close()
    noise(path, pages_of(path, "snapshots")[0])
    damage = healed(path)
    assert damage is not None
    before, after = counts(whole), counts(path)
    for table in ("memories", "edges", "embeddings", "decisions", "sightings", "sessions", "clips", "entities"):
        assert after[table] == before[table], table
    assert after["turns"] == before["turns"] - 1
    with Store(path) as store, store.write() as db:
        assert db.execute("SELECT kind FROM entities WHERE id = 9").fetchone()[0] == "face"
        assert db.execute("SELECT kind FROM entities WHERE id = 80").fetchone()[0] == "voice"
        assert db.execute("SELECT start_ns, end_ns FROM clips WHERE id = 5").fetchone()["end_ns"] > 0
        assert db.execute("SELECT count(*) FROM memories WHERE turn = 3").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM memories WHERE clip = 5").fetchone()[0] == 12
        new = db.execute("INSERT INTO entities(kind, person, clip) VALUES ('face', 1, 1)").lastrowid
        assert new == 81, "no number is given out twice"


def test_a_damaged_vector_costs_no_sentence(path: Path, whole: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE memories SET embedding = x'ff7fff7f' WHERE id = 3")
    db.execute("UPDATE embeddings SET vector = x'ff7fff7f' WHERE id = 3")
    db.commit()
    db.close()
    noise(path, 1)
    healed(path)
    with Store(path, readonly=True) as store:
        assert tuple(store.reader().execute("SELECT model, embedding FROM memories WHERE id = 3").fetchone()) == (
            "",
            b"",
        )
        assert store.reader().execute("SELECT count(*) FROM embeddings WHERE id = 3").fetchone()[0] == 0
    assert texts(path) == texts(whole)


def test_readers_are_told_what_to_do(path: Path) -> None:
    noise(path, 1)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="start the robot"):
        Store(path, readonly=True)
    assert path.read_bytes() == before


def test_damage_met_in_use_is_told_and_healed_at_the_next_start(path: Path, whole: Path) -> None:
    with Store(path) as store:
        noise(path, pages_of(path, "snapshots")[0])
        with pytest.raises(StoreDamaged, match="restart the robot"), store.snapshot() as db:
            db.execute("SELECT sum(length(jpeg)) FROM snapshots").fetchone()
        assert (path.parent / "memory.sqlite.suspect").exists()
    assert healed(path) is not None
    assert not (path.parent / "memory.sqlite.suspect").exists()
    assert texts(path) == texts(whole)


OPEN = (
    "import sys; from pathlib import Path; from robot_memory.memory.storage.store import Store; "
    "print('x', flush=True); Store(Path(sys.argv[1]))"
)


def test_killed_anywhere_in_the_rescue(path: Path, whole: Path) -> None:
    """Until one of them comes through, nothing is lost and nothing is half done."""
    noise(path, 1)
    for n in range(7):
        child = subprocess.Popen(
            [sys.executable, "-c", OPEN, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert child.stdout is not None and child.stdout.readline() == b"x\n"
        time.sleep(0.02 * 2**n)
        child.send_signal(signal.SIGKILL)
        child.wait()
    with Store(path):
        pass
    assert texts(path) == texts(whole)
    assert not [file for file in os.listdir(path.parent) if ".rescuing" in file or ".next-" in file]
    assert sum("damaged" in file and not file.endswith(("-wal", "-shm")) for file in os.listdir(path.parent)) == 1


def test_killed_in_the_exchange(path: Path, whole: Path) -> None:
    """Between the two names the new file waits; the next start ends what was begun, and knows of the damage."""
    noise(path, 1)
    with Store(path) as store:
        damage = store.damage
    assert damage is not None
    made = path.with_name("memory.sqlite.next-damaged-20300101T000000Z")
    for moved in (False, True):
        os.replace(path, made)
        if not moved:
            shutil.copy(damage.kept_aside, path)
        with pytest.raises(StoreUnreadable, match="start the robot"):
            Store(path, readonly=True)
        with Store(path) as store:
            assert moved or store.damage == damage
        assert texts(path) == texts(whole)


def test_no_room_for_the_rescue(path: Path, whole: Path) -> None:
    """The child may write files of 200 kB at most; the damaged memory stays as it was, and heals when there is room."""
    noise(path, 1)
    before = path.read_bytes()
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)); " + OPEN
    child = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert "DiskTrouble" in child.stderr.splitlines()[-1], child.stderr
    assert path.read_bytes() == before
    assert not [file for file in os.listdir(path.parent) if ".rescuing" in file or ".next-" in file]
    healed(path)
    assert texts(path) == texts(whole)
