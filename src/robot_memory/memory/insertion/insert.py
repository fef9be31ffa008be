"""How a sentence enters memory. Cosine never decides: a frame (who, what about them, which value) does.

The same claim again strengthens what is there, and fetches it from the archive if need be. Another value of what has
one at a time (a home) ends the one before, by the time it happened; what was so stays answerable. The opposite of a
claim is kept beside it, as a contradiction. A sentence without a frame is never merged. "Likes coffee" and "does not
like coffee" are 0.88 alike as vectors.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from robot_memory.memory.compression.archive import bring_back
from robot_memory.memory.days import DAY_NS
from robot_memory.memory.insertion import rows
from robot_memory.memory.insertion.claim import Claim, normalise
from robot_memory.memory.insertion.equals import wordings
from robot_memory.memory.insertion.intervals import Chain
from robot_memory.memory.insertion.parity import Rules, insert_by_cosine
from robot_memory.memory.insertion.rows import Observation
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.insertion.similar import link_similar
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import unpack


@dataclass(frozen=True)
class Inserted:
    """The memory that holds the sentence now, and whether it is a new one, or has a new number because it came from the
    archive. `added`: every memory that is new, with its vector as the store keeps it, in order of id; more than one
    where an older interval was parted.
    """

    memory: int
    new: bool
    added: tuple[tuple[int, Vector], ...]


def take_in(
    db: sqlite3.Connection,
    clip: int,
    sentence: Sentence,
    vector: Vector,
    model: str,
    rules: Rules = Rules.FRAMES,
) -> Inserted:
    """Remember a sentence, and say all that is new. Raises ValueError for a sentence about nobody's face or voice."""
    seen = Observation(clip, sentence, vector, model)
    parted: list[int] = []
    if rules is not Rules.FRAMES:
        memory, new = insert_by_cosine(db, seen, rules, _claim_of(db, seen))
    elif (claim := _claim_of(db, seen)) is None:
        memory, new = rows.add(db, seen), True
        link_similar(db, memory, seen)
    else:
        subjects, norms = wordings(db, claim.subject), wordings(db, claim.norm)
        if claim.matter is None:
            memory, new = _beside_others(db, claim, subjects, norms, seen)
        else:
            chain = Chain(db, claim, subjects, norms)
            memory, new = chain.place(seen)
            parted = chain.parted
    return Inserted(memory, new, _vectors(db, [*parted, memory] if new else parted))


def day_of(db: sqlite3.Connection, clip: int, at_ns: int) -> int:
    """The day something was said on, where it was said: days since 1970."""
    row = db.execute(
        "SELECT utc_offset_s FROM clips JOIN sessions ON sessions.id = session WHERE clips.id = ?", (clip,)
    ).fetchone()
    return (at_ns + (row["utc_offset_s"] if row else 0) * 10**9) // DAY_NS


def _claim_of(db: sqlite3.Connection, seen: Observation) -> Claim | None:
    frame = seen.sentence.frame
    return normalise(frame, day_of(db, seen.clip, seen.sentence.start_ns)) if frame else None


def _beside_others(
    db: sqlite3.Connection, claim: Claim, subjects: list[str], norms: list[str], seen: Observation
) -> tuple[int, bool]:
    """A claim that others do not exclude: strengthen an equal one or add it, and mark those that say the opposite."""
    at_ns = seen.sentence.start_ns
    equal = _claims(db, claim, claim.polarity, subjects, norms, at_ns)
    opposed = _claims(db, claim, -claim.polarity, subjects, norms, at_ns)
    archived, memory = next(iter(equal), (0, 0))
    if archived:
        memory = bring_back(db, memory)
    if equal:
        rows.observe_again(db, memory, seen)
    else:
        memory = rows.add(db, seen, claim)
    for _, other in opposed:
        _contradict(db, max(memory, other), min(memory, other))
        rows.weaken(db, other)
    return memory, not equal or bool(archived)


def _contradict(db: sqlite3.Connection, later: int, earlier: int) -> None:
    """Relate two memories, unless they are; one that was in the archive meanwhile has a later number than at first."""
    between = "kind = 'contradicts' AND memory = ? AND other = ?"
    if db.execute(f"SELECT 1 FROM relations WHERE {between}", (earlier, later)).fetchone() is None:
        db.execute("INSERT OR IGNORE INTO relations VALUES (?, ?, 'contradicts')", (later, earlier))


def _claims(
    db: sqlite3.Connection, claim: Claim, polarity: int, subjects: list[str], norms: list[str], at_ns: int
) -> list[tuple[int, int]]:
    """Memories that claim the same value with this polarity and have not ended by then: whether it is archived, and
    its id, those at hand and the oldest first.
    """
    found = []
    for subject in subjects:
        found += db.execute(
            "SELECT archived, id FROM memories WHERE subject = ? AND attribute = ? "
            f"AND norm IN ({', '.join('?' * len(norms))}) "
            "AND polarity = ? AND (valid_until_ns IS NULL OR valid_until_ns > ?)",
            (subject, claim.attribute, *norms, polarity, at_ns),
        ).fetchall()
    return sorted((row["archived"], row["id"]) for row in found)


def _vectors(db: sqlite3.Connection, memories: list[int]) -> tuple[tuple[int, Vector], ...]:
    """As a restart would read them back; what is archived is not searched."""
    if not memories:
        return ()
    marks = ", ".join("?" * len(memories))
    rows = db.execute(
        f"SELECT id, embedding FROM memories WHERE id IN ({marks}) AND archived = 0 ORDER BY id", memories
    )
    return tuple((row["id"], unpack(row["embedding"])) for row in rows)
