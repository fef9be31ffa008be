"""Lines that state an attribute of somebody, found by likeness in meaning where no claim was read out of them.

A line counts where a sentence of it asserts, is about whom it is asked of, and is likely to state the attribute
(answering/likely.py). Nothing is kept: the vectors of lines are in the store, sentences of longer ones are embedded.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from robot_memory.control.answering.likely import Likeness, likeness
from robot_memory.control.steps import Lines
from robot_memory.control.verification.wording import stems
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.persons import SPEAKERS, persons
from robot_memory.memorization.speech.stance import clauses
from robot_memory.memorization.speech.told import SPEAKER
from robot_memory.memory.retrieval.filters import known
from robot_memory.memory.retrieval.query import Hit, Query
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import unpack

LEAST = 0.4  # how likely a line must be to be told of at all
READ = 40  # lines whose sentences are read, the likeliest as a whole
WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
NEGATIVE_TOO = ("dislikes", "opinion")  # what is stated by "not" as well
HE_OR_SHE = frozenset(("he", "she", "they", "his", "her", "their"))
LINES = (
    "SELECT memories.id, memories.model, memories.embedding, turns.text, turns.entity FROM memories "
    "JOIN turns ON turns.id = memories.turn WHERE memories.source = 'heard'"
)


def stating(db: sqlite3.Connection, embedder: TextEmbedder, step: Lines, as_of_ns: int | None) -> list[Hit]:
    """The lines that state it, the likeliest first."""
    rows = _candidates(db, step, as_of_ns)
    if not rows:
        return []
    likely = likeness(embedder)
    whole = np.stack([_vector(row, embedder) for row in rows])
    best = np.argsort(-likely.output(whole, step.attribute), kind="stable")[:READ]
    found = [(_likeliest(rows[n], whole[n], step, likely, embedder), rows[n]["id"]) for n in best.tolist()]
    ordered = sorted(((p, memory) for p, memory in found if p >= LEAST), key=lambda one: (-one[0], one[1]))
    return [Hit(memory, p, {"states": p}) for p, memory in ordered]


def _candidates(db: sqlite3.Connection, step: Lines, as_of_ns: int | None) -> list[sqlite3.Row]:
    """What the person said, and what names them or the thing."""
    then = known(db, Query(recorded_by_ns=as_of_ns))
    own = f"turns.entity IN ({', '.join('?' * len(step.entities))})" if step.entities else "0"
    named = " OR ".join(["turns.text LIKE ?"] * len(step.names)) or "0"
    words = [f"%{_last_word(name) if step.thing else name}%" for name in step.names]
    sql = f"{LINES} AND ({own} OR {named}) AND memories.id IN (SELECT id FROM memories WHERE {then.sql})"
    return db.execute(f"{sql} ORDER BY memories.id", (*step.entities, *words, *then.values)).fetchall()


def _last_word(name: str) -> str:
    """What a thing is called by, in either number: "key" of "car keys"."""
    return name.split()[-1].removesuffix("s")


def _vector(row: sqlite3.Row, embedder: TextEmbedder) -> Vector:
    if row["model"] == embedder.name:
        return unpack(row["embedding"])
    return _embedded(row["text"], embedder)


def _likeliest(row: sqlite3.Row, whole: Vector, step: Lines, likely: Likeness, embedder: TextEmbedder) -> float:
    """How likely the likeliest sentence of a line is to state it."""
    every = _sentences(row["text"])
    own = row["entity"] in step.entities
    about = [text for text, read in every if _asserts(read, step.attribute) and _is_about(text, read, step, own)]
    if not about:
        return 0.0
    vectors = whole[None] if len(every) == 1 else np.stack([_embedded(text, embedder) for text in about])
    return max((one.p for one in likely.of(vectors) if one.attribute == step.attribute), default=0.0)


def _embedded(text: str, embedder: TextEmbedder) -> Vector:
    vector: Vector = embedder.embed([text])[0]
    return vector


@lru_cache(maxsize=5_000)
def _sentences(text: str) -> tuple[tuple[str, tuple[Clause, ...]], ...]:
    """The sentences of a line, each with its clauses."""
    found: dict[int, list[Clause]] = {}
    for clause in clauses(text):
        found.setdefault(clause.sentence, []).append(clause)
    return tuple((read[0].said or read[0].text, tuple(read)) for read in found.values())


def _asserts(read: Sequence[Clause], attribute: str) -> bool:
    """Is all of a sentence claimed, as true now? "Not" turns most of what is stated into something else."""
    if any(not one.asserts or one.past for one in read):
        return False
    return attribute in NEGATIVE_TOO or all(one.polarity > 0 for one in read)


def _is_about(text: str, read: Sequence[Clause], step: Lines, own: bool) -> bool:
    """Is it said of those who are asked about? By them: of nobody else; by others: with them as subject."""
    words = [word.lower() for word in WORD.findall(text)]
    if step.thing:
        wanted = [stems(name) for name in step.names]
        return any(one and one <= stems(text) for one in wanted)
    subjects = [*(one.subject for one in read), *_openings(text)]
    others = [one for subject in subjects for one in persons(subject) if one.name != SPEAKER or one.of]
    if own:
        free = step.attribute in ("relation", "opinion") or not others
        return free and not HE_OR_SHE & set(words) and bool(SPEAKERS & set(words))
    return bool(others) and all(_names(one.name, step.names) and not one.of for one in others)


def _openings(text: str) -> list[str]:
    """What may be the subject where no verb was known: the first words, unless a comma makes them an address."""
    words = text.split()[:3]
    found = list[str]()
    for n, word in enumerate(words, 1):
        found.append(" ".join(words[:n]).rstrip(".!"))
        if word.endswith((",", ":", ";")):
            return []
    return found


def _names(said: str, names: Sequence[str]) -> bool:
    return said.casefold().removesuffix("'s") in (name.casefold() for name in names)
