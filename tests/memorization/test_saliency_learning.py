"""Which memories answer questions teaches what is worth remembering: slowly, on the robot, and by ids alone."""

from __future__ import annotations

import math
import sqlite3

import pytest

from robot_memory.memorization.saliency import learning
from robot_memory.memorization.saliency.learning import learn, note_answered
from robot_memory.memorization.saliency.table import reasons
from robot_memory.memorization.saliency.teaching import teach
from robot_memory.memorization.saliency.weigh import weigh_anew
from robot_memory.memorization.saliency.why import why
from told import Story

TABLE = {one.name: one.adds for one in reasons()}


@pytest.fixture
def lived(story: Story) -> Story:
    """Five lines that ask the robot to remember, and five of small talk, by somebody known."""
    story.clip({"anna": (0, 29)}, [("anna", 1, 5, "Good morning."), ("anna", 6, 10, "What a day.")])
    for n in range(5):
        at = 30 * n + 30
        lines = [("anna", at + 1, at + 5, f"Don't forget number {n}."), ("anna", at + 6, at + 10, f"Rain number {n}.")]
        story.clip({"anna": (at, at + 29)}, lines)
    return story


def ids(db: sqlite3.Connection, words: str) -> list[int]:
    return [row["id"] for row in db.execute("SELECT id FROM memories WHERE text LIKE ? ORDER BY id", (f"%{words}%",))]


def ask(story: Story, cited: str, found: str, times: int) -> dict[str, float]:
    """So many answers cited one sort and found the other as well; returns the weights learnt."""
    with story.graph.store.write() as db:
        for n in range(times):
            note_answered(db, [ids(db, cited)[n % 5]], ids(db, found), n)
        return dict(learn(db))


def test_few_answers_change_little(lived: Story) -> None:
    learnt = ask(lived, "Rain number", "forget number", 3)
    assert max(abs(learnt[name] - adds) for name, adds in TABLE.items()) < 0.15
    assert learnt["request"] < TABLE["request"]


def test_many_answers_change_much(lived: Story) -> None:
    assert ask(lived, "Rain number", "forget number", 300)["request"] < 0.3
    assert ask(lived, "forget number", "Rain number", 900)["request"] > 1.0, "the newest answers count"


def test_where_nothing_was_asked_the_table_holds(lived: Story) -> None:
    with lived.graph.store.write() as db:
        assert dict(learn(db)) == TABLE
        note_answered(db, [], ids(db, "Rain number"), 1)
        assert dict(learn(db)) == TABLE


def test_memories_are_weighed_anew_by_what_was_learnt(lived: Story) -> None:
    db = lived.graph.store.reader()
    request = ids(db, "forget number")[3]
    old = saliency(db, request)
    ask(lived, "Rain number", "forget number", 300)
    after, calls = 0, 0
    while calls == 0 or after:
        with lived.graph.store.write() as writer:
            after, calls = weigh_anew(writer, after, most=7), calls + 1
    assert calls > 2 and saliency(db, request) < old
    for row in db.execute("SELECT id, saliency FROM memories").fetchall():
        whole = sum(amount for _, amount in why(db, row["id"]))
        assert math.isclose(row["saliency"], 1 / (1 + math.exp(-whole)))


def test_all_is_taken_up_when_idle_and_only_once(lived: Story) -> None:
    store, db = lived.graph.store, lived.graph.store.reader()
    old = saliency(db, ids(db, "forget number")[3])
    assert not teach(store), "nothing was asked"
    with store.write() as writer:
        for n in range(300):
            note_answered(writer, [ids(writer, "Rain number")[n % 5]], ids(writer, "forget number"), n)
    steps: list[None] = []
    assert teach(store, lambda: steps.append(None)) and steps
    assert saliency(db, ids(db, "forget number")[3]) < old
    assert not teach(store)


def test_only_memories_are_noted_and_a_cited_one_was_not_unused(lived: Story) -> None:
    with lived.graph.store.write() as db:
        one, other = ids(db, "Rain number")[:2]
        note_answered(db, [one, one, 0, 99_999], [other, one, -1], 5)
        rows = db.execute("SELECT memory, at_ns, cited FROM answered ORDER BY id").fetchall()
    assert [tuple(row) for row in rows] == [(one, 5, 1), (other, 5, 0)]


def test_a_claim_is_not_unused_where_its_words_are_cited(lived: Story) -> None:
    lived.clip({"anna": (180, 209)}, [("anna", 181, 185, "I like tea.")])
    with lived.graph.store.write() as db:
        words, claim = ids(db, "I like tea")[0], ids(db, "likes tea")[0]
        note_answered(db, [words], [claim, *ids(db, "Rain number")[:1]], 5)
        assert db.execute("SELECT count(*) FROM answered WHERE memory = ?", (claim,)).fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM answered").fetchone()[0] == 2


def test_a_forgotten_memory_is_no_longer_learnt_from(lived: Story) -> None:
    with lived.graph.store.write() as db:
        one = ids(db, "Rain number")[0]
        note_answered(db, [one], [], 5)
        db.execute("DELETE FROM edges WHERE memory = ?", (one,))
        db.execute("DELETE FROM memories WHERE id = ?", (one,))
        assert db.execute("SELECT count(*) FROM answered").fetchone()[0] == 0
        assert dict(learn(db)) == TABLE


def test_the_log_is_bounded(lived: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "KEPT", 20)
    with lived.graph.store.write() as db:
        for n in range(30):
            note_answered(db, ids(db, "Rain number")[:1], ids(db, "forget number"), n)
        assert db.execute("SELECT count(*), max(at_ns) FROM answered").fetchone()[:] == (20, 29)


def saliency(db: sqlite3.Connection, memory: int) -> float:
    return float(db.execute("SELECT saliency FROM memories WHERE id = ?", (memory,)).fetchone()[0])
