"""The memory process without ROS: spooled clips in, answers out, one writer.

The memorise lane (intake.py) fills the store, the answering lane answers, the searching lane (searching.py) finds, the
desk lane does the small reads and writes that nobody may do in a callback, the upkeep lane (upkeep.py) what takes long.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.agent import LONGEST_QUESTION, Agent, Done, now_for, silent
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.idle import Idle
from robot_memory.control.intake import Intake
from robot_memory.control.policy import ReflexPolicy
from robot_memory.control.searching import Searching
from robot_memory.control.upkeep import Upkeep
from robot_memory.errors import RobotMemoryError
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.language.opening import open_text_embedder
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser, Stored
from robot_memory.memorization.saliency.learning import note_answered
from robot_memory.memory.budgets import Budget
from robot_memory.memory.compression.archive import ArchiveBudget
from robot_memory.memory.compression.online import NodeBudget
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.memory.graph import MemoryGraph, Models
from robot_memory.memory.storage.embedders import TEXT, Embedder
from robot_memory.memory.storage.store import Store, page_size_for
from robot_memory.models.manifest import Model, Profile, load_profile, profiles
from robot_memory.perception.objects import open_objects
from robot_memory.streams.sessions import Session, new_session_id, root_of
from robot_memory.streams.spool import Spool
from robot_memory.streams.working import WorkingMemory

LOG = logging.getLogger("robot_memory.memory")


class SessionRefused(RobotMemoryError):
    """A source may not be remembered into this store, and why."""


@dataclass(frozen=True)
class Counts:
    """What became of a session's clips (its clock-jump parts included)."""

    stored: int
    skipped: int
    waiting: int
    last_clip: int


class MemoryService:
    """Everything the memory server offers. Thread-safe; stop its lanes, then close it."""

    def __init__(
        self,
        store: StoreSettings,
        streams: StreamSettings,
        perception: PerceptionSettings,
        answers: AnswerSettings,
        traffic: Traffic,
        on_stored: Callable[[Session, Stored], None] = lambda session, stored: None,
    ) -> None:
        """Open the store and its models. Raises StoreLocked, StoreUnreadable or ModelMissing."""
        profile = load_profile(perception.profile)
        text = profile.model("text_embedding")
        embedder = open_text_embedder(text)
        self.store = Store(store.store_path(), page_size=page_size_for(embedder.dimension))
        try:
            self.spool = Spool(store.spool_path(), streams.spool_bytes)
            self.graph = MemoryGraph(self.store, models_of(profile))
        except BaseException:
            self.store.close()
            raise
        self.working = WorkingMemory()
        self._answers = answers
        self._agent = Agent(self.graph, embedder, ReflexPolicy(), self.working, answers.force_answer)
        describer = TranscriptDescriber(open_objects(perception))
        memoriser = Memoriser(self.graph, embedder, describer, perception.min_enrol_s, *budgets_of(store))
        self.intake = Intake(self.spool, memoriser, self.working, traffic, on_stored)
        self._answering = Lane("answering", Rank.ANSWERING, traffic, capacity=answers.queue)
        self.searching = Searching(self.graph, embedder, traffic)
        self.desk = Lane("desk", Rank.MEMORISE, traffic, capacity=100)
        self.upkeep = Upkeep(self.graph, embedder, checksum_of(text), traffic)
        self.idle = Idle(self.graph, embedder, self.upkeep)

    def ask(
        self,
        question: Question,
        max_rounds: int = 0,
        budget_s: float = 0.0,
        report: Callable[[Done], None] = silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Future[Answer]:
        """Queue a question; zeros mean the configured defaults. A full queue gives a BUSY answer at once."""
        self.idle.asked()
        rounds, seconds = max_rounds or self._answers.max_rounds, budget_s or self._answers.budget_s
        try:
            return self._answering.submit(partial(self._answer, question, rounds, seconds, report, cancelled))
        except Busy as busy:
            refused: Future[Answer] = Future()
            refused.set_result(Answer("", Outcome.BUSY, str(busy)))
            return refused

    def open_session(self, session: Session, into: bool) -> Session:
        """Admit a source; returns its session with its id. A bag's id comes from its content, so a replay cut short is
        resumed and each clip is stored once. Raises SessionRefused.
        """
        if session.live:
            return replace(session, id=session.id or new_session_id())
        opened = replace(session, id=session.bag_fingerprint[:32])
        db = self.store.reader()
        known = db.execute("SELECT finished, bag_uri FROM sessions WHERE id = ?", (opened.id,)).fetchone()
        if known and known["finished"]:
            raise SessionRefused(
                f"this bag is already remembered here (from {known['bag_uri']}): ask about it, or replay it into "
                "another store with --store"
            )
        lives = db.execute("SELECT count(*) FROM sessions WHERE bag_uri = ''").fetchone()[0]
        if lives and not known and not into:
            raise SessionRefused(
                f"this store holds {lives} live session{'s' * (lives > 1)}: add --into to mix the bag in, or use "
                "another store with --store"
            )
        return opened

    def finish_session(self, session_id: str) -> None:
        """A bag has been replayed to its end and all its clips are committed."""
        with self.store.write() as db:
            db.execute(f"UPDATE sessions SET finished = 1 WHERE {_parts('id')}", _of(session_id))
        self.spool.forget_session(session_id)
        self.working.ended(session_id)

    def warnings(self) -> list[str]:
        """What a person should know about the memory, though it works."""
        found = [str(self.store.damage)] if self.store.damage else []
        if self.upkeep.foreign:
            found.append(f"{self.upkeep.foreign:,} memories have vectors of another model: robot-memory reembed")
        return found

    def counts(self, session_id: str) -> Counts:
        """What became of the clips of a session."""
        root = root_of(session_id)
        query = (
            "SELECT coalesce(sum(skipped = ''), 0) AS stored, coalesce(sum(skipped != ''), 0) AS skipped, "
            f"coalesce(max(id), 0) AS last FROM clips WHERE {_parts('session')}"
        )
        row = self.store.reader().execute(query, _of(root)).fetchone()
        waiting = sum(root_of(place.parent.name) == root for place in self.spool.waiting())
        return Counts(row["stored"], row["skipped"], waiting, row["last"])

    def stop(self) -> None:
        """End the lanes: what runs is finished, but upkeep is broken off; waiting questions are cancelled, clips
        stay in the spool.
        """
        self._answering.close()
        self.searching.stop()
        self.upkeep.stop()
        self.intake.stop()
        self.desk.close()

    def close(self) -> None:
        """Stop, and release the store. Nobody may be reading any more."""
        self.stop()
        try:
            self.idle.last()
        finally:
            self.graph.close()
            self.store.close()

    def _answer(
        self,
        question: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Done], None],
        cancelled: Callable[[], bool],
    ) -> Answer:
        try:
            now_ns = question.as_of_ns or now_for(self.store.reader(), question.now_ns)
            question = replace(question, now_ns=now_ns)
            answer = self._agent.answer(question, max_rounds, budget_s, report, cancelled)
        except Exception as error:
            LOG.exception("question %s failed", question.id)
            return Answer("", Outcome.ERROR, f"The question could not be worked on: {error}")
        self._note(question, answer)
        return answer

    def _note(self, question: Question, answer: Answer) -> None:
        """Dialogue is kept, but apart from memories: a question proves nothing."""
        said = (
            question.id,
            question.now_ns,
            question.asker,
            question.text[:LONGEST_QUESTION],
            answer.outcome.name,
            answer.text,
        )
        cited = [evidence.memory for evidence in answer.evidence]
        try:
            with self.store.write() as db:
                db.execute(
                    "INSERT INTO dialogue"
                    "(question_id, asked_ns, asker, question, outcome, answer, confidence, evidence) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (*said, answer.confidence, json.dumps(cited)),
                )
                if answer.outcome is Outcome.ANSWERED:
                    note_answered(db, cited, answer.found, question.now_ns)
        except sqlite3.Error as error:  # trouble with the disk must not cost the asker the answer
            LOG.error("the dialogue could not be noted: %s", error)


