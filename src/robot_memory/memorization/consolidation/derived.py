"""Derived memories in the store: read, written, reworded, ended, taken away; each with what it rests on.

They enter beside insertion's chains (a told routine is never superseded by one that was counted): the norm is kept for
comparison, the matter is not. What somebody told to the contrary stays, related as a contradiction; answers prefer it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from robot_memory.memorization.consolidation.bands import BANDS
from robot_memory.memorization.consolidation.rule import DERIVED, Held, Rule, told_in
from robot_memory.memory.graph import Change
from robot_memory.memory.insertion import rows
from robot_memory.memory.insertion.claim import Claim, normalise
from robot_memory.memory.insertion.equals import wordings
from robot_memory.memory.insertion.rows import Observation
from robot_memory.memory.insertion.sentence import Sentence
from robot_memory.memory.vectors.index import Vector
from robot_memory.memory.vectors.packing import pack, unpack


@dataclass(frozen=True)
class Consolidated:
    """How many derived memories were made, changed (more or other counts), ended, and fell because they never were."""

    made: int = 0
    strengthened: int = 0
    ended: int = 0
    fallen: int = 0

    def __add__(self, other: Consolidated) -> Consolidated:
        return Consolidated(
            self.made + other.made,
            self.strengthened + other.strengthened,
            self.ended + other.ended,
            self.fallen + other.fallen,
        )

    @property
    def changes(self) -> int:
        return self.made + self.strengthened + self.ended + self.fallen


MADE, STRENGTHENED = Consolidated(made=1), Consolidated(strengthened=1)
ENDED, FALLEN, NOTHING = Consolidated(ended=1), Consolidated(fallen=1), Consolidated()


def held(db: sqlite3.Connection, subjects: Sequence[str], attribute: str) -> list[Held]:
    """The derived memories of these subjects in an attribute, the oldest first."""
    found = db.execute(
        "SELECT id, attribute, value, valid_from_ns, valid_until_ns FROM memories WHERE subject IN "
        "(SELECT value FROM json_each(?)) AND attribute = ? AND source = ? ORDER BY id",
        (json.dumps(list(subjects)), attribute, DERIVED),
    )
    return [Held(*row) for row in found]


def subjects_of(db: sqlite3.Connection, attribute: str) -> list[str]:
    """Of whom or what there are derived memories in an attribute."""
    found = db.execute(
        "SELECT DISTINCT subject FROM memories WHERE source = ? AND kind = 'semantic' AND attribute = ? ORDER BY 1",
        (DERIVED, attribute),
    )
    return [row[0] for row in found]


def differs(db: sqlite3.Connection, rule: Rule, known: Held | None) -> bool:
    """Whether the memory that is held says otherwise, or there is none."""
    if known is None or known.value != rule.frame.value:
        return True
    row = db.execute(
        "SELECT text, count, start_ns, end_ns, valid_until_ns FROM memories WHERE id = ?", (known.memory,)
    ).fetchone()
    return (
        _revives(db, rule, known)
        or row is None
        or tuple(row) != (rule.text, rule.hits, rule.start_ns, rule.end_ns, rule.until_ns)
    )


def put(change: Change, rule: Rule, known: Held | None, vector: Vector, model: str) -> Consolidated:
    """Make the memory of a rule, or bring the one that is held up to date. `vector` [d] of the rule's bare sentence."""
    if known is None:
        return _make(change, rule, vector, model)
    if rule.frame.value != known.value or _revives(change.db, rule, known):  # other weekdays; it holds again
        remove(change, known.memory)
        return STRENGTHENED if _make(change, rule, vector, model).made else FALLEN
    return _renew(change.db, rule, known)


def _revives(db: sqlite3.Connection, rule: Rule, known: Held) -> bool:
    """Whether a rule that had ended and went to the archive holds again: answers do not look there."""
    row = db.execute("SELECT archived FROM memories WHERE id = ?", (known.memory,)).fetchone()
    return rule.until_ns is None and row is not None and bool(row["archived"])


def remove(change: Change, memory: int) -> Consolidated:
    """Take a derived memory away for good."""
    change.db.execute("DELETE FROM memories WHERE id = ?", (memory,))
    change.archived.append(memory)  # so that the index lets go of it
    return FALLEN


def _make(change: Change, rule: Rule, vector: Vector, model: str) -> Consolidated:
    db = change.db
    supports = _there(db, rule.supports)
    if not supports:
        return NOTHING  # forgotten since it was counted
    clip = db.execute("SELECT clip FROM memories WHERE id = ?", (supports[-1],)).fetchone()["clip"]
    about = dict.fromkeys(rule.about, 1.0)
    said = Sentence("semantic", rule.text, rule.start_ns, rule.end_ns, DERIVED, about, rule.frame)
    claim = replace(normalise(rule.frame), matter=None)
    memory = rows.add(db, Observation(clip, said, vector, model), claim, rule.until_ns)
    db.execute("UPDATE memories SET count = ? WHERE id = ?", (rule.hits, memory))
    _rest_on(db, memory, supports)
    _contradict(db, memory, rule, claim)
    change.memories.append((memory, unpack(pack(vector)), clip))
    return MADE


def _renew(db: sqlite3.Connection, rule: Rule, known: Held) -> Consolidated:
    """The counts, the end and the supports as they are now. The vector stays: it is of the sentence without counts."""
    supports = _there(db, rule.supports)
    if not supports:
        return NOTHING
    db.execute(
        "UPDATE memories SET (text, count, start_ns, end_ns, valid_from_ns, valid_until_ns) = (?, ?, ?, ?, ?, ?) "
        "WHERE id = ?",
        (rule.text, rule.hits, rule.start_ns, rule.end_ns, rule.start_ns, rule.until_ns, known.memory),
    )
    left = "support NOT IN (SELECT value FROM json_each(?))"  # what stays is not weighed anew
    db.execute(f"DELETE FROM derivations WHERE memory = ? AND {left}", (known.memory, json.dumps(supports)))
    _rest_on(db, known.memory, supports)
    return ENDED if rule.until_ns is not None and known.until_ns is None else STRENGTHENED


def _there(db: sqlite3.Connection, memories: Sequence[int]) -> list[int]:
    """Those that are still in the store, the earliest first."""
    found = db.execute(
        "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY start_ns, id",
        (json.dumps(list(memories)),),
    )
    return [row["id"] for row in found]


def _rest_on(db: sqlite3.Connection, memory: int, supports: Sequence[int]) -> None:
    db.executemany("INSERT OR IGNORE INTO derivations(memory, support) VALUES (?, ?)", [(memory, s) for s in supports])


def _contradict(db: sqlite3.Connection, memory: int, rule: Rule, claim: Claim) -> None:
    """Relate it to what was told to the contrary of the same person: that it is not so then, or at no time."""
    told = told_in(rule.frame.value)
    values = [f"be {told.where}", f"be {told.where} {BANDS[told.band].phrase}"] if told else []
    norms = {claim.norm, *(normalise(replace(rule.frame, value=value)).norm for value in values)}
    contrary = [
        row["id"]
        for subject in wordings(db, claim.subject)
        for row in db.execute(
            "SELECT id FROM memories WHERE subject = ? AND attribute = ? AND polarity < 0 AND source <> ? "
            "AND norm IN (SELECT value FROM json_each(?))",
            (subject, claim.attribute, DERIVED, json.dumps(sorted(norms))),
        )
    ]
    db.executemany(
        "INSERT OR IGNORE INTO relations VALUES (?, ?, 'contradicts')",
        [(max(memory, other), min(memory, other)) for other in contrary],
    )
