"""Another text model: the vectors of all that is remembered are made anew, while the robot goes on.

Each batch is a change of its own, and a memory's row says whose vector it has: a kill in between costs one batch, and
the next run goes on where this one was. Archived memories are done as well: they may be asked for again.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator

import numpy as np

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.storage.embedders import TEXT, Embedder, adopt, forget_unused
from robot_memory.memory.storage.store import Store
from robot_memory.memory.tokens import TOKEN
from robot_memory.memory.vectors.packing import pack

QUOTED = re.compile(r"\S+ said: “(.+)”$", re.DOTALL)
BATCH = 32  # memories in one change: a quarter of a second, in which clips wait and after which it can be stopped


def embeddable(text: str) -> str:
    """The sentence as it is embedded. What was said stands for itself, without "… said"; a token says nothing to a
    model, and whom a sentence is about is the edges' business.
    """
    said = QUOTED.match(text)
    return TOKEN.sub("someone", said.group(1) if said else text)


def waiting(db: sqlite3.Connection, model: str) -> int:
    """How many memories have no vector of the model: the search by meaning does not find them."""
    return int(db.execute("SELECT count(*) FROM memories WHERE model <> ?", (model,)).fetchone()[0])


def reembed(
    store: Store, embedder: TextEmbedder, on_progress: Callable[[float], None] | None = None, checksum: str = ""
) -> int:
    """Make the vectors of other models anew with this one; returns how many were made.

    `on_progress` is told the share that is done between batches; give way to other work there, or raise Cancelled to
    stop: what is done stays. `checksum` tells models of one name apart. Afterwards the open graph must load its index
    anew (MemoryGraph.reload_index). Raises DiskTrouble, sqlite3.Error.
    """
    told = on_progress or (lambda share: None)
    adopt(store, Embedder(TEXT, embedder.name, embedder.dimension, checksum))
    todo = waiting(store.reader(), embedder.name)
    done = 0
    told(0.0)
    for rows in _foreign(store, embedder.name):
        done += _renew(store, embedder, rows)
        told(min(1.0, done / max(todo, 1)))
    with store.write() as db:
        forget_unused(db, TEXT)
    told(1.0)
    return done


def _foreign(store: Store, model: str) -> Iterator[list[sqlite3.Row]]:
    """The memories with a vector of another model, batch by batch; again those that were reworded meanwhile."""
    query = "SELECT id, text FROM memories WHERE id > ? AND model <> ? ORDER BY id LIMIT ?"
    last = 0
    while True:
        if rows := store.reader().execute(query, (last, model, BATCH)).fetchall():
            yield rows
            last = rows[-1]["id"]
        elif last and waiting(store.reader(), model):
            last = 0
        else:
            return


def _renew(store: Store, embedder: TextEmbedder, rows: list[sqlite3.Row]) -> int:
    vectors = embedder.embed([embeddable(row["text"]) for row in rows])
    if vectors.shape != (len(rows), embedder.dimension) or not np.isfinite(vectors).all():
        raise ValueError(
            f"{embedder.name} gave vectors of shape {vectors.shape}, or with NaN: its files may be damaged"
        )
    with store.write() as db:
        return db.executemany(
            "UPDATE memories SET model = ?, embedding = ? WHERE id = ? AND text = ?",
            [(embedder.name, pack(vector), row["id"], row["text"]) for row, vector in zip(rows, vectors, strict=True)],
        ).rowcount
