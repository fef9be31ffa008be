"""The memory graph of one robot: the store, its galleries of faces and voices, and its vector index, kept in step.

`change()` is one transaction over all of them: the file first, then what is in memory; if the file says no, memory is
rebuilt from it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.entities.gallery import Gallery, MatchRule
from robot_memory.memory.insertion.insert import insert
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.people.people import new_person
from robot_memory.memory.storage.store import Store
from robot_memory.memory.vectors import ExactIndex, Vector, pack, unpack


@dataclass(frozen=True)
class Models:
    """The embedding models whose vectors are compared: names, the rules for matching, and the text dimension."""

    face: str
    voice: str
    text: str
    text_dimension: int
    rules: Mapping[str, MatchRule]


@dataclass
class Change:
    """A transaction in progress. What it adds shows in the galleries at once and in the index when it is committed."""

    db: sqlite3.Connection
    graph: MemoryGraph
    memories: list[tuple[int, Vector]] = field(default_factory=list)

    def new_entity(self, kind: str, clip: int) -> int:
        """A face or voice never met before; its person is new as well."""
        row = self.db.execute(
            "INSERT INTO entities(kind, person, clip) VALUES (?, ?, ?)", (kind, new_person(self.db), clip)
        )
        assert row.lastrowid is not None
        return row.lastrowid

    def learn(self, kind: str, entity: int, vectors: NDArray[np.float32], clip: int) -> None:
        """Add what is new among `vectors` [n, d], best first, to the entity's snapshot set."""
        gallery = self.graph.galleries[kind]
        fresh = gallery.worth_keeping(entity, vectors)
        model = self.graph.model_of(kind)
        self.db.executemany(
            "INSERT INTO embeddings(entity, clip, model, vector) VALUES (?, ?, ?, ?)",
            [(entity, clip, model, pack(vector)) for vector in fresh],
        )
        # what a restart would read back: float16, so that matches are the same before and after it
        gallery.add(entity, fresh.astype(np.float16).astype(np.float32))

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
        memory, new = insert(self.db, clip, sentence, vector, self.graph.models.text)
        if new:
            self.memories.append((memory, unpack(pack(vector))))  # as a restart would read it back
        return memory, new


class MemoryGraph:
    """Everything the memory server holds open. One writer; any number of threads may read."""

    def __init__(self, store: Store, models: Models) -> None:
        self.store = store
        self.models = models
        self.galleries = {kind: Gallery(models.rules[kind]) for kind in ("face", "voice")}
        self.index = ExactIndex(models.text_dimension)
        self._load_galleries()
        self._load_index()

    def model_of(self, kind: str) -> str:
        return self.models.face if kind == "face" else self.models.voice

    @contextmanager
    def change(self) -> Iterator[Change]:
        """One durable change of the graph: all of it or nothing."""
        try:
            with self.store.write() as db:
                change = Change(db, self)
                yield change
        except BaseException:
            self._load_galleries()
            raise
        if change.memories:
            ids, vectors = zip(*change.memories, strict=True)
            self.index.add(np.array(ids, np.int64), np.stack(vectors))

    def _load_galleries(self) -> None:
        with self.store.snapshot() as db:
            for kind, gallery in self.galleries.items():
                gallery.load(db, kind, self.model_of(kind))

    def _load_index(self) -> None:
        with self.store.snapshot() as db:
            rows = db.execute(
                "SELECT id, embedding FROM memories WHERE archived = 0 AND model = ? ORDER BY id", (self.models.text,)
            )
            while batch := rows.fetchmany(10_000):
                self.index.add(
                    np.array([row["id"] for row in batch], np.int64),
                    np.stack([unpack(row["embedding"]) for row in batch]),
                )