def budgets_of(settings: StoreSettings) -> tuple[dict[str, Budget], NodeBudget, ArchiveBudget]:
    """How long pictures and people's own words are kept; how many memories are, in the index and in the archive."""
    media = {
        "snapshots": Budget(settings.snapshot_days, settings.snapshot_bytes),
        "quotes": Budget(settings.quote_days, settings.quote_bytes),
    }
    nodes = NodeBudget(settings.memories, settings.memory_bytes, settings.half_life_days)
    return media, nodes, ArchiveBudget(settings.archive, settings.archive_bytes)


def models_of(profile: Profile) -> Models:
    """The embedding models of a profile with their matching rules."""
    roles = ("face_embedding", "speaker_embedding", TEXT)
    face, voice, text = models = [profile.model(role) for role in roles]
    assert text.dimension is not None
    rules = {kind: MatchRule.of(model.thresholds) for kind, model in (("face", face), ("voice", voice))}
    known = tuple(
        Embedder(role, model.name, model.dimension or 0, checksum_of(model))
        for role, model in zip(roles, models, strict=True)
    )
    return Models(face.name, voice.name, text.name, text.dimension, rules, known)


def profile_of(db: sqlite3.Connection) -> Profile:
    """For who only reads: the profile whose text model the newest memory has, so that questions are compared with what
    is there; the default one where none has.
    """
    newest = db.execute("SELECT model FROM memories ORDER BY id DESC LIMIT 1").fetchone()
    usual = load_profile(PerceptionSettings().profile)
    if newest is None or usual.model(TEXT).name == newest["model"]:
        return usual
    for name in profiles():
        with suppress(RobotMemoryError):  # one that somebody is still writing is none of this question's business
            other = load_profile(name)
            if other.model(TEXT).name == newest["model"]:
                return other
    return usual


def checksum_of(model: Model) -> str:
    """What tells a model from another one of its name: a sha256 of those of its files."""
    return hashlib.sha256("".join(f"{file.name} {file.sha256}\n" for file in model.files).encode()).hexdigest()


def _parts(column: str) -> str:
    """A session and the parts that clock jumps split off it (id, id.1, …), as a condition that an index can serve."""
    return f"({column} = ? OR ({column} > ? AND {column} < ?))"


def _of(root: str) -> tuple[str, str, str]:
    return root, f"{root}.", f"{root}/"  # '/' follows '.' in ASCII
