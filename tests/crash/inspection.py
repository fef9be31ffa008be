"""What may be left after a crash: exactly what an undisturbed run holds after the same number of clips, and not less
than what was acknowledged.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from writing_server import STORE, Key, stored_within, story

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import budgets_of, models_of
from robot_memory.errors import RobotMemoryError, SpoolCorrupt
from robot_memory.evaluation.trial import Clip
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors.packing import unpack
from robot_memory.models.manifest import load_profile
from robot_memory.streams import clipfiles
from robot_memory.streams.spool import Spool

OF_THE_RUN = {"meta", "dialogue", "answered"}  # tables that depend on how a run went, not on what was perceived
SEARCHED = 8  # memories of the last clips, and as many of all, that are looked for after every crash


@dataclass(frozen=True)
class State:
    """What a store holds: its logical hash and the rows of each table."""

    fingerprint: str
    rows: dict[str, int]

    @staticmethod
    def of(db: sqlite3.Connection) -> State:
        tables = db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%fts%'"
        )
        names = {row[0] for row in tables} - OF_THE_RUN
        rows = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
        return State(fingerprint(db), rows)


@dataclass(frozen=True)
class Undisturbed:
    """A world's clips, and what a memory holds after each that nothing happened to: states[n] after n clips."""

    clips: tuple[Clip, ...]
    states: tuple[State, ...]


def undisturbed(seed: int, embedder: TextEmbedder, folder: Path, most: int, memories: int = 0) -> Undisturbed:
    """The seed's world, of `most` clips at most, and what becomes of them, within a budget, when nothing happens."""
    clips = story(seed, most)
    settings = PerceptionSettings()
    with Store(folder / f"undisturbed-{seed}.sqlite") as store:
        graph = MemoryGraph(store, models_of(load_profile(settings.profile)))
        budgets = budgets_of(stored_within(memories))
        memoriser = Memoriser(graph, embedder, TranscriptDescriber(), settings.min_enrol_s, *budgets)
        states = [State.of(store.reader())]
        for clip in clips:
            memoriser.memorise(clip.observation, clip.session)
            states.append(State.of(store.reader()))
    return Undisturbed(clips, tuple(states))


@dataclass
class Told:
    """What the server has acknowledged, over all its lives."""

    spooled: set[int] = field(default_factory=set)
    stored: set[int] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def hear(self, line: str) -> None:
        self.lines.append(line)
        word, _, what = line.partition(" ")
        if word == "spooled":
            self.spooled.add(int(what))
        elif word == "stored":
            self.stored.add(int(what))
        elif word == "answered":
            self.answered.add(what)


@dataclass
class Findings:
    """What was wrong, by kind, with an example of each; how long the store took to open, in seconds."""

    wrong: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    opening_s: list[float] = field(default_factory=list)

    def add(self, kind: str, example: str) -> None:
        self.wrong[kind] += 1
        self.examples.setdefault(kind, example)


KINDS = ("does not open", "damaged", "lost", "partial", "unsearchable", "not told right")


def examine(folder: Path, life: Undisturbed, told: Told, findings: Findings, where: str) -> int:
    """Open what a crash left in `folder` and look at all of it; returns how many clips are stored. It changes the
    folder: give it a copy where that matters.
    """
    began = time.perf_counter()
    try:
        with Store(folder / STORE) as store:
            graph = MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile)))
            findings.opening_s.append(time.perf_counter() - began)
            if store.damage:
                findings.add("damaged", f"{where}: {store.damage}")
            return _examine(folder, store, graph, life, told, findings, where)
    except (RobotMemoryError, sqlite3.Error, OSError, ValueError) as error:
        findings.add("does not open", f"{where}: {error}")
        return 0


