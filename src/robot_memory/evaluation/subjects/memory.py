"""The product as a memory under test: the memory graph, its memoriser and its agent, in a store of their own.

Built from the same parts as the memory server, without its lanes and its spool: a scorer wants one thing after
another, not many at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from robot_memory.config import AnswerSettings, PerceptionSettings
from robot_memory.control import evidence
from robot_memory.control.agent import Agent, zone_of
from robot_memory.control.answer import Evidence, Question
from robot_memory.control.policy import Policy, ReflexPolicy
from robot_memory.control.recall import query_of, understood
from robot_memory.control.service import models_of
from robot_memory.evaluation.subject import Asked, Claim, Found, Key, Labels, Reply
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.memorization.describer import Describer, TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memorization.scene import Scene
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.search import search
from robot_memory.memory.storage.store import Store, page_size_for
from robot_memory.memory.tokens import split
from robot_memory.models.manifest import load_profile
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session
from robot_memory.streams.working import WorkingMemory


class Witness:
    """A describer that notes whom each track and turn was taken for on its way to the real one."""

    def __init__(self, describer: Describer) -> None:
        self._describer = describer
        self.entities: dict[Key, tuple[list[int | None], list[int | None]]] = {}

    def describe(self, scene: Scene) -> list[Sentence]:
        faces = [appearance.face for appearance in scene.appearances]
        voices = [utterance.voice for utterance in scene.utterances]
        self.entities[scene.observation.session, scene.observation.sequence] = faces, voices
        return self._describer.describe(scene)


class MemorySubject:
    """A fresh memory in `folder`. Raises ModelMissing, StoreLocked or StoreUnreadable."""

    def __init__(
        self,
        folder: Path,
        describer: Describer | None = None,
        policy: Policy | None = None,
        name: str = "memory",
        forced: bool = False,
        profile: str = "",
        embedder: TextEmbedder | None = None,
    ) -> None:
        """`profile`: of the models, empty for the default; `embedder`: that profile's, where it is open already."""
        settings = PerceptionSettings()
        models = load_profile(profile or settings.profile)
        describer, policy = describer or TranscriptDescriber(), policy or ReflexPolicy()
        self._embedder = embedder or open_text_embedder(models.model("text_embedding"))
        self._store = Store(folder / "memory.sqlite", page_size=page_size_for(self._embedder.dimension))
        try:
            self._graph = MemoryGraph(self._store, models_of(models))
        except BaseException:
            self._store.close()
            raise
        self._witness = Witness(describer)
        self._memoriser = Memoriser(self._graph, self._embedder, self._witness, settings.min_enrol_s)
        self._agent = Agent(self._graph, self._embedder, policy, WorkingMemory(), forced)
        self._answers = AnswerSettings()
        self._watched: dict[Key, tuple[int, int]] = {}  # how many tracks and turns a clip came with
        self._name = name
        self._models = {
            "text_embedding": self._embedder.name,
            "describer": type(describer).__name__,
            "policy": type(policy).__name__,
        }

    @property
    def name(self) -> str:
        return self._name

    @property
    def graph(self) -> MemoryGraph:
        """For those who measure what becomes of it: it is changed and read as ever."""
        return self._graph

    @property
    def models(self) -> Mapping[str, str]:
        return self._models

    def watch(self, observation: ClipObservation, session: Session) -> None:
        self._watched[observation.session, observation.sequence] = len(observation.tracks), len(observation.turns)
        self._memoriser.memorise(observation, session)

    def ask(self, question: Asked) -> Reply:
        return self.answered(question)[0]

    def answered(self, question: Asked) -> tuple[Reply, int]:
        """The answer, and in how many rounds it was found."""
        begun = time.perf_counter()
        asked = Question(question.id, question.text, question.at_ns, question.at_ns, question.asker)
        answer = self._agent.answer(asked, self._answers.max_rounds, self._answers.budget_s)
        latency_s = time.perf_counter() - begun
        cited = tuple(_found(one) for one in answer.evidence)
        reply = Reply(answer.text, answer.outcome.name, answer.confidence, cited, latency_s, answer.grounds)
        return reply, answer.rounds

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        return self.retrieved(question, k)[0]

    def retrieved(self, question: Asked, k: int) -> tuple[tuple[Found, ...], float]:
        """What is found, and how many seconds the search took, the question being understood and embedded."""
        with self._store.snapshot() as db:
            people = People(db)
            reading = understood(question.text, people, question.asker, question.at_ns, zone_of(db))
            query = query_of(reading, people, self._embedder, question.at_ns, question.at_ns)
            begun = time.perf_counter()
            hits = search(db, self._graph.index, query, k)
            took_s = time.perf_counter() - begun
            return tuple(_found(one) for one in evidence.gather(db, people, hits)), took_s

    def labels(self) -> Mapping[Key, Labels]:
        with self._store.snapshot() as db:
            people = People(db)
        return {
            key: Labels(*(tuple(_persons(people, some, n)) for some, n in zip(self._entities(key), counts)))
            for key, counts in self._watched.items()
        }

    def names(self) -> Mapping[str, str]:
        with self._store.snapshot() as db:
            return {person.token: person.name for person in People(db).all() if person.name}

    def claims(self) -> tuple[Claim, ...]:
        with self._store.snapshot() as db:
            people = People(db)
            rows = db.execute(
                "SELECT subject, attribute, value, polarity, start_ns FROM memories "
                "WHERE subject IS NOT NULL AND archived = 0 AND valid_until_ns IS NULL ORDER BY id"
            )
            return tuple(
                Claim(_whose(people, row["subject"]), row["attribute"], row["value"], row["polarity"], row["start_ns"])
                for row in rows
            )

    def bytes_used(self) -> int:
        return self._store.bytes_used()

    def close(self) -> None:
        self._graph.close()
        self._store.close()

    def _entities(self, key: Key) -> tuple[list[int | None], list[int | None]]:
        """Of a clip that was skipped or not stored, nobody."""
        return self._witness.entities.get(key, ([], []))


def _persons(people: People, entities: list[int | None], count: int) -> Iterator[str | None]:
    """Entities as persons; tracks that the memoriser would not look at are nobody's."""
    for n in range(count):
        entity = entities[n] if n < len(entities) else None
        yield None if entity is None else people.of_entity(entity).token


def _whose(people: People, subject: str) -> str:
    """The person's label of a frame's subject, or the thing as it is."""
    try:
        kind, number = split(subject.strip("<>"))
        known = people.get(number) if kind == "person" else people.of_entity(number)
    except (ValueError, KeyError):  # a thing, or a token of nobody
        return subject
    return known.token if known else subject


def _found(one: Evidence) -> Found:
    return Found(one.start_ns, one.end_ns, one.source, one.text, one.score)
