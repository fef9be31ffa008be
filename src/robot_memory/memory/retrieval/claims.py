"""What is claimed of some subjects: by index, exact, without vectors, in the order of what happened.

A person is meant by any of their tokens. A thing may be asked for by its last words ("keys" for "car keys") or in the
other number, where only one thing that is claimed can be meant.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from robot_memory.memory.insertion.attributes import named, spelled
from robot_memory.memory.insertion.claim import subject_of
from robot_memory.memory.insertion.equals import wordings
from robot_memory.memory.insertion.wording.inflection import singular
from robot_memory.memory.retrieval.filters import known
from robot_memory.memory.retrieval.query import Hit, Query
from robot_memory.memory.tokens import TOKEN

EXACT, NEAR = 1.0, 0.8
# each subject once, every one a step in the index of claims
SUBJECTS = """
WITH RECURSIVE every(subject) AS (
    SELECT min(subject) FROM memories WHERE subject IS NOT NULL
    UNION ALL
    SELECT (SELECT min(subject) FROM memories WHERE subject > every.subject) FROM every WHERE subject IS NOT NULL)
SELECT subject FROM every WHERE subject IS NOT NULL
"""


def claims(
    db: sqlite3.Connection, subjects: Sequence[str] | None, attributes: Sequence[str], as_of_ns: int | None = None
) -> list[Hit]:
    """Claims of these `subjects` (as frames write them: "<face_3>", "Ben", "the car keys"; None: of anybody and
    anything) in these `attributes` (none: any) that had been recorded by `as_of_ns`, the earliest first. `score`: 1, or
    less where the thing is called otherwise.
    """
    names = [named(spelled(one), 1)[0].name for one in attributes]
    then = known(db, Query(recorded_by_ns=as_of_ns))
    meant = _meant(db, subjects, names)
    found = dict[int, tuple[int, float]]()
    for subject, score in meant.items():
        rows = db.execute(
            f"SELECT id, valid_from_ns FROM memories WHERE subject = ? {_among(names)} AND {then.sql}",
            (subject, *names, *then.values),
        )
        found |= {row["id"]: (row["valid_from_ns"], score) for row in rows}
    ordered = sorted(found, key=lambda memory: (found[memory][0], memory))
    return [Hit(memory, found[memory][1], {"claim": found[memory][1]}) for memory in ordered]


def _meant(db: sqlite3.Connection, subjects: Sequence[str] | None, attributes: Sequence[str]) -> dict[str, float]:
    """Subjects as they are stored -> how surely they are meant."""
    if subjects is None:
        return dict.fromkeys(_every(db), EXACT)
    meant = dict[str, float]()
    for subject in subjects:
        norm = subject_of(subject)
        exact = wordings(db, norm)
        meant |= dict.fromkeys(exact, EXACT)
        if _is_thing(subject) and not _is_claimed(db, exact, attributes):
            near = _near(norm, (one for one in _every(db) if _is_claimed(db, [one], attributes)))
            meant |= dict.fromkeys(near, NEAR)
    return meant


def _is_thing(subject: str) -> bool:
    """Whether it is neither a token nor a name, by its capital: Ann is not Mary Ann."""
    return not TOKEN.search(subject) and not any(word[:1].isupper() for word in subject.split()[:1])


def _every(db: sqlite3.Connection) -> list[str]:
    return [row["subject"] for row in db.execute(SUBJECTS)]


def _is_claimed(db: sqlite3.Connection, subjects: Iterable[str], attributes: Sequence[str]) -> bool:
    """Is anything claimed of any of these in these attributes?"""
    sql = f"SELECT 1 FROM memories WHERE subject = ? {_among(attributes)} LIMIT 1"
    return any(db.execute(sql, (subject, *attributes)).fetchone() for subject in subjects)


def _among(attributes: Sequence[str]) -> str:
    return f"AND attribute IN ({', '.join('?' * len(attributes))})" if attributes else ""


def _near(asked: str, claimed: Iterable[str]) -> list[str]:
    """The one thing that may be meant: the same but for its number, else the one whose last words these are."""
    ours = _singular(asked)
    things = {one: _singular(one) for one in claimed if not TOKEN.search(one)}
    same = [one for one, words in things.items() if words == ours]
    ending = [one for one, words in things.items() if words[-len(ours) :] == ours]
    return same or (ending if len(ending) == 1 else [])


def _singular(words: str) -> list[str]:
    return [singular(word) for word in words.split()]
