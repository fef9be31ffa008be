"""Taking a change back: what an operator said stands no longer, what votes concluded is denied, an undo is undone.

An undo is a change of the journal itself, so it can be taken back as well. Who was moved goes home where nothing else
has moved them since, and ids that had become aliases are persons again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from robot_memory.memory.people import journal
from robot_memory.memory.people.corrections import CorrectionRefused, follow, met, remember_moves, say
from robot_memory.memory.people.journal import Change, Word
from robot_memory.memory.people.linking import pair
from robot_memory.memory.people.people import People
from robot_memory.memory.people.settling import component, decisions, persons_of


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
    if _lost(db, change):
        return f"change {change.id} is about somebody who is not there any more"
    if when := _forbidden(db, change):
        return f"change {change.id} cannot be taken back: they are two people: {when}"
    if later := journal.later(db, change):
        return f"change {later.id} ({later.action}) stands on change {change.id}: take that back first"
    return ""


def _lost(db: sqlite3.Connection, change: Change) -> bool:
    """Is anyone gone whom the change is about?"""
    moved = change.detail.get("moved", {})
    entities = {*map(int, moved), *change.detail.get("with", ()), change.detail.get("entity", 0)} - {0}
    people = {person for where in moved.values() for person in where}
    return any(
        db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (one,)).fetchone() is None
        for table, ids in (("entities", entities), ("persons", people))
        for one in ids
    )


def _forbidden(db: sqlite3.Connection, change: Change) -> str:
    """Would taking back an undo join two who have been met together since? When; empty if not."""
    target = journal.root(db, change)
    if target.action != "merge" or target.id == change.id or not target.undone:
        return ""
    rows = db.execute("SELECT one, other FROM decisions WHERE change = ? AND same", (target.id,)).fetchall()
    return met(db, [(row["one"], row["other"]) for row in rows])


def _undo_word(db: sqlite3.Connection, change: Change, word: Word) -> int:
    """Let what an operator said stand no longer (or, of an undo, again), and put the people back where they were."""
    by = journal.note(db, "undo", change.subjects, {}, word)
    journal.take_back(db, change, by)
    around = component(db, [int(entity) for entity in change.detail.get("moved", {})])
    before = persons_of(db, around)
    _put_back(db, change)
    now = follow(db, around)
    remember_moves(db, by, before, now, {"undoes": change.id})
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
        kin = list(left.anchors) if left else []
    around = component(db, [entity, *kin])
    before = persons_of(db, around)
    by = journal.note(db, "undo", change.subjects, {}, word)
    journal.take_back(db, change, by)
    decided = dict(decisions(db, around))
    said = [pair(entity, other) for other in kin if other != entity]
    say(db, by, [(*both, same) for both in said if both not in decided])
    remember_moves(db, by, before, follow(db, around), {"undoes": change.id})
    return by


_UNDO: dict[str, Callable[[sqlite3.Connection, Change, Word], int]] = {
    "name": _undo_word,
    "merge": _undo_word,
    "split": _undo_word,
    "undo": _undo_word,
    "link": _undo_conclusion,
    "unlink": _undo_conclusion,
}
