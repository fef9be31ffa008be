"""A memory keeps within its budget, clip by clip: what is worth least goes, what must stay stays, and a restart changes
nothing.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from remembering import DIM, MINUTE, SECOND, add_clip, graph_at, random_unit

from robot_memory.memory.compression.archive import ArchiveBudget, trim
from robot_memory.memory.compression.collapse import strengthen_alike
from robot_memory.memory.compression.coverage import WINDOW as COVERED
from robot_memory.memory.compression.floor import FEW
from robot_memory.memory.compression.online import Compressed, NodeBudget, compress
from robot_memory.memory.compression.worth import PROTECTED, Switches
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.insertion.sentence import Frame, Sentence

BUDGET = NodeBudget(60)
PLAIN = Switches(floor=False)


class Life:
    """A robot that remembers some sentences a clip, each clip an hour after the one before."""

    def __init__(self, path: Path, switches: Switches = PLAIN, budget: NodeBudget = BUDGET) -> None:
        self.path, self.switches, self.budget = path, switches, budget
        self.graph = graph_at(path)
        self.clips = 0

    def again(self) -> None:
        """The robot is started anew."""
        self.graph.store.close()
        self.graph = graph_at(self.path)

    def live(self, sentences: Iterable[tuple[str, np.ndarray, Frame | None]], confidence: float = 1.0) -> Compressed:
        with self.graph.change() as change:
            start_ns = self.clips * 60 * MINUTE
            clip = add_clip(change.db, self.clips, start_ns=start_ns)
            face = change.new_entity("face", clip) if not self.clips else 1
            turn = change.db.execute(
                "INSERT INTO turns(clip, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, '…', ?)",
                (clip, start_ns, start_ns + SECOND, confidence),
            ).lastrowid
            for n, (text, vector, frame) in enumerate(sentences):
                at_ns = start_ns + n * SECOND
                about = {f"face_{face}": 1.0}
                said = Sentence("semantic", text, at_ns, at_ns + SECOND, "heard", about, frame, turn)
                change.remember(clip, said, vector)
            added = {memory: vector for memory, vector, _ in change.memories}
            done = compress(change.db, "text 1", added, self.budget, self.switches)
            if done.going:
                change.archive(done.going)
            self.clips += 1
        return done

    @property
    def db(self) -> sqlite3.Connection:
        return self.graph.store.reader()

    def left(self) -> list[str]:
        return [row["text"] for row in self.db.execute("SELECT text FROM memories WHERE archived = 0 ORDER BY id")]


@pytest.fixture
def life(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = Life(tmp_path / "memory.sqlite")
    yield made
    made.graph.store.close()


def said(clip: int, count: int = 10) -> list[tuple[str, np.ndarray, Frame | None]]:
    return [(f"Line {clip}-{n} about {clip * n}", random_unit(100 * clip + n)[0], None) for n in range(count)]


def test_the_budget_holds_and_what_went_is_in_the_archive(life: Life) -> None:
    for clip in range(20):
        life.live(said(clip))
    assert len(life.left()) == BUDGET.items == len(life.graph.index)
    assert life.db.execute("SELECT count(*) FROM memories WHERE archived = 1").fetchone()[0] == 140
    found = life.db.execute("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'line'").fetchone()[0]
    assert found == BUDGET.items


def test_a_start_anew_changes_nothing(tmp_path: Path) -> None:
    steady, restarted = Life(tmp_path / "one.sqlite"), Life(tmp_path / "two.sqlite")
    for clip in range(12):
        steady.live(said(clip))
        restarted.live(said(clip))
        restarted.again()
    assert steady.left() == restarted.left()
    keep = "SELECT id, keep FROM memories ORDER BY id"
    assert [tuple(row) for row in steady.db.execute(keep)] == [tuple(row) for row in restarted.db.execute(keep)]


def test_an_undone_clip_leaves_no_trace(life: Life) -> None:
    for clip in range(8):
        life.live(said(clip))
    before = life.left(), tuple(life.db.execute("SELECT count, total FROM running").fetchone())
    with pytest.raises(ValueError, match="text embedding"):
        life.live([("A line.", random_unit(5)[0], None), ("Another.", np.zeros(3, np.float32), None)])
    assert (life.left(), tuple(life.db.execute("SELECT count, total FROM running").fetchone())) == before


def test_what_holds_stays_whatever_comes(life: Life) -> None:
    life.live([("Anna lives in Leeds.", random_unit(1)[0], Frame("<face_1>", "home", "Leeds"))])
    for clip in range(1, 20):
        life.live(said(clip))
    assert "Anna lives in Leeds." in life.left()
    keep = life.db.execute("SELECT keep FROM memories WHERE attribute = 'home'").fetchone()[0]
    assert keep > PROTECTED / 2


def test_what_no_longer_holds_may_go(life: Life) -> None:
    life.live([("Anna lives in Leeds.", random_unit(1)[0], Frame("<face_1>", "home", "Leeds"))])
    life.live([("Anna lives in York.", random_unit(2)[0], Frame("<face_1>", "home", "York"))])
    for clip in range(2, 4):
        life.live(said(clip))
    keeps = dict(life.db.execute("SELECT value, keep FROM memories WHERE attribute = 'home'").fetchall())
    assert keeps["Leeds"] < PROTECTED / 2 < keeps["York"]


def test_a_promise_is_kept_until_it_is_over(life: Life) -> None:
    life.live([("Anna promised to fix the gate.", random_unit(1)[0], Frame("<face_1>", "promise", "fix the gate"))])
    score = "SELECT keep FROM memories WHERE attribute = 'promise'"
    assert life.db.execute(score).fetchone()[0] > PROTECTED / 2
    life.clips += 24 * 40
    for clip in range(24 * 40 + 1, 24 * 40 + 40):
        life.clips = clip * 24  # a day each: a pause counts as a day at most
        life.live(said(clip, 1))
    assert life.db.execute(score).fetchone()[0] < PROTECTED / 2


def test_what_is_said_again_and_again_becomes_one_counted_sentence(life: Life) -> None:
    hello = random_unit(7)[0]
    for clip in range(12):
        life.live([("Good morning, everybody.", hello, None), *said(clip, 9)])
    rows = life.db.execute(
        "SELECT id, count FROM memories WHERE archived = 0 AND text = 'Good morning, everybody.'"
    ).fetchall()
    assert len(rows) < 12
    most = max(rows, key=lambda row: row["count"])
    told = life.db.execute("SELECT count(*) FROM supports WHERE memory = ?", (most["id"],)).fetchone()[0]
    assert most["count"] == told > 1
    assert sum(row["count"] for row in rows) == 12


def test_garbage_goes_first(life: Life) -> None:
    rng = np.random.default_rng(3)
    common = random_unit(11)[0]
    for clip in range(20):
        near = common + 0.35 * rng.normal(size=(9, DIM)).astype(np.float32)
        life.live((f"Line {clip}-{n}", v / np.linalg.norm(v), None) for n, v in enumerate(near))
        life.live([(f"xx qz {clip}", random_unit(900 + clip)[0], None)], confidence=0.15)
    garbage = sum(text.startswith("xx") for text in life.left())
    assert garbage / len(life.left()) < 0.1


def test_garbage_stays_where_quality_does_not_count(tmp_path: Path) -> None:
    """The published score keeps what is like nothing else."""
    life = Life(tmp_path / "m.sqlite", Switches(quality=False, distinct=False, floor=False))
    rng = np.random.default_rng(3)
    common = random_unit(11)[0]
    for clip in range(20):
        near = common + 0.35 * rng.normal(size=(9, DIM)).astype(np.float32)
        life.live((f"Line {clip}-{n}", v / np.linalg.norm(v), None) for n, v in enumerate(near))
        life.live([(f"xx qz {clip}", random_unit(900 + clip)[0], None)], confidence=0.15)
    garbage = sum(text.startswith("xx") for text in life.left())
    assert garbage / len(life.left()) > 0.1
    life.graph.store.close()


def test_the_last_few_of_a_person_and_a_day_stay(tmp_path: Path) -> None:
    life = Life(tmp_path / "m.sqlite", Switches(), NodeBudget(100))
    for clip in range(30):
        life.clips = clip * 24
        life.live(said(clip))
    rows = life.db.execute("SELECT start_ns FROM memories WHERE archived = 0")
    left = Counter(row[0] // DAY_NS for row in rows)
    assert len(left) == 30 and min(left.values()) == FEW
    life.graph.store.close()


def test_the_budget_holds_where_all_is_protected(tmp_path: Path) -> None:
    """30 days of FEW do not fit in: then those worth least go as well."""
    life = Life(tmp_path / "m.sqlite", Switches(), NodeBudget(40))
    for clip in range(30):
        life.clips = clip * 24
        life.live(said(clip))
        assert len(life.left()) <= 40
    life.graph.store.close()


def test_a_clip_that_brings_very_much_does_not_outrun_the_budget(life: Life) -> None:
    for clip in range(4):
        life.live(said(clip, 99))
    assert len(life.left()) == BUDGET.items


def test_a_store_of_before_begins_with_what_it_has(life: Life) -> None:
    """Nothing was ever added up, the first clip brings nothing, and yet what is there can be weighed."""
    for clip in range(4):
        life.live(said(clip))
    with life.graph.change() as change:
        total = np.frombuffer(change.db.execute("SELECT total FROM running").fetchone()[0])
        change.db.execute("DELETE FROM running")
        change.db.execute("UPDATE memories SET keep = NULL")
    assert life.live([]).weighed == 40
    assert life.live(said(5)).going == ()
    count, begun = life.db.execute("SELECT count, total FROM running").fetchone()
    assert count == 50
    assert np.allclose(np.frombuffer(begun) - sum(v for _, v, _ in said(5)), total, atol=0.05)  # float16 is stored


def test_vectors_of_another_model_stop_nothing(life: Life) -> None:
    """Until all is embedded anew there are vectors that cannot be compared."""
    for clip in range(8):
        life.live(said(clip))
    with life.graph.change() as change:
        change.db.execute("UPDATE memories SET model = 'text 0', embedding = zeroblob(48) WHERE id % 2 = 0")
        change.db.execute("UPDATE memories SET keep = NULL WHERE id % 4 = 0")
    life.graph.reload_index()
    for clip in range(8, 12):
        life.live(said(clip))
        assert len(life.left()) == BUDGET.items
    assert life.db.execute("SELECT count(*) FROM memories WHERE archived = 0 AND model = 'text 0'").fetchone()[0] > 0


def test_what_covers_most_of_what_is_about_nobody_stays(tmp_path: Path) -> None:
    """A window of sights: many alike, and one of each of a few other kinds. Weighed again, each keeps what it got."""
    life = Life(tmp_path / "m.sqlite", PLAIN, NodeBudget(COVERED))
    kinds = random_unit(50, 6)
    for clip in range(COVERED // 16):
        with life.graph.change() as change:
            number = add_clip(change.db, clip, start_ns=clip * MINUTE)
            for n in range(16):
                noise = 0.05 * random_unit(1000 * clip + n)[0]
                vector = kinds[n % 6 if clip == 3 else 0] + noise
                text = f"Sight {clip}-{n} of kind {n % 6 if clip == 3 else 0}"
                at_ns = clip * MINUTE + n * SECOND
                seen = Sentence("episodic", text, at_ns, at_ns + SECOND, "seen")
                change.remember(number, seen, (vector / np.linalg.norm(vector)).astype(np.float32))
            added = {memory: vector for memory, vector, _ in change.memories}
            compress(change.db, "text 1", added, life.budget, PLAIN)
    life.clips = COVERED // 16
    assert life.db.execute("SELECT count(*) FROM windows").fetchone()[0] == 0
    keeps = dict(life.db.execute("SELECT id, keep FROM memories").fetchall())
    life.budget = NodeBudget(40)
    while len(life.left()) > 40:
        life.live([])
    assert dict(life.db.execute("SELECT id, keep FROM memories").fetchall()) == keeps
    assert {text.split()[-1] for text in life.left()} == set("012345")
    life.graph.store.close()


def test_the_archive_has_a_budget_too(life: Life) -> None:
    for clip in range(20):
        life.live(said(clip))
    with life.graph.change() as change:
        trim(change.db, ArchiveBudget(50, 0))
    assert life.db.execute("SELECT items FROM held WHERE kind = 'archive'").fetchone()[0] == 50
    assert life.db.execute("SELECT items FROM evicted WHERE kind = 'archive'").fetchone()[0] == 90


def test_a_store_from_before_is_weighed_little_by_little(tmp_path: Path) -> None:
    life = Life(tmp_path / "m.sqlite", PLAIN, NodeBudget(0))
    for clip in range(40):
        life.live(said(clip))
    with life.graph.change() as change:
        change.db.execute("UPDATE memories SET keep = NULL")
    life.budget = BUDGET
    while len(life.left()) > BUDGET.items:
        assert len(life.live([]).going) <= 64
    assert len(life.left()) == BUDGET.items
    life.graph.store.close()


def test_what_is_counted_does_not_stretch_over_the_time_between(life: Life) -> None:
    hello = random_unit(7)[0]
    for clip in range(12):
        life.live([("Good morning, everybody.", hello, None), *said(clip, 9)])
    spans = life.db.execute("SELECT max(end_ns - start_ns) FROM memories WHERE archived = 0").fetchone()[0]
    assert spans == SECOND


def test_each_observation_is_counted_once(life: Life) -> None:
    """Of three alike, the last goes to the first; then the second must not go to the last as well."""
    life.live([("One and the same.", random_unit(7)[0], None) for _ in range(3)])
    with life.graph.change() as change:
        change.db.execute("DELETE FROM relations")
        change.db.executemany("INSERT INTO relations VALUES (?, ?, 'similar')", [(3, 1), (3, 2)])
        counted, stays = strengthen_alike(change.db, [2, 3])
    assert not counted & stays
    assert life.db.execute("SELECT count FROM memories WHERE id = 3").fetchone()[0] == 1


def test_what_no_rule_rests_on_any_more_is_weighed_anew(life: Life) -> None:
    life.live(said(0, 3))
    with life.graph.change() as change:
        change.db.executemany("INSERT INTO derivations VALUES (3, ?)", [(1,), (2,)])
        change.db.execute("UPDATE memories SET keep = keep + ? WHERE id IN (1, 2)", (PROTECTED,))
        change.db.execute("DELETE FROM derivations WHERE support = 1")
    life.live([])
    keeps = dict(life.db.execute("SELECT id, keep FROM memories").fetchall())
    assert keeps[1] < PROTECTED / 2 < keeps[2]
