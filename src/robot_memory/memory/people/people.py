"""Who is who: faces and voices joined into persons by votes, and what they are called.

A vote says that a voice was heard while a face was there alone (+1), or that someone else's face was (-1). Votes are
summed as log-odds over a prior, saturating within a conversation: one long talk over a silent listener weighs no more
than two turns of it, so the link it makes is soon outvoted, and heals. A person's id is for life: joining leaves an
alias, parting makes a new id.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

PRIOR = -2.0  # log-odds that a voice and a face taken at random are one person
PER_VOTE = 1.5
SATURATION = 2  # votes of one sign that count within a conversation
LINK = 0.0
DECIDES = {"spelling": 1, "operator": 2}  # sources whose last word is the name; the higher one outranks
CONVERSATION_GAP_NS = 60 * 1_000_000_000


@dataclass(frozen=True)
class Vote:
    """Evidence for (+1) or against (-1) "this voice and this face are one person"."""

    face: int
    conversation: int
    value: int


@dataclass(frozen=True)
class Person:
    """A human as known now. `sure` is False while the name rests on a single hearing."""

    id: int
    faces: tuple[int, ...]
    voices: tuple[int, ...]
    aliases: tuple[int, ...]
    name: str
    sure: bool

    @property
    def token(self) -> str:
        return f"person_{self.id}"

    @property
    def doubtful(self) -> bool:
        """True only where a name rests on one hearing: a person without a name is not doubtful, just nameless."""
        return bool(self.name) and not self.sure

    def describe(self) -> str:
        """How to speak of the person: "Grace", "someone who said 'Anna'", "person 4"."""
        if self.name and self.sure:
            return self.name
        return f"someone who said '{self.name}'" if self.name else f"person {self.id}"


def new_person(db: sqlite3.Connection) -> int:
    row = db.execute("INSERT INTO persons DEFAULT VALUES")
    assert row.lastrowid is not None
    return row.lastrowid


def cast_vote(db: sqlite3.Connection, voice: int, face: int, clip: int, at_ns: int, value: int) -> None:
    """Record a vote and let the voice's person follow the evidence."""
    last = db.execute(
        "SELECT conversation, at_ns FROM votes WHERE clip IN (SELECT id FROM clips WHERE session = "
        "(SELECT session FROM clips WHERE id = ?)) ORDER BY id DESC LIMIT 1",
        (clip,),
    ).fetchone()
    if last and abs(at_ns - last["at_ns"]) <= CONVERSATION_GAP_NS:
        conversation = last["conversation"]
    else:
        conversation = 1 + db.execute("SELECT coalesce(max(conversation), 0) FROM votes").fetchone()[0]
    if value == 1:
        db.execute(
            "INSERT INTO votes(voice, face, clip, at_ns, conversation, share) VALUES (?, ?, ?, ?, ?, 1.0)",
            (voice, face, clip, at_ns, conversation),
        )
    relink(db, voice, clip, at_ns)


def log_odds(votes: Iterable[Vote]) -> dict[int, float]:
    """Face -> log-odds that it belongs to the voice the votes are about."""
    tally: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    for vote in votes:
        tally[vote.face][vote.conversation, vote.value] += 1
    return {
        face: PRIOR + PER_VOTE * sum(value * min(count, SATURATION) for (_, value), count in counts.items())
        for face, counts in tally.items()
    }


def relink(db: sqlite3.Connection, voice: int, clip: int, at_ns: int) -> None:
    """Give the voice to the person of its likeliest face, or to nobody else, and journal the change if there is one."""
    rows = db.execute("SELECT face, conversation, 1 AS value FROM votes WHERE voice = ?", (voice,))
    odds = log_odds(Vote(row["face"], row["conversation"], row["value"]) for row in rows)
    best = max(sorted(odds), key=odds.__getitem__, default=None)
    linked = best if best is not None and odds[best] > LINK else None
    old = _person_of(db, voice)
    shared = db.execute("SELECT id FROM entities WHERE person = ? AND id != ?", (old, voice)).fetchall()
    if linked is not None:
        new = _person_of(db, linked)
    else:
        new = new_person(db) if shared else old
    if new == old:
        return
    db.execute("UPDATE entities SET person = ? WHERE id = ?", (new, voice))
    if not shared:
        db.execute("UPDATE persons SET merged_into = ? WHERE id = ?", (new, old))
    detail = {"voice": voice, "face": linked, "from": old, "to": new, "log_odds": odds}
    journal(db, at_ns, "votes", "link" if linked is not None else "unlink", clip, detail)


