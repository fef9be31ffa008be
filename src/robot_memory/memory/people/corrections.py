"""An operator's word about who is who: name, merge, split. It outweighs every vote.

Each is one change of the journal and holds while that change stands. All run inside the caller's transaction.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.people import journal
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.linking import pair, persons
from robot_memory.memory.people.names import GIVEN, OPERATOR
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.people.settling import component, evidence, persons_of, place
from robot_memory.memory.tokens import split

LONGEST_NAME = 80
Said = tuple[int, int, bool]  # two entities, the smaller first: are they one human?
LIKE_AN_ID = re.compile(r"(?:person|face|voice)[\s_-]*\d+", re.IGNORECASE)
JOINERS = {0x200C: None, 0x200D: None}  # invisible letters that Persian and Indian names are written with


class PersonUnknown(RobotMemoryError):
    """Nobody is known by that id."""


class CorrectionInvalid(RobotMemoryError):
    """The correction contradicts itself or lacks something."""


class CorrectionRefused(RobotMemoryError):
    """The correction goes against what cannot be otherwise, or others stand on it."""


def name_person(db: sqlite3.Connection, person: str, name: str, word: Word) -> int:
    """Give a person (person_4) a name, or take it away (empty); returns the change. The name stays with the person's
    faces, or the voices of one without a face. Raises PersonUnknown or CorrectionInvalid.
    """
    known, name = find(db, person), fit_name(name)
    borne = known.anchors
    change = journal.note(
        db, "name", [known.token, *known.tokens], {"name": name, "before": known.name, "entities": borne}, word
    )
    _call(db, borne, name, word, change)
    return change


def merge_persons(db: sqlite3.Connection, keep: str, merge: str, word: Word) -> int:
    """Two persons are one human: `merge` becomes an alias of `keep`, whose given name they have; returns the change.
    Raises PersonUnknown, CorrectionInvalid, or CorrectionRefused where they were seen together.
    """
    one, other = find(db, keep), find(db, merge)
    if one.id == other.id:
        raise CorrectionInvalid(f"{keep} and {merge} are one person already")
    if when := met(db, product(one.entities, other.entities)):
        raise CorrectionRefused(f"{keep} and {merge} are two people: {when}")
    said = [(*pair(a, b), True) for a, b in product(one.anchors, other.anchors)]
    asked = {"persons": [one.token, other.token]}
    change, _ = _decide(db, "merge", [one, other], said, word, one.anchors[0], asked)
    if one.state == GIVEN:
        _call(db, one.anchors, one.name, word, change)
    return change


def split_person(db: sqlite3.Connection, person: str, entities: Sequence[str], word: Word) -> tuple[int, str]:
    """The faces and voices named (face_3, voice_7) are another human; the rest stays one. Returns the change and the
    new person's id. Raises PersonUnknown or CorrectionInvalid.
    """
    known = find(db, person)
    leaving = _members(known, entities)
    staying = [entity for entity in known.entities if entity not in leaving]
    if not staying:
        raise CorrectionInvalid(f"{person} would be left without a face or voice: name those that leave")
    said = [(*pair(a, b), False) for a, b in product(staying, leaving)]
    said += [(*pair(leaving[0], entity), True) for entity in leaving[1:]]
    if _would_part(db, known, said, staying):  # what held the rest together is among what leaves
        said += [(*pair(staying[0], entity), True) for entity in staying[1:]]
    asked = {"persons": [known.token], "leaving": list(entities)}
    change, now = _decide(db, "split", [known], said, word, staying[0], asked)
    return change, f"person_{now[leaving[0]]}"


def fit_name(name: str) -> str:
    """The name as it is kept. Raises CorrectionInvalid."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME or not name.translate(JOINERS).isprintable():
        raise CorrectionInvalid(f"that is no name: give at most {LONGEST_NAME} letters, or none to take the name away")
    if LIKE_AN_ID.fullmatch(name):
        raise CorrectionInvalid(f"{name!r} would be taken for an id: give another name")
    return name


def find(db: sqlite3.Connection, person: str) -> Person:
    """The person of an id (aliases, faces and voices lead there too). Raises PersonUnknown."""
    try:
        kind, number = split(person)
        people = People(db)
        known = people.get(number) if kind == "person" else people.of_entity(number)
    except (ValueError, KeyError):
        known = None
    if known is None or (kind != "person" and number not in (known.faces if kind == "face" else known.voices)):
        raise PersonUnknown(f"nobody is known as {person[:LONGEST_NAME]!r}: robot-memory who lists everyone")
    return known


