"""The loop from question to answer: ask the policy, search, ask again, until it answers or a limit is reached.

Every step reports itself and checks whether the question was cancelled or is out of time. The whole loop reads one
moment's view of the store, so an answer never mixes before and after.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from robot_memory.control import evidence
from robot_memory.control.answer import Answer, Evidence, Outcome, Question, abstain
from robot_memory.control.clock import Zone
from robot_memory.control.intent import Intent, Kind, parse
from robot_memory.control.policy import Policy, Recall, Search, State
from robot_memory.control.recall import query_of, understood
from robot_memory.control.support import ENOUGH, judged
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.reading import Reading
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search
from robot_memory.streams.working import WorkingMemory

MOST_HITS = 200
LONGEST_QUESTION = 1000


@dataclass(frozen=True)
class Step:
    """What the agent is doing now, for feedback."""

    round: int
    action: str
    query: str
    hits: int


def silent(step: Step) -> None:
    """Reports nothing."""


class Agent:
    """Answers questions from a memory graph and the working memory beside it."""

    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, policy: Policy, working: WorkingMemory) -> None:
        self._graph = graph
        self._embedder = embedder
        self._policy = policy
        self._working = working

    def answer(
        self,
        question: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Step], None] = silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The answer, within so many rounds and seconds. Never raises for what a user may ask."""
        if len(question.text) > LONGEST_QUESTION:
            return abstain("That question is too long for me.", f"At most {LONGEST_QUESTION} characters, please.")
        deadline = time.monotonic() + budget_s
        with self._graph.store.snapshot() as db:
            try:
                inquiry = _begun(db, question)
            except UnknownTime as error:
                return abstain(f"I can't tell yet which time “{error}” means.", error.hint)
            for number in range(1, max_rounds + 1):
                if cancelled():
                    return Answer("", Outcome.CANCELLED, "Cancelled by the asker.", rounds=number - 1)
                if time.monotonic() > deadline:
                    return Answer(
                        "", Outcome.TIMED_OUT, f"No answer within {budget_s:g} s: allow more time.", rounds=number - 1
                    )
                step = self._policy.next(inquiry)
                if isinstance(step, Answer):
                    report(Step(number, "answer", "", len(step.evidence)))
                    return replace(step, rounds=number)
                inquiry, hits = self._looked(db, inquiry, step)
                report(Step(number, "search", step.query, hits))
        return replace(
            abstain("I don't know.", f"No answer within {max_rounds} rounds: allow more."), rounds=max_rounds
        )

    def _looked(self, db: sqlite3.Connection, inquiry: State, step: Search | Recall) -> tuple[State, int]:
        """The inquiry with what a step of it finds, and how much that is."""
        question, people, reading = inquiry.question, inquiry.people, inquiry.reading
        verdict = inquiry.verdict
        if isinstance(step, Recall):
            hits = self._recall(db, people, question, reading)
            verdict = judged(db, people, reading, hits, question.as_of_ns)
        else:
            hits = self._search(db, people, question, inquiry.intent, step)
        return replace(inquiry, found=(*inquiry.found, (step, hits)), verdict=verdict), len(hits)

    def _recall(self, db: sqlite3.Connection, people: People, question: Question, reading: Reading) -> list[Evidence]:
        query = query_of(reading, people, self._embedder, question.now_ns, question.as_of_ns)
        return evidence.gather(db, people, search(db, self._graph.index, query, ENOUGH), question.as_of_ns)

    def _search(
        self, db: sqlite3.Connection, people: People, question: Question, intent: Intent, step: Search
    ) -> list[Evidence]:
        entities = None if step.people is None else [entity for p in step.people for entity in p.entities]
        query = Query(
            text=step.text,
            vector=self._embedder.embed([step.text])[0] if step.text else None,
            entities=entities,
            sources=step.sources,
            start_ns=intent.span.start_ns,
            end_ns=intent.span.end_ns,
            recorded_by_ns=question.as_of_ns,
        )
        hits = search(db, self._graph.index, query, MOST_HITS if step.text else None)
        gathered = evidence.gather(db, people, hits, question.as_of_ns)
        return gathered + (self._provisional(question, intent, step) if entities is None else [])

    def _provisional(self, question: Question, intent: Intent, step: Search) -> list[Evidence]:
        """What is too fresh to be committed; nobody is recognised in it, so it answers only questions about anyone."""
        glimpses = self._working.faces() if "seen" in step.sources else self._working.turns()
        span = intent.span
        return [
            evidence.provisional(g)
            for g in glimpses
            if (span.start_ns is None or g.end_ns >= span.start_ns)
            and (span.end_ns is None or g.start_ns < span.end_ns)
            and (question.as_of_ns is None or g.end_ns <= question.as_of_ns)
        ]


def _begun(db: sqlite3.Connection, question: Question) -> State:
    """The question as understood, with nothing found yet. Raises UnknownTime."""
    zone, people = zone_of(db), People(db)
    intent, reading = parse(question.text, question.now_ns, zone), Reading(question.text)
    if intent.kind is Kind.OTHER:  # the others need no more than their intent
        reading = understood(question.text, people, question.asker, question.now_ns, zone)
    return State(question, intent, reading, people, zone, ())


def zone_of(db: sqlite3.Connection) -> Zone:
    """The zone of the latest session."""
    row = db.execute("SELECT zone, utc_offset_s FROM sessions ORDER BY rowid DESC LIMIT 1").fetchone()
    return Zone(row["zone"], row["utc_offset_s"]) if row else Zone()


def now_for(db: sqlite3.Connection, wall_ns: int) -> int:
    """What "now" means: the wall clock while the latest session is live, else the end of what the bag has shown."""
    row = db.execute("SELECT bag_uri FROM sessions ORDER BY rowid DESC LIMIT 1").fetchone()
    if row is None or not row["bag_uri"]:
        return wall_ns
    return int(
        db.execute(
            "SELECT coalesce(max(end_ns), ?) FROM clips JOIN sessions ON sessions.id = session WHERE bag_uri = ?",
            (wall_ns, row["bag_uri"]),
        ).fetchone()[0]
    )
