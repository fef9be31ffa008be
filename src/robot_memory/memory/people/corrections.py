"""An operator's word about who is who: name, merge, split, and take a change back. It outweighs every vote.

Each is one change of the journal and holds while that change stands. All run inside the caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from robot_memory.errors import RobotMemoryError
from robot_memory.memory.people import journal
from robot_memory.memory.people.journal import Change, Word
from robot_memory.memory.people.linking import pair, persons
from robot_memory.memory.people.names import GIVEN, OPERATOR
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.people.settling import component, decisions, evidence, persons_of, place
from robot_memory.memory.tokens import split

LONGEST_NAME = 80
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
    known, name = find(db, person), " ".join(name.split())
    if len(name) > LONGEST_NAME or not name.translate(JOINERS).isprintable():
        raise CorrectionInvalid(f"that is no name: give at most {LONGEST_NAME} letters, or none to take the name away")
    borne = _anchors(known)
    change = journal.note(db, "name", _tokens(known), {"name": name, "before": known.name, "entities": borne}, word)
    _call(db, borne, name, word, change)
    return change


def merge_persons(db: sqlite3.Connection, keep: str, merge: str, word: Word) -> int:
    """Two persons are one human: `merge` becomes an alias of `keep`, whose given name they have; returns the change.
    Raises PersonUnknown, CorrectionInvalid, or CorrectionRefused where they were seen together.
    """
    one, other = find(db, keep), find(db, merge)
    if one.id == other.id:
        raise CorrectionInvalid(f"{keep} and {merge} are one person already")
    if met := _met(db, one, other):
        raise CorrectionRefused(f"{keep} and {merge} are two people: {met}")
    said = [(*pair(a, b), True) for a, b in product(_anchors(one), _anchors(other))]
    change, _ = _decide(db, "merge", one, said, word, _anchors(one)[0], also=other)
    if one.state == GIVEN:
        _call(db, _anchors(one), one.name, word, change)
    return change


def split_person(db: sqlite3.Connection, person: str, entities: Sequence[str], word: Word) -> tuple[int, str]:
    """The faces and voices named (face_3, voice_7) are another human; returns the change and the new person's id.
    Raises PersonUnknown or CorrectionInvalid.
    """
    known = find(db, person)
    leaving = _members(known, entities)
    staying = [entity for entity in (*known.faces, *known.voices) if entity not in leaving]
    if not staying:
        raise CorrectionInvalid(f"{person} would be left without a face or voice: name those that leave")
    said = [(*pair(a, b), False) for a, b in product(staying, leaving)]
    said += [(*pair(leaving[0], entity), True) for entity in leaving[1:]]
    change, now = _decide(db, "split", known, said, word, staying[0])
    return change, f"person_{now[leaving[0]]}"


def undo(db: sqlite3.Connection, change: int, word: Word) -> int:
    """Take a change back, which is a change itself; returns it. Taking back an undo does the thing again; taking back
    what votes concluded is a word of its own. Raises ChangeUnknown, CorrectionInvalid, or CorrectionRefused where later
    changes stand on it.
    """
    known = journal.get(db, change)
    if why_not := obstacle(db, known):
        raise CorrectionRefused(why_not)
    return _UNDO[known.action](db, known, word)


def obstacle(db: sqlite3.Connection, change: Change) -> str:
    """Why a change cannot be taken back now; empty if it can."""
    if change.undone:
        return f"change {change.id} was taken back by change {change.undone_by} already"
    if change.action not in _UNDO or (change.action == "name" and "source" in change.detail):
        return f"change {change.id} ({change.action}) is nothing that can be taken back: what was heard was heard"
    if later := journal.later(db, change):
        return f"change {later.id} ({later.action}) stands on change {change.id}: take that back first"
    return ""


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
    of: Person,
    said: Iterable[tuple[int, int, bool]],
    word: Word,
    keeper: int,
    also: Person | None = None,
) -> tuple[int, dict[int, int]]:
    """Note a word about pairs and let the persons follow it, the id of `of` staying with entity `keeper`; returns the
    change and entity -> person.
    """
    around = component(db, [*_all(of), *(_all(also) if also else ())])
    before = persons_of(db, around)
    change = journal.note(db, action, [*_tokens(of), *(_tokens(also) if also else ())], {}, word)
    _say(db, change, said)
    now = _follow(db, around, (of.id, keeper))
    _remember_moves(db, change, before, now)
    return change, now


def _say(db: sqlite3.Connection, change: int, said: Iterable[tuple[int, int, bool]]) -> None:
    db.executemany(
        "INSERT INTO decisions(change, one, other, same) VALUES (?, ?, ?, ?)", [(change, *one) for one in said]
    )


def _follow(db: sqlite3.Connection, around: Iterable[int], keep: tuple[int, int] | None = None) -> dict[int, int]:
    known = evidence(db, component(db, around))
    place(db, persons(known), known.faces, keep)
    return persons_of(db, known.faces | known.voices)


def _remember_moves(
    db: sqlite3.Connection, change: int, before: dict[int, int], now: dict[int, int], **more: object
) -> None:
    """Who was where before the change and is where since; new persons become subjects of it."""
    moved = {entity: (before[entity], now[entity]) for entity in before if before[entity] != now.get(entity)}
    detail = {"moved": {str(entity): list(where) for entity, where in moved.items()}, **more}
    db.execute("UPDATE journal SET detail = ? WHERE id = ?", (json.dumps(detail), change))
    db.executemany(
        "INSERT OR IGNORE INTO journal_subjects(change, token) VALUES (?, ?)",
        [(change, f"person_{person}") for where in moved.values() for person in where],
    )


def _undo_word(db: sqlite3.Connection, change: Change, word: Word) -> int:
    """Let what an operator said stand no longer (or, of an undo, again), and put the people back where they were."""
    by = journal.note(db, "undo", change.subjects, {}, word)
    journal.take_back(db, change, by)
    around = component(db, [int(entity) for entity in change.detail.get("moved", {})])
    before = persons_of(db, around)
    _put_back(db, change)
    now = _follow(db, around)
    _remember_moves(db, by, before, now, undoes=change.id)
    return by


def _put_back(db: sqlite3.Connection, change: Change) -> None:
    """Entities that are still where the change put them go home, and their old persons are persons again."""
    for entity, (old, new) in change.detail.get("moved", {}).items():
        there = db.execute(
            "UPDATE entities SET person = ? WHERE id = ? AND person = ?", (old, int(entity), new)
        ).rowcount
        if not there:
            continue
        db.execute("UPDATE persons SET merged_into = NULL WHERE id = ?", (old,))
        if db.execute("SELECT 1 FROM entities WHERE person = ?", (new,)).fetchone() is None:
            db.execute("UPDATE persons SET merged_into = ? WHERE id = ?", (old, new))


def _undo_conclusion(db: sqlite3.Connection, change: Change, word: Word) -> int:
    """Votes joined or parted an entity from others: an operator says that it is not so."""
    entity, kin = int(change.detail["entity"]), [int(one) for one in change.detail["with"]]
    same = change.action == "unlink"
    if same:
        left = People(db).get(change.detail["from"])
        kin = list(_anchors(left)) if left else []
    around = component(db, [entity, *kin])
    before = persons_of(db, around)
    by = journal.note(db, "undo", change.subjects, {}, word)
    journal.take_back(db, change, by)
    decided = dict(decisions(db, around))
    said = [pair(entity, other) for other in kin if other != entity]
    _say(db, by, [(*both, same) for both in said if both not in decided])
    _remember_moves(db, by, before, _follow(db, around), undoes=change.id)
    return by


_UNDO: dict[str, Callable[[sqlite3.Connection, Change, Word], int]] = {
    "name": _undo_word,
    "merge": _undo_word,
    "split": _undo_word,
    "undo": _undo_word,
    "link": _undo_conclusion,
    "unlink": _undo_conclusion,
}


def _members(of: Person, entities: Sequence[str]) -> list[int]:
    """The named faces and voices of a person. Raises CorrectionInvalid."""
    if not entities:
        raise CorrectionInvalid(f"name the faces and voices that leave {of.token}: {', '.join(_tokens(of)[1:])}")
    own = dict(zip(_tokens(of)[1:], _all(of), strict=True))
    if strange := [token for token in entities if token not in own]:
        raise CorrectionInvalid(f"{strange[0][:LONGEST_NAME]!r} is not of {of.token}, who has {', '.join(own)}")
    return list(dict.fromkeys(own[token] for token in entities))


def _met(db: sqlite3.Connection, one: Person, other: Person) -> str:
    """When two persons were seen or heard at one moment; empty if never."""
    for a, b in product(_all(one), _all(other)):
        row = db.execute("SELECT clip FROM apart WHERE one = ? AND other = ?", pair(a, b)).fetchone()
        if row:
            how = "seen in one picture" if a in one.faces else "heard as two speakers"
            return f"they were {how} in clip {row['clip']}"
    return ""


def _anchors(of: Person) -> tuple[int, ...]:
    """What stays with a person whatever votes say of the rest: the faces, else the voices."""
    return of.faces or of.voices


def _all(of: Person) -> tuple[int, ...]:
    return (*of.faces, *of.voices)


def _tokens(of: Person) -> list[str]:
    return [of.token, *(f"face_{face}" for face in of.faces), *(f"voice_{voice}" for voice in of.voices)]
