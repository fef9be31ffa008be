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
from robot_memory.control.policy import Policy
from robot_memory.control.recall import query_of
from robot_memory.control.stating import stating
from robot_memory.control.steps import Claims, Lines, Recall, Search, State, Step
from robot_memory.control.support import ENOUGH, judged
from robot_memory.control.times import Span, UnknownTime
from robot_memory.control.understanding.places import Places
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.wanted import wish_of
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.claims import claims
from robot_memory.memory.retrieval.query import Query
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.rooms import Rooms, known_rooms
from robot_memory.streams.working import WorkingMemory

MOST_HITS = 200
LONGEST_QUESTION = 1000
LOOKED_AT = 10  # of what a look found: noted, to learn from what was cited


@dataclass(frozen=True)
class Done:
    """A step that the agent has made, for feedback."""

    round: int
    action: str
    query: str
    hits: int


def silent(done: Done) -> None:
    """Reports nothing."""


@dataclass(frozen=True)
class Known:
    """Everyone and every place known in one generation of the store."""

    generation: int
    people: People
    rooms: Rooms
    reader: Reader


class Agent:
    """Answers questions from a memory graph and the working memory beside it."""

    def __init__(
        self,
        graph: MemoryGraph,
        embedder: TextEmbedder,
        policy: Policy,
        working: WorkingMemory,
        force_answer: bool = False,
    ) -> None:
        """`force_answer`: guess rather than be silent, for benchmarks that punish silence; a robot should not."""
        self._graph = graph
        self._embedder = embedder
        self._policy = policy
        self._working = working
        self._force = force_answer
        self._known: Known | None = None

    def answer(
        self,
        question: Question,
        max_rounds: int,
        budget_s: float,
        report: Callable[[Done], None] = silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The answer, within so many rounds and seconds. Never raises for what a user may ask."""
        if len(question.text) > LONGEST_QUESTION:
            return abstain("That question is too long for me.", f"At most {LONGEST_QUESTION} characters, please.")
        deadline = time.monotonic() + budget_s
        with self._graph.store.snapshot() as db:
            try:
                inquiry = self._begun(db, question)
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
                    report(Done(number, "answer", "", len(step.evidence)))
                    return replace(step, rounds=number, found=_found(inquiry))
                inquiry, hits = self._looked(db, inquiry, step)
                report(Done(number, "search", step.query, hits))
        return replace(
            abstain("I don't know.", f"No answer within {max_rounds} rounds: allow more."), rounds=max_rounds
        )

    def _looked(self, db: sqlite3.Connection, inquiry: State, step: Step) -> tuple[State, int]:
        """The inquiry with what a step of it finds, and how much that is."""
        question, people, reading = inquiry.question, inquiry.people, inquiry.reading
        verdict = inquiry.verdict
        if isinstance(step, Recall):
            hits = self._recall(db, people, question, reading)
            verdict = judged(db, people, reading, hits, question.as_of_ns)
        elif isinstance(step, Claims):
            known = claims(db, step.subjects, step.attributes, question.as_of_ns)
            hits = evidence.gather(db, people, known, question.as_of_ns)
        elif isinstance(step, Lines):
            hits = evidence.gather(db, people, stating(db, self._embedder, step, question.as_of_ns), question.as_of_ns)
        else:
            hits = self._search(db, inquiry, step)
        return replace(inquiry, found=(*inquiry.found, (step, hits)), verdict=verdict), len(hits)

    def _recall(self, db: sqlite3.Connection, people: People, question: Question, reading: Reading) -> list[Evidence]:
        query = query_of(reading, people, self._embedder, question.now_ns, question.as_of_ns)
        return evidence.gather(db, people, search(db, self._graph.index, query, ENOUGH), question.as_of_ns)

    def _search(self, db: sqlite3.Connection, inquiry: State, step: Search) -> list[Evidence]:
        question, span = inquiry.question, Span() if step.any_time else inquiry.reading.span
        if step.since_ns is not None:
            span = replace(span, start_ns=step.since_ns)
        query = Query(
            text=step.text,
            vector=self._embedder.embed([step.text])[0] if step.text else None,
            entities=None if step.people is None else [entity for p in step.people for entity in p.entities],
            sources=step.sources,
            start_ns=span.start_ns,
            end_ns=span.end_ns,
            recorded_by_ns=question.as_of_ns,
        )
        hits = search(db, self._graph.index, query, MOST_HITS if step.text else None)
        gathered = evidence.gather(db, inquiry.people, hits, question.as_of_ns)
        return gathered + (self._provisional(question, span, step) if step.people is None else [])

    def _provisional(self, question: Question, span: Span, step: Search) -> list[Evidence]:
        """What is too fresh to be committed; nobody is recognised in it, so it answers only questions about anyone."""
        faces = self._working.faces() if "seen" in step.sources else []
        turns = self._working.turns() if "heard" in step.sources else []
        return [
            evidence.provisional(g)
            for g in sorted((*faces, *turns), key=lambda g: (g.start_ns, g.end_ns))
            if (span.start_ns is None or g.end_ns >= span.start_ns)
            and (span.end_ns is None or g.start_ns < span.end_ns)
            and (question.as_of_ns is None or g.end_ns <= question.as_of_ns)
        ]

    def _begun(self, db: sqlite3.Connection, question: Question) -> State:
        """The question as understood, with nothing found yet. Raises UnknownTime."""
        zone, known = zone_of(db), self._everyone(db)
        reading = known.reader.read(question.text, question.now_ns, zone, question.asker)
        rooms = known.rooms if question.as_of_ns is None else known_rooms(db, question.as_of_ns)
        wish = wish_of(reading, self._embedder)
        return State(question, reading, wish, known.people, zone, rooms, force=self._force)

    def _everyone(self, db: sqlite3.Connection) -> Known:
        """Everyone known, and a reader that knows them: kept until the store changes."""
        generation = int(db.execute("SELECT generation FROM meta").fetchone()[0])
        if self._known is None or self._known.generation != generation:
            people, rooms = People(db), known_rooms(db)
            self._known = Known(generation, people, rooms, Reader(people, Places(rooms.names())))
        return self._known


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


def _found(inquiry: State) -> tuple[int, ...]:
    """The first that each look found."""
    seen = (one.memory for _, hits in inquiry.found for one in hits[:LOOKED_AT] if not one.provisional)
    return tuple(dict.fromkeys(seen))