def hear_name(db: sqlite3.Connection, entity: int, name: str, source: str, clip: int, at_ns: int) -> None:
    """A name was given for a voice or a face: one more hypothesis with its source."""
    db.execute(
        "INSERT INTO names(entity, name, source, at_ns, clip) VALUES (?, ?, ?, ?, ?)",
        (entity, name, source, at_ns, clip),
    )
    journal(db, at_ns, source, "name", clip, {"entity": entity, "name": name})


def journal(db: sqlite3.Connection, at_ns: int, actor: str, action: str, clip: int | None, detail: object) -> None:
    """Who changed what about whom, and why: every state of the people can be explained from this."""
    db.execute(
        "INSERT INTO journal(at_ns, actor, action, clip, detail) VALUES (?, ?, ?, ?, ?)",
        (at_ns, actor, action, clip, json.dumps(detail)),
    )


class People:
    """Everyone known, as one moment's view of the store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._of_entity: dict[int, int] = {}
        members: dict[int, dict[str, list[int]]] = defaultdict(lambda: {"face": [], "voice": []})
        for row in db.execute("SELECT id, kind, person FROM entities ORDER BY id"):
            self._of_entity[row["id"]] = row["person"]
            members[row["person"]][row["kind"]].append(row["id"])
        self._alias = {
            row["id"]: row["merged_into"] for row in db.execute("SELECT * FROM persons WHERE merged_into IS NOT NULL")
        }
        aliases: dict[int, list[int]] = defaultdict(list)
        for old in self._alias:
            aliases[self.now(old)].append(old)
        names = self._names(db)
        self._persons = {
            person: Person(
                person, tuple(of["face"]), tuple(of["voice"]), tuple(aliases[person]), *names.get(person, ("", False))
            )
            for person, of in sorted(members.items())
        }

    def all(self) -> list[Person]:
        return list(self._persons.values())

    def now(self, person: int) -> int:
        """The id a person has now, following aliases."""
        while person in self._alias:
            person = self._alias[person]
        return person

    def of_entity(self, entity: int) -> Person:
        return self._persons[self._of_entity[entity]]

    def get(self, person: int) -> Person | None:
        return self._persons.get(self.now(person))

    def called(self, name: str) -> list[Person]:
        """Those who go by a name, however it is written; unsure names count as well."""
        return [person for person in self._persons.values() if person.name.casefold() == name.casefold()]

    def name_of(self, token: str) -> str:
        """How to speak of an entity token (face_3, voice_7, person_2) in a sentence."""
        kind, _, number = token.partition("_")
        known = self.get(int(number)) if kind == "person" else self._persons.get(self._of_entity.get(int(number), -1))
        return known.describe() if known else "someone"

    def _names(self, db: sqlite3.Connection) -> dict[int, tuple[str, bool]]:
        """Person -> name and whether it is sure: an operator decides, else a spelling, else two hearings."""
        heard: dict[int, Counter[str]] = defaultdict(Counter)
        decided: dict[int, tuple[int, str]] = {}
        for row in db.execute("SELECT entity, name, source FROM names ORDER BY id"):
            person = self._of_entity[row["entity"]]
            heard[person][row["name"]] += 1
            weight = DECIDES.get(row["source"], 0)
            if weight and weight >= decided.get(person, (0, ""))[0]:
                decided[person] = (weight, row["name"])
        return {
            person: (decided[person][1], True) if person in decided else _most_heard(names)
            for person, names in heard.items()
        }


def _most_heard(names: Counter[str]) -> tuple[str, bool]:
    """The name heard most often, as it was mostly written, and whether twice is reached. Case makes no other name."""
    times: Counter[str] = Counter()
    for name, count in names.items():
        times[name.casefold()] += count
    best = max(times, key=lambda name: (times[name], name))
    return min((name for name in names if name.casefold() == best), key=lambda name: (-names[name], name)), times[
        best
    ] >= 2


def _person_of(db: sqlite3.Connection, entity: int) -> int:
    return int(db.execute("SELECT person FROM entities WHERE id = ?", (entity,)).fetchone()[0])
