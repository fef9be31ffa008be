"""Why is voice_7 Anna? What the journal and the votes say about a face, a voice or a person, in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from robot_memory.memory.people import journal
from robot_memory.memory.people.corrections import find
from robot_memory.memory.people.journal import Change
from robot_memory.memory.people.linking import likely, log_odds, pair, probability
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.people.settling import component, evidence
from robot_memory.memory.people.undoing import obstacle
from robot_memory.memory.tokens import split

SOURCES = {
    "introduction": "introduced themselves as",
    "introduced": "was introduced as",
    "addressed": "was addressed as",
    "spelling": "spelt their name as",
    "operator": "was named by an operator:",
}


def why(db: sqlite3.Connection, token: str) -> list[str]:
    """The reasons, a line each, the result first. Raises PersonUnknown."""
    person = find(db, token)
    people = People(db)
    about = [token] if split(token)[0] != "person" else [f"voice_{voice}" for voice in person.voices]
    lines = [_result(token, person)]
    lines += _names(db, person)
    for one in about:
        lines += _links(db, people, one)
    lines += _apart(db, people, person)
    lines += [f"change {one.id}: {summary(one, people)}" for one in reversed(journal.changes(db, person.token))]
    return lines


def summary(change: Change, people: People) -> str:
    """A change in a sentence, with names as known now: "voice_7 was taken to be of Anna (person_2)"."""
    if change.action in _IN_WORDS:
        words = _IN_WORDS[change.action](change, people)
        return f"{change.actor} {words}" if change.actor else words
    return f"{change.action}: {change.reason}" if change.reason else change.action


def _link(change: Change, people: People) -> str:
    detail = change.detail
    return f"{detail['kind']}_{detail['entity']} was taken to be of {_who(people, detail['to'])}: the votes say so"


def _unlink(change: Change, people: People) -> str:
    detail = change.detail
    return (
        f"{detail['kind']}_{detail['entity']} was taken from {_who(people, detail['from'])}: the votes no longer say so"
    )


def _name(change: Change, people: People) -> str:
    detail = change.detail
    if "source" in detail:
        return f"{_of(people, detail['entity'])} {SOURCES.get(detail['source'], detail['source'])} {detail['name']}"
    person = next((token for token in change.subjects if token.startswith("person_")), "somebody")
    return f"named {person} {detail['name']}" if detail["name"] else f"took the name of {person} away"


def _merge(change: Change, people: People) -> str:
    keep, merged = change.detail["persons"]
    return f"merged {merged} into {keep}, who is {_who(people, split(keep)[1])}"


def _split(change: Change, people: People) -> str:
    (person,) = change.detail["persons"]
    return f"split {', '.join(change.detail['leaving'])} off {person}, who is {_who(people, split(person)[1])}"


def _undo(change: Change, people: People) -> str:
    return f"took change {change.detail['undoes']} back"


_IN_WORDS = {"link": _link, "unlink": _unlink, "name": _name, "merge": _merge, "split": _split, "undo": _undo}


def undoable(db: sqlite3.Connection, change: Change) -> bool:
    """Can it be taken back now?"""
    return not obstacle(db, change)


def link_confidence(db: sqlite3.Connection, person: Person) -> float:
    """How likely the person's voices are those of the faces, 0..1, by the least sure of them; 0 if there is nothing to
    tell, 1 by an operator's word.
    """
    if not person.faces or not person.voices:
        return 0.0
    known = evidence(db, component(db, person.voices))
    said, odds = dict(known.decided), log_odds(known)
    sure = [
        max(
            1.0 if said.get(pair(voice, face)) else probability(odds.get((voice, face), -99.0)) for face in person.faces
        )
        for voice in person.voices
    ]
    return min(sure)


def maybe_same(db: sqlite3.Connection, people: People, person: Person) -> list[Person]:
    """Others who look or sound like this one, were never met together with them, and about whom nobody has decided:
    proposals for a merge.
    """
    found = {}
    for entity in person.entities:
        for row in db.execute(
            "SELECT one, other FROM alike WHERE (one = ? OR other = ?) AND NOT EXISTS "
            "(SELECT 1 FROM apart WHERE apart.one = alike.one AND apart.other = alike.other) AND NOT EXISTS "
            "(SELECT 1 FROM decisions JOIN journal ON journal.id = change WHERE undone_by IS NULL "
            "AND decisions.one = alike.one AND decisions.other = alike.other)",
            (entity, entity),
        ):
            other = people.of_entity(row["other"] if row["one"] == entity else row["one"])
            if other.id != person.id:
                found[other.id] = other
    return [found[id] for id in sorted(found)]


def _result(token: str, person: Person) -> str:
    return f"{token} is {person.describe()} ({person.token}): {', '.join(person.tokens)}"


def _names(db: sqlite3.Connection, person: Person) -> Iterator[str]:
    for entity in person.entities:
        rows = db.execute(
            "SELECT name, source, names.clip, kind, undone_by FROM names JOIN entities ON entities.id = entity "
            "LEFT JOIN journal ON journal.id = change WHERE entity = ? ORDER BY names.id",
            (entity,),
        )
        for row in rows:
            where = f" in clip {row['clip']}" if row["clip"] else ""
            gone = ", which was taken back" if row["undone_by"] else ""
            how = SOURCES.get(row["source"], row["source"])
            yield f"{row['kind']}_{entity} {how} {row['name'] or '(nobody)'}{where}{gone}"


def _links(db: sqlite3.Connection, people: People, token: str) -> Iterator[str]:
    """What the votes say of every face of a voice, or every voice of a face."""
    kind, entity = split(token)
    known = evidence(db, component(db, [entity]))
    odds, said = log_odds(known), dict(known.decided)
    for tally in known.tallies:
        if entity not in (tally.voice, tally.face):
            continue
        value = odds[tally.voice, tally.face]
        other = f"face_{tally.face}" if kind == "voice" else f"voice_{tally.voice}"
        word = said.get(pair(tally.voice, tally.face))
        decided = "" if word is None else f"; an operator says that they {'are' if word else 'are not'} one human"
        yield (
            f"{token} and {other} ({people.of_entity(split(other)[1]).describe()}): {tally.plus:g} votes for, "
            f"{tally.minus:g} against, {tally.alone:g} of them alone in view; log-odds {value:+.1f} "
            f"({'enough' if likely(tally, value) else 'not enough'} for one person){decided}"
        )


def _apart(db: sqlite3.Connection, people: People, person: Person) -> Iterator[str]:
    for entity in person.entities:
        rows = db.execute(
            "SELECT * FROM apart WHERE one = ? OR other = ? ORDER BY one, other", (entity, entity)
        ).fetchall()
        others = {people.of_entity(row["one"] if row["other"] == entity else row["other"]).id for row in rows}
        kind = "face" if entity in person.faces else "voice"
        met = "seen in one picture with" if kind == "face" else "heard as another speaker beside"
        if others:
            yield f"{kind}_{entity} was {met} {', '.join(_who(people, one) for one in sorted(others))}"


def _of(people: People, entity: int) -> str:
    person = people.of_entity(entity)
    return f"{'face' if entity in person.faces else 'voice'}_{entity}"


def _who(people: People, person: int) -> str:
    known = people.get(person)
    if known is None:
        return f"person_{person}"
    return f"{known.describe()} ({known.token})" if known.name else known.token
