"""The persons of the store follow the evidence: only those that a change touches are looked at again.

A person's id is for life. It stays with the person's faces, else with the voices; joining leaves an alias, parting
makes a new id. What moved is written into the journal with what moved it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import asdict

from robot_memory.memory.entities import pairs
from robot_memory.memory.people import journal, votes
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.linking import FEWEST, Evidence, Pair, log_odds, pair, persons

NEIGHBOURS = (  # whom evidence ties to an entity: faces and voices that may be linked, or rivals of a link, ...
    f"SELECT face FROM tallies WHERE voice = ? AND plus >= {FEWEST}",
    f"SELECT voice FROM tallies WHERE face = ? AND plus >= {FEWEST}",
    "SELECT other FROM alike WHERE one = ?",
    "SELECT one FROM alike WHERE other = ?",
    "SELECT other FROM decisions WHERE one = ?",
    "SELECT one FROM decisions WHERE other = ?",
    "SELECT mine.id FROM entities AS mine JOIN entities AS own ON own.person = mine.person WHERE own.id = ?",
)


def new_person(db: sqlite3.Connection) -> int:
    row = db.execute("INSERT INTO persons DEFAULT VALUES")
    assert row.lastrowid is not None
    return row.lastrowid


def settle(db: sqlite3.Connection, entities: Collection[int], clip: int | None, at_ns: int) -> list[int]:
    """Let the persons around `entities` follow the evidence, and journal each that has moved: from whom, to whom
    (`with` those who were there already), and the votes. Returns all whose person is another one now, or has others.
    """
    known = evidence(db, component(db, entities))
    moved = place(db, persons(known), known.faces)
    if not moved:
        return []
    odds, now = log_odds(known), persons_of(db, known.faces | known.voices)
    for entity, (old, new) in sorted(moved.items()):
        others = sorted(one for one, person in now.items() if person == new and one != entity)
        kin = [one for one in others if one not in moved] or others
        told = [tally for tally in known.tallies if entity in (tally.voice, tally.face)]
        detail = {
            "entity": entity,
            "kind": kind_of(known, entity),
            "from": old,
            "to": new,
            "with": kin,
            "votes": [asdict(tally) | {"log_odds": odds[tally.voice, tally.face]} for tally in told],
        }
        subjects = [*(token(known, one) for one in (entity, *kin)), f"person_{old}", f"person_{new}"]
        journal.note(db, "link" if others else "unlink", subjects, detail, Word("", "", at_ns), clip)
    changed = {person for where in moved.values() for person in where}
    return [entity for entity, person in sorted(now.items()) if person in changed]


def component(db: sqlite3.Connection, entities: Iterable[int]) -> set[int]:
    """Those that any evidence ties to `entities`, near or far."""
    found, waiting = set(entities), list(entities)
    while waiting:
        entity = waiting.pop()
        for query in NEIGHBOURS:
            for (other,) in db.execute(query, (entity,)):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
    return found


def evidence(db: sqlite3.Connection, entities: Collection[int]) -> Evidence:
    """All that the store knows about who these are."""
    kinds: dict[str, set[int]] = {"face": set(), "voice": set()}
    for entity in entities:
        (kind,) = db.execute("SELECT kind FROM entities WHERE id = ?", (entity,)).fetchone()
        kinds[kind].add(entity)
    voices = sorted(kinds["voice"])
    return Evidence(
        frozenset(kinds["face"]),
        frozenset(voices),
        tuple(tally for tally in votes.tallies(db, voices) if tally.face in kinds["face"]),
        votes.heard(db, voices),
        votes.company(db, sorted(kinds["face"])),
        _pairs(db, "apart", entities),
        _pairs(db, "alike", entities),
        decisions(db, entities),
    )


def decisions(db: sqlite3.Connection, entities: Collection[int]) -> list[tuple[Pair, bool]]:
    """What operators have said about pairs of these, in order, as far as it stands."""
    found = {}
    for entity in entities:
        for row in db.execute(
            "SELECT decisions.* FROM decisions JOIN journal ON journal.id = change WHERE one = ? AND undone_by IS NULL",
            (entity,),
        ):
            if row["other"] in entities:
                found[row["id"]] = (pair(row["one"], row["other"]), bool(row["same"]))
    return [found[row] for row in sorted(found)]


def place(
    db: sqlite3.Connection,
    groups: Iterable[Collection[int]],
    faces: Collection[int],
    keep: tuple[int, int] | None = None,
) -> dict[int, tuple[int, int]]:
    """Give each group one person; returns who moved: entity -> (old, new). `keep`: this person stays with that entity,
    whatever other ids its group has.
    """
    ordered = [sorted(group) for group in groups]
    now = persons_of(db, [entity for group in ordered for entity in group])
    home = _homes(ordered, now, faces, keep)
    moved = {}
    for n, group in enumerate(ordered):
        mine = sorted(person for person, at in home.items() if at == n)
        if keep and keep[0] in mine:
            mine = [keep[0], *mine]
        elif of_faces := [person for person in mine if any(now[one] == person and one in faces for one in group)]:
            mine = [*of_faces, *mine]
        person = mine[0] if mine else new_person(db)
        for other in mine:
            if other != person:
                db.execute("UPDATE persons SET merged_into = ? WHERE id = ?", (person, other))
        for entity in group:
            if now[entity] != person:
                db.execute("UPDATE entities SET person = ? WHERE id = ?", (person, entity))
                moved[entity] = (now[entity], person)
    return moved


def _homes(
    groups: list[list[int]], now: dict[int, int], faces: Collection[int], keep: tuple[int, int] | None
) -> dict[int, int]:
    """Person -> the group that its id stays with: where most of its faces are, then most of its voices."""
    home: dict[int, tuple[int, int, int]] = {}  # person -> (faces, entities, -group)
    for n, group in enumerate(groups):
        for person in {now[entity] for entity in group}:
            mine = [entity for entity in group if now[entity] == person]
            home[person] = max(home.get(person, (-1, 0, 0)), (sum(one in faces for one in mine), len(mine), -n))
    found = {person: -where[2] for person, where in home.items()}
    if keep:
        found[keep[0]] = next(n for n, group in enumerate(groups) if keep[1] in group)
    return found


def persons_of(db: sqlite3.Connection, entities: Iterable[int]) -> dict[int, int]:
    """Entity -> its person as stored."""
    return {entity: pairs.person_of(db, entity) for entity in entities}


def kind_of(known: Evidence, entity: int) -> str:
    return "face" if entity in known.faces else "voice"


def token(known: Evidence, entity: int) -> str:
    return f"{kind_of(known, entity)}_{entity}"


def _pairs(db: sqlite3.Connection, table: str, entities: Collection[int]) -> frozenset[Pair]:
    return frozenset(
        (row["one"], row["other"])
        for entity in entities
        for row in db.execute(f"SELECT one, other FROM {table} WHERE one = ?", (entity,))
        if row["other"] in entities
    )
