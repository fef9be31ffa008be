"""The memory graph of one robot: the store, its galleries of faces and voices, and its vector index, kept in step.

`change()` is one transaction over all of them: the file first, then what is in memory; if the file says no, memory is
as it was before.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.archive import archive
from robot_memory.memory.entities import pairs
from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.learning import learn
from robot_memory.memory.entities.parity import PaperGallery, PaperRule
from robot_memory.memory.entities.rule import Match, MatchRule
from robot_memory.memory.insertion.insert import take_in
from robot_memory.memory.insertion.parity import Rules
from robot_memory.memory.insertion.renormalise import claims_are_old, renormalise
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.people import votes
from robot_memory.memory.people.settling import new_person
from robot_memory.memory.storage import files
from robot_memory.memory.storage.embedders import TEXT, Embedder, adopt, is_known, know_embedder
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors import cache
from robot_memory.memory.vectors.cache import Generation, Home
from robot_memory.memory.vectors.hnsw import HnswIndex
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import unpack_rows

LOADED = 1024  # vectors read from the store at a time: few enough to stay in the cache until they are numbers


@dataclass(frozen=True)
class Models:
    """The embedding models whose vectors are compared: names, the rules for matching, and the text dimension."""

    face: str
    voice: str
    text: str
    text_dimension: int
    rules: Mapping[str, MatchRule | PaperRule]
    known: tuple[Embedder, ...] = ()  # what the store notes of them, so that other weights of one name are noticed


@dataclass
class Change:
    """A transaction in progress. What it adds shows in the galleries at once and in the index when it is committed."""

    db: sqlite3.Connection
    graph: MemoryGraph
    memories: list[tuple[int, Vector, int]] = field(default_factory=list)  # id, vector, clip
    archived: list[int] = field(default_factory=list)

    def new_entity(self, kind: str, clip: int) -> int:
        """A face or voice never met before; its person is new as well."""
        row = self.db.execute(
            "INSERT INTO entities(kind, person, clip) VALUES (?, ?, ?)", (kind, new_person(self.db), clip)
        )
        assert row.lastrowid is not None
        return row.lastrowid

    def match(self, kind: str, vector: Vector, seconds: float = 0.0, forbidden: Collection[int] = ()) -> Match:
        """Which known face or voice a vector is of; of several of one person, those do not compete."""
        return self.graph.galleries[kind].match(
            vector,
            seconds,
            forbidden,
            person=lambda entity: pairs.person_of(self.db, entity),
            apart=lambda one, other: pairs.are_apart(self.db, one, other),
        )

    def learn(self, kind: str, entity: int, vectors: NDArray[np.float32], clip: int) -> None:
        """Add what is new among `vectors` [n, d], best first, to the entity's snapshot set. Raises ValueError for
        vectors that are not the model's.
        """
        model = self.graph.model_of(kind)
        size = next((one.dimension for one in self.graph.models.known if one.name == model), 0)
        learn(self.db, self.graph.galleries[kind], model, entity, vectors, clip, size)

    def remember(self, clip: int, sentence: Sentence, vector: Vector) -> tuple[int, bool]:
        """Insert a sentence; returns its id and whether it is new. Raises ValueError for a vector that is not the
        text model's.
        """
        dimension = self.graph.models.text_dimension
        if vector.shape != (dimension,) or not np.isfinite(vector).all():
            raise ValueError(
                f"a text embedding of shape {vector.shape} or with NaN: "
                f"{self.graph.models.text} gives {dimension} finite numbers"
            )
        done = take_in(self.db, clip, sentence, vector, self.graph.models.text, self.graph.rules)
        self.memories.extend((memory, its_vector, clip) for memory, its_vector in done.added)
        return done.memory, done.new

    def archive(self, memories: Collection[int]) -> None:
        """These stay in the file and leave the index, once this is committed."""
        archive(self.db, memories)
        self.archived.extend(memories)


class MemoryGraph:
    """Everything the memory server holds open. One writer; any number of threads may read."""

    def __init__(self, store: Store, models: Models, rules: Rules = Rules.FRAMES) -> None:
        """`rules`: how sentences enter; M3-Agent's are for comparison. What is derived in an older file is brought up
        to date first. Raises EmbedderChanged where faces or voices were met by other weights of the same name.
        """
        self.store = store
        self.models = models
        self.rules = rules
        self._lock = threading.RLock()  # of the index and the change that it follows
        if not store.readonly:
            self._renew()
        self.galleries = {kind: _gallery(models.rules[kind]) for kind in ("face", "voice")}
        self._load_galleries()
        self.index = self._load_index()

    def model_of(self, kind: str) -> str:
        return self.models.face if kind == "face" else self.models.voice

    @contextmanager
    def change(self) -> Iterator[Change]:
        """One durable change of the graph: all of it or nothing."""
        with self._lock:
            try:
                with self.store.write() as db:
                    change = Change(db, self)
                    yield change
                    generation = _generation(db, 1)
            except BaseException:
                for gallery in self.galleries.values():
                    gallery.undo()
                raise
            for gallery in self.galleries.values():
                gallery.confirm()
            if change.memories:
                ids, vectors, clips = zip(*change.memories, strict=True)
                self.index.add(np.array(ids, np.int64), np.stack(vectors), np.array(clips, np.int64))
            if change.archived:
                self.index.remove(np.array(change.archived, np.int64))
            self.index.follow(generation)

    def reload_index(self) -> None:
        """Take the vectors from the store anew, after many were made anew. Searches see the old ones meanwhile, changes
        wait.
        """
        with self._lock:
            self.index.close(wait_s=None)  # the new one keeps the same cache
            self.index = self._load_index()

    def rebuild_index(self, on_progress: Callable[[float], None]) -> None:
        """Make all of the index anew, the cached graph of neighbours as well, and wait until that is done. Searches are
        right meanwhile. What `on_progress` raises ends the waiting: the graph then goes on being built. Raises OSError.
        """
        with self._lock:
            self.index.close(wait_s=None)
            cache.forget(files.beside(self.store.path, files.NEIGHBOURS))
            self.index = index = self._load_index()
        index.settle(on_progress)

    def close(self) -> None:
        """End what works in the background. The store is its owner's to close. Safe to repeat."""
        self.index.close()

    def _renew(self) -> None:
        for model in self.models.known:
            if model.role == TEXT:
                adopt(self.store, model)
            elif not is_known(self.store.reader(), model):
                with self.store.write() as db:
                    know_embedder(db, model)
        db = self.store.reader()
        if self.store.damage or claims_are_old(db) or votes.uncounted(db):
            with self.store.write() as db:
                renormalise(db)
                votes.recount(db)

    def _load_galleries(self) -> None:
        with self.store.snapshot() as db:
            for kind, gallery in self.galleries.items():
                gallery.load(db, kind, self.model_of(kind))

    def _load_index(self) -> HnswIndex:
        dimension, model = self.models.text_dimension, self.models.text
        with self.store.snapshot() as db:
            home = Home(files.beside(self.store.path, files.NEIGHBOURS), model)
            index = HnswIndex(dimension, None if self.store.readonly else home)  # to load one takes longer than a scan
            index.follow(_generation(db))
            rows = db.execute(
                "SELECT id, clip, embedding FROM memories WHERE archived = 0 AND model = ? ORDER BY id", (model,)
            )
            while batch := rows.fetchmany(LOADED):
                ids, clips, vectors = zip(*batch, strict=True)
                index.add(np.array(ids, np.int64), unpack_rows(vectors, dimension), np.array(clips, np.int64))
        index.start()
        return index


def _generation(db: sqlite3.Connection, more: int = 0) -> Generation:
    """Which store, and how many changes of it; `more`: those that are about to be committed."""
    first = db.execute("SELECT id FROM sessions ORDER BY rowid LIMIT 1").fetchone()
    number = int(db.execute("SELECT generation FROM meta").fetchone()[0])
    return Generation(first["id"] if first else "", number + more)


def _gallery(rule: MatchRule | PaperRule) -> Gallery:
    return PaperGallery(rule) if isinstance(rule, PaperRule) else Gallery(rule)