def _call(db: sqlite3.Connection, entities: Iterable[int], name: str, word: Word, change: int) -> None:
    """Write an operator's name down; it counts while the change stands."""
    db.executemany(
        "INSERT INTO names(entity, name, source, at_ns, change) VALUES (?, ?, ?, ?, ?)",
        [(entity, name, OPERATOR, word.at_ns, change) for entity in entities],
    )


def _decide(
    db: sqlite3.Connection,
    action: str,
    of: Sequence[Person],
    said: Iterable[Said],
    word: Word,
    keeper: int,
    asked: Mapping[str, object],
) -> tuple[int, dict[int, int]]:
    """Note a word about pairs and let the persons follow it, the id of the first of `of` staying with entity `keeper`;
    returns the change and entity -> person.
    """
    around = component(db, [entity for one in of for entity in one.entities])
    before = persons_of(db, around)
    change = journal.note(db, action, [token for one in of for token in (one.token, *one.tokens)], {}, word)
    say(db, change, said)
    now = follow(db, around, (of[0].id, keeper))
    remember_moves(db, change, before, now, asked)
    return change, now


def _would_part(db: sqlite3.Connection, of: Person, said: Iterable[Said], staying: Sequence[int]) -> bool:
    """Would these words leave some of the staying ones apart from the others?"""
    known = evidence(db, component(db, of.entities))
    words = [*known.decided, *(((one, other), same) for one, other, same in said)]
    return not any(group.issuperset(staying) for group in persons(replace(known, decided=words)))


def say(db: sqlite3.Connection, change: int, said: Iterable[Said]) -> None:
    """Write down what an operator says about pairs; it counts while the change stands."""
    db.executemany(
        "INSERT INTO decisions(change, one, other, same) VALUES (?, ?, ?, ?)", [(change, *one) for one in said]
    )


def follow(db: sqlite3.Connection, around: Iterable[int], keep: tuple[int, int] | None = None) -> dict[int, int]:
    """Let the persons around these follow the evidence; returns entity -> person. `keep` as in settling.place."""
    known = evidence(db, component(db, around))
    place(db, persons(known), known.faces, keep)
    return persons_of(db, known.faces | known.voices)


def remember_moves(
    db: sqlite3.Connection, change: int, before: dict[int, int], now: dict[int, int], more: Mapping[str, object]
) -> None:
    """Who was where before the change and is where since; new persons become subjects of it."""
    moved = {entity: (before[entity], now[entity]) for entity in before if before[entity] != now.get(entity)}
    detail = {"moved": {str(entity): list(where) for entity, where in moved.items()}, **more}
    db.execute("UPDATE journal SET detail = ? WHERE id = ?", (json.dumps(detail), change))
    db.executemany(
        "INSERT OR IGNORE INTO journal_subjects(change, token) VALUES (?, ?)",
        [(change, f"person_{person}") for where in moved.values() for person in where],
    )


def _members(of: Person, entities: Sequence[str]) -> list[int]:
    """The named faces and voices of a person. Raises CorrectionInvalid."""
    if not entities:
        raise CorrectionInvalid(f"name the faces and voices that leave {of.token}: {', '.join(of.tokens)}")
    own = dict(zip(of.tokens, of.entities, strict=True))
    if strange := [token for token in entities if token not in own]:
        raise CorrectionInvalid(f"{strange[0][:LONGEST_NAME]!r} is not of {of.token}, who has {', '.join(own)}")
    return list(dict.fromkeys(own[token] for token in entities))


def met(db: sqlite3.Connection, pairs: Iterable[tuple[int, int]]) -> str:
    """When any of these were seen or heard at one moment; empty if never."""
    for one, other in pairs:
        row = db.execute(
            "SELECT apart.clip, kind FROM apart JOIN entities ON entities.id = one WHERE one = ? AND other = ?",
            pair(one, other),
        ).fetchone()
        if row:
            how = "seen in one picture" if row["kind"] == "face" else "heard as two speakers"
            return f"they were {how} in clip {row['clip']}"
    return ""
