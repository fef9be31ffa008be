"""The memory process without ROS: spooled clips in, answers out, one writer.

The memorise lane takes clips from the spool into the store, one transaction each, and removes them once they are
committed; the answering lane answers. A clip that cannot be read is set aside and stored as skipped; when the disk is
full the clip waits.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from robot_memory.config import AnswerSettings, PerceptionSettings, StoreSettings, StreamSettings
from robot_memory.control.agent import Agent, Step, silent
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.policy import RulePolicy
from robot_memory.errors import RobotMemoryError, SpoolCorrupt
from robot_memory.lanes import Busy, Lane, Rank, Traffic
from robot_memory.language.embedder import StaticEmbedder
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser, Stored
from robot_memory.memory.entities import MatchRule
from robot_memory.memory.graph import MemoryGraph, Models
from robot_memory.memory.store import Store
from robot_memory.models.manifest import Profile, load_profile
from robot_memory.streams import spool as spooled
from robot_memory.streams.observation import ClipObservation
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
    """Everything the memory server offers. Thread-safe; close it."""

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
        embedder = StaticEmbedder(profile.model("text_embedding"))
        self.store = Store(store.store_path())
        try:
            self.graph = MemoryGraph(self.store, models_of(profile))
            self.spool = Spool(store.spool_path(), streams.spool_bytes)
        except BaseException:
            self.store.close()
            raise
        self.working = WorkingMemory()
        self._answers = answers
        self._memoriser = Memoriser(self.graph, embedder, TranscriptDescriber(), perception.min_enrol_s)
        self._agent = Agent(self.graph, embedder, RulePolicy(), self.working)
        self._on_stored = on_stored
        self._memorise = Lane("memorise", Rank.MEMORISE, traffic, capacity=100_000)
        self._answering = Lane("answering", Rank.ANSWERING, traffic, capacity=answers.queue)
        self._queued: set[Path] = set()
        self._lock = threading.Lock()
        self.problems: dict[str, str] = {}

    def scan(self) -> None:
        """Queue every clip that lies in the spool: those of a crashed run, and those whose announcement was lost."""
        for place in self.spool.waiting():
            self.clip_ready(place)

    def clip_ready(self, place: Path) -> None:
        """Queue one spooled clip; naming it twice is harmless. Clips of another memory's spool are left alone."""
        if place.parent.parent != self.spool.root:
            self.problems["spool"] = (
                f"a clip in {place.parent.parent} was announced, but the spool here is {self.spool.root}"
            )
            return
        with self._lock:
            if place in self._queued:
                return
            self._queued.add(place)
        try:
            self._memorise.post(partial(self._take_in, place))
        except Busy:
            self._dequeue(place)

    def ask(
        self,
        question: Question,
        max_rounds: int = 0,
        budget_s: float = 0.0,
        report: Callable[[Step], None] = silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Future[Answer]:
        """Queue a question; zeros mean the configured defaults. A full queue gives a BUSY answer at once."""
        job = partial(
            self._answer,
            question,
            max_rounds or self._answers.max_rounds,
            budget_s or self._answers.budget_s,
            report,
            cancelled,
        )
        try:
            return self._answering.submit(job)
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
            db.execute("UPDATE sessions SET finished = 1 WHERE id = ? OR id LIKE ? || '.%'", (session_id, session_id))

    def counts(self, session_id: str) -> Counts:
        """What became of the clips of a session."""
        root = root_of(session_id)
        row = (
            self.store.reader()
            .execute(
                "SELECT coalesce(sum(skipped = ''), 0) AS stored, coalesce(sum(skipped != ''), 0) AS skipped, "
                "coalesce(max(id), 0) AS last "
                "FROM clips WHERE session = ? OR session LIKE ? || '.%'",
                (root, root),
            )
            .fetchone()
        )
        waiting = sum(root_of(place.parent.name) == root for place in self.spool.waiting())
        return Counts(row["stored"], row["skipped"], waiting, row["last"])

    def close(self) -> None:
        """Finish what is being done, leave the rest in the spool, release the store."""
        self._answering.close()
        self._memorise.close()
        self.store.close()

    def _take_in(self, place: Path) -> None:
        try:
            stored, session = self._store(place)
        except (sqlite3.OperationalError, OSError) as error:
            self.problems["store"] = f"clip {place} waits: {error}"
            LOG.error("clip %s waits in the spool: %s", place, error)
            return
        finally:
            self._dequeue(place)
        self.problems.pop("store", None)
        self.spool.remove(place)
        self._on_stored(session, stored)

    def _store(self, place: Path) -> tuple[Stored, Session]:
        """Commit a spooled clip; one that cannot be read or understood is set aside and committed as skipped."""
        try:
            observation, session = spooled.read(place), self.spool.session(place.parent.name)
        except SpoolCorrupt as error:
            return self._store_skipped(place, str(error))
        try:
            stored = self._memoriser.memorise(observation, session)
        except (sqlite3.OperationalError, OSError):
            raise
        except Exception as error:
            LOG.exception("clip %s could not be memorised", place)
            return self._store_skipped(place, f"memorising failed: {error}")
        self.working.committed(observation.session, observation.end_ns)
        return stored, session

    def _store_skipped(self, place: Path, reason: str) -> tuple[Stored, Session]:
        aside = self.spool.set_aside(place)
        LOG.error("%s; set aside in %s", reason, aside)
        session = Session(place.parent.name)
        observation = ClipObservation(session.id, int(place.name), 0, 0, skipped=reason)
        return self._memoriser.memorise(observation, session), session

    def _answer(
        self,
        question: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Step], None],
        cancelled: Callable[[], bool],
    ) -> Answer:
        try:
            answer = self._agent.answer(question, max_rounds, budget_s, report, cancelled)
        except Exception as error:
            LOG.exception("question %s failed", question.id)
            return Answer("", Outcome.ERROR, f"The question could not be worked on: {error}")
        self._note(question, answer)
        return answer

    def _note(self, question: Question, answer: Answer) -> None:
        """Dialogue is kept, but apart from memories: a question proves nothing."""
        cited = json.dumps([evidence.memory for evidence in answer.evidence])
        try:
            with self.store.write() as db:
                db.execute(
                    "INSERT INTO dialogue"
                    "(question_id, asked_ns, asker, question, outcome, answer, confidence, evidence) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        question.id,
                        question.now_ns,
                        question.asker,
                        question.text,
                        answer.outcome.name,
                        answer.text,
                        answer.confidence,
                        cited,
                    ),
                )
        except sqlite3.OperationalError as error:  # a full disk must not cost the asker the answer
            LOG.error("the dialogue could not be noted: %s", error)

    def _dequeue(self, place: Path) -> None:
        with self._lock:
            self._queued.discard(place)


def models_of(profile: Profile) -> Models:
    """The embedding models of a profile with their matching rules."""
    face, voice, text = (profile.model(role) for role in ("face_embedding", "speaker_embedding", "text_embedding"))
    assert text.dimension is not None
    rules = {
        kind: MatchRule(model.thresholds["accept"], model.thresholds["learn"])
        for kind, model in (("face", face), ("voice", voice))
    }
    return Models(face.name, voice.name, text.name, text.dimension, rules)
