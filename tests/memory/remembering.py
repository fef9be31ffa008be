"""Builders shared by the tests of memory: a small graph, and short ways to put things into it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np

from robot_memory.memory.entities.rule import MatchRule
from robot_memory.memory.graph import Change, MemoryGraph, Models
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.people.linking import pair
from robot_memory.memory.people.settling import new_person, settle
from robot_memory.memory.people.votes import Turn, cast
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.index import Vector
from robot_memory.models.model import Threshold

DIM = 8
SECOND = 1_000_000_000
MINUTE = 60 * SECOND
RULE = MatchRule(Threshold(((0.0, 0.5),)), Threshold(((0.0, 0.7),)))
MODELS = Models("faces 1", "voices 1", "text 1", DIM, {"face": RULE, "voice": RULE})


def graph_at(path: Path, models: Models = MODELS) -> MemoryGraph:
    return MemoryGraph(Store(path), models)


def unit(*numbers: float) -> Vector:
    """A unit vector that begins with these numbers."""
    vector = np.zeros(DIM, np.float32)
    vector[: len(numbers)] = numbers
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def random_unit(seed: int, count: int = 1) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def add_clip(db: sqlite3.Connection, sequence: int = 0, session: str = "s", start_ns: int | None = None) -> int:
    db.execute(
        "INSERT OR IGNORE INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock) "
        "VALUES (?, '', '', 0, '', '', '')",
        (session,),
    )
    start_ns = sequence * 30 * SECOND if start_ns is None else start_ns
    row = db.execute(
        "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s) VALUES (?, ?, ?, ?, 150, 30.0)",
        (session, sequence, start_ns, start_ns + 30 * SECOND),
    )
    assert row.lastrowid is not None
    return row.lastrowid


def add_entity(db: sqlite3.Connection, kind: str, clip: int) -> int:
    row = db.execute("INSERT INTO entities(kind, person, clip) VALUES (?, ?, ?)", (kind, new_person(db), clip))
    assert row.lastrowid is not None
    return row.lastrowid


def sentence(
    text: str = "Something happened.",
    start_s: float = 0.0,
    end_s: float | None = None,
    about: dict[str, float] | None = None,
    frame: Frame | None = None,
    kind: str = "episodic",
    source: str = "seen",
) -> Sentence:
    end_s = start_s + 1 if end_s is None else end_s
    return Sentence(
        "semantic" if frame else kind, text, int(start_s * SECOND), int(end_s * SECOND), source, about or {}, frame
    )


def remember(change: Change, clip: int, text: str, seed: int = 0, **fields: object) -> int:
    return change.remember(clip, sentence(text, **fields), random_unit(seed)[0])[0]  # type: ignore[arg-type]


class Story:
    """Voices and faces by their own numbers, for tests that read like what happened."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.clip = add_clip(db)
        self.now_ns = 0
        self.ids: dict[str, int] = {}

    def entity(self, name: str) -> int:
        """voice_1 or face_2 of the story, made when it is first named."""
        if name not in self.ids:
            self.ids[name] = add_entity(self.db, name.split("_")[0], self.clip)
        return self.ids[name]

    def token(self, name: str) -> str:
        """The store's own name of the story's voice_1 or face_2."""
        return f"{name.split('_')[0]}_{self.entity(name)}"

    def say(
        self,
        voice: str,
        *faces: str,
        times: int = 1,
        later: bool = False,
        unknown: int = 0,
        introduces: bool = False,
    ) -> None:
        """`voice` spoke so many turns while these faces were in view; `later`: in another conversation."""
        if later:
            self.now_ns += 10 * MINUTE
        for _ in range(times):
            self.now_ns += 5 * SECOND
            turn = Turn(self.entity(voice), tuple(sorted(self.entity(face) for face in faces)), unknown, introduces)
            cast(self.db, turn, self.clip, self.now_ns)
        self.settle(voice)

    def settle(self, *names: str) -> None:
        """Let the persons around these follow the evidence."""
        settle(self.db, [self.entity(name) for name in names], self.clip, self.now_ns)

    def meet(self, one: str, other: str) -> None:
        """Two faces in one picture, or two speakers in one clip."""
        both = pair(self.entity(one), self.entity(other))
        self.db.execute("INSERT OR IGNORE INTO apart VALUES (?, ?, ?)", (*both, self.clip))
        self.settle(one, other)

    def resemble(self, one: str, other: str) -> None:
        """Two faces that look alike, or two voices that sound alike."""
        both = pair(self.entity(one), self.entity(other))
        self.db.execute("INSERT OR IGNORE INTO alike VALUES (?, ?, 0.6, ?)", (*both, self.clip))
        self.settle(one, other)

    def person(self, name: str) -> int:
        return int(self.db.execute("SELECT person FROM entities WHERE id = ?", (self.entity(name),)).fetchone()[0])

    def together(self, *names: str) -> bool:
        return len({self.person(name) for name in names}) == 1