def _examine(
    folder: Path, store: Store, graph: MemoryGraph, life: Undisturbed, told: Told, findings: Findings, where: str
) -> int:
    with store.write() as db:
        checked = [row[0] for row in db.execute("PRAGMA quick_check")]
        if checked != ["ok"] or db.execute("PRAGMA foreign_key_check").fetchall():
            findings.add("damaged", f"{where}: {checked[:3]}")
        try:
            db.execute("INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)")
        except sqlite3.Error as error:
            findings.add("unsearchable", f"{where}: the keyword index does not fit the memories: {error}")
    db = store.reader()
    rows = db.execute("SELECT session, sequence, skipped FROM clips ORDER BY id").fetchall()
    stored = [(row["session"], row["sequence"]) for row in rows]
    keys = [clip.key for clip in life.clips]
    if stored != keys[: len(stored)]:
        findings.add("partial", f"{where}: clips {[keys.index(key) for key in stored]} are stored")
    elif State.of(db) != life.states[len(stored)]:
        findings.add("partial", f"{where}: {len(stored)} clips, but {_differences(db, life.states[len(stored)])}")
    if skipped := [row["skipped"] for row in rows if row["skipped"]]:
        findings.add("lost", f"{where}: stored as skipped: {skipped}")
    _acknowledged(db, folder, set(stored), keys, told, findings, where)
    _found(db, graph, findings, where)
    return len(stored)


def _acknowledged(
    db: sqlite3.Connection,
    folder: Path,
    stored: set[Key],
    keys: Sequence[Key],
    told: Told,
    findings: Findings,
    where: str,
) -> None:
    if gone := sorted(number for number in told.stored if keys[number] not in stored):
        findings.add("lost", f"{where}: clips {gone} were acknowledged as stored")
    waiting = _readable(folder)
    if gone := sorted(number for number in told.spooled if keys[number] not in stored | waiting):
        findings.add("lost", f"{where}: clips {gone} were acknowledged as spooled")
    noted = {row[0] for row in db.execute("SELECT question_id FROM dialogue")}
    if unknown := told.answered - noted:
        findings.add("lost", f"{where}: answers {sorted(unknown)} were given")


def _readable(folder: Path) -> set[Key]:
    """The clips that wait in the spool and can be read."""
    found: set[Key] = set()
    root = (folder / STORE).with_suffix(".spool")
    for place in Spool(root, 1).waiting() if root.exists() else []:
        try:
            observation = clipfiles.read(place)
        except SpoolCorrupt:
            continue
        found.add((observation.session, observation.sequence))
    return found


def _found(db: sqlite3.Connection, graph: MemoryGraph, findings: Findings, where: str) -> None:
    """Every memory is in the vector index; the last ones and some of the others are found by word and by vector."""
    rows = db.execute("SELECT id, text, embedding FROM memories WHERE archived = 0 ORDER BY id DESC").fetchall()
    if len(graph.index) != len(rows):
        findings.add("unsearchable", f"{where}: {len(rows)} memories, {len(graph.index)} vectors")
    for row in [*rows[:SEARCHED], *rows[SEARCHED :: len(rows) // SEARCHED + 1]]:
        vector = unpack(row["embedding"])
        _, (best, *_) = graph.index.search(vector, 1)
        (mine,) = graph.index.search(vector, 1, np.array([row["id"]]))[1]
        if mine < best - 1e-3:
            findings.add("unsearchable", f"{where}: memory {row['id']} is not nearest to its own vector")
        if row["id"] not in {hit.memory for hit in search(db, graph.index, Query(row["text"]), None)}:
            findings.add("unsearchable", f"{where}: memory {row['id']} is not found by its words")


def _differences(db: sqlite3.Connection, wanted: State) -> str:
    found = State.of(db)
    rows = {
        name: (found.rows.get(name), wanted.rows.get(name))
        for name in sorted({*found.rows, *wanted.rows})
        if found.rows.get(name) != wanted.rows.get(name)
    }
    return f"rows (found, wanted) {rows}" if rows else "the logical hash differs"
