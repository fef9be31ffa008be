"""Parity with M3-Agent's rule for semantic memories, on random graphs, against the rule told naively."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from claiming import memory_of, relations, tell, weights
from remembering import DIM, unit

from robot_memory.memory.insertion.insert import take_in
from robot_memory.memory.insertion.parity import Rules
from robot_memory.memory.insertion.sentence import Frame, Sentence

ANNA = {"face_1": 1.0}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with memory_of(tmp_path, ("face",), ("voice",), ("face",), ("voice",)) as db:
        yield db


def test_alike_is_the_same(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> likes tea.", unit(1.0), ANNA, Rules.PAPER)
    done = tell(db, "<face_1> likes tea a lot.", unit(1.0, 0.1), ANNA, Rules.PAPER)
    assert (done.memory, done.new) == (1, False) and weights(db, 1) == {1: 2.0}


def test_what_was_done_is_always_kept(db: sqlite3.Connection) -> None:
    for _ in range(2):
        assert tell(db, "<face_1> drinks tea.", unit(1.0), ANNA, Rules.PAPER, kind="episodic").new


def test_the_opposite_weakens_and_is_kept_by_the_paper_and_lost_by_the_code(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> likes tea.", unit(1.0), ANNA, Rules.PAPER)
    assert not tell(db, "<face_1> hates tea.", unit(-1.0), ANNA, Rules.CODE).new
    assert weights(db, 1) == {}, "its edge fell to nothing and was deleted"
    tell(db, "<face_1> likes milk.", unit(0.0, 1.0), ANNA, Rules.PAPER)
    assert tell(db, "<face_1> hates milk.", unit(0.0, -1.0), ANNA, Rules.PAPER).new


def test_whom_it_is_about_must_be_included(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> likes tea.", unit(1.0), ANNA, Rules.PAPER)
    both = {"face_1": 1.0, "voice_2": 1.0}
    assert tell(db, "<face_1> and <voice_2> like tea.", unit(1.0), both, Rules.PAPER).new
    assert not tell(db, "<face_1> likes tea.", unit(1.0), ANNA, Rules.PAPER).new
    assert weights(db, 1) == {1: 2.0} and weights(db, 2) == {1: 2.0, 2: 2.0}, "every candidate, not only the best"


def test_a_veto_guards(db: sqlite3.Connection) -> None:
    tell(db, "<face_1> likes tea.", unit(1.0), ANNA, Rules.GUARDED)
    assert tell(db, "<face_1> doesn't like tea.", unit(1.0, 0.1), ANNA, Rules.GUARDED).new
    assert not tell(db, "<face_1> likes some tea.", unit(1.0, 0.1), ANNA, Rules.GUARDED).new
    assert relations(db, "similar") == []


class Naive:
    """The rule as its authors describe it: every edge is looked at, every time."""

    def __init__(self, entities: set[str]) -> None:
        self.entities = entities
        self.texts: list[tuple[str, str, np.ndarray]] = []
        self.edges: dict[tuple[int, str], float] = {}

    def take(self, kind: str, text: str, vector: np.ndarray, rules: Rules) -> None:
        mine = self.mentioned(text)
        kept = True
        if kind == "semantic" and mine:
            for n, (other_kind, other, its) in enumerate(self.texts):
                if other_kind != "semantic" or (n, mine[0]) not in self.edges:
                    continue
                if not set(mine) <= set(self.mentioned(other)):
                    continue
                cosine = float(its @ vector)
                step = 1 if cosine > 0.85 else -1 if cosine < 0 else 0
                if step == 1 or (step == -1 and rules is Rules.CODE):
                    kept = False
                for edge in [edge for edge in self.edges if edge[0] == n]:
                    self.edges[edge] += step
                    if self.edges[edge] <= 0:
                        del self.edges[edge]
        if kept:
            for entity in mine:
                self.edges[len(self.texts), entity] = 1.0
            self.texts.append((kind, text, vector.astype(np.float16).astype(np.float32)))

    def mentioned(self, text: str) -> list[str]:
        found: list[str] = []
        for token in re.findall(r"<(\w+_\d+)>", text):
            if token in self.entities and token not in found:
                found.append(token)
        return found


@pytest.mark.parametrize("rules", [Rules.PAPER, Rules.CODE])
@pytest.mark.parametrize("seed", range(8))
def test_random_graphs(db: sqlite3.Connection, rules: Rules, seed: int) -> None:
    throw, naive = random.Random(seed), Naive({"face_1", "voice_2", "face_3", "voice_4"})
    directions = [unit(*(throw.uniform(-1, 1) for _ in range(DIM))) for _ in range(3)]
    for n in range(120):
        tokens = throw.sample(["face_1", "voice_2", "face_3", "voice_4", "face_12"], throw.randint(0, 3))
        text = " ".join([*(f"<{token}>" for token in tokens), f"number {n}"])
        vector = unit(*(throw.choice(directions) * throw.choice([1, -1]) + [throw.gauss(0, 0.1) for _ in range(DIM)]))
        kind = throw.choice(["semantic", "semantic", "episodic"])
        about = dict.fromkeys(naive.mentioned(text), 1.0)
        tell(db, text, vector, about, rules, kind)
        naive.take(kind, text, vector, rules)
    kept = [row["text"] for row in db.execute("SELECT text FROM memories ORDER BY id")]
    assert kept == [text for _, text, _ in naive.texts]
    edges = db.execute("SELECT memory, kind || '_' || id AS token, weight FROM edges JOIN entities ON id = entity")
    assert {(row["memory"] - 1, row["token"]): row["weight"] for row in edges} == naive.edges


def test_claims_are_written_down_but_decide_nothing(db: sqlite3.Connection) -> None:
    for home in ("Rome", "Oslo"):
        said = Sentence(
            "semantic", f"<face_1> lives in {home}.", 0, 1, "heard", ANNA, Frame("<face_1>", "lives in", home)
        )
        vector = unit(1.0) if home == "Rome" else unit(0.0, 1.0)
        assert take_in(db, 1, said, vector, "text 1", Rules.PAPER).new
    rows = db.execute("SELECT attribute, norm, valid_until_ns FROM memories ORDER BY id").fetchall()
    assert [tuple(row) for row in rows] == [("home", "rome", None), ("home", "oslo", None)]
