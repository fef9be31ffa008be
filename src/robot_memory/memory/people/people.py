"""Everyone known, as one moment's view of the store: their faces, voices, and what they are called."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from robot_memory.memory.people import journal
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.names import NONE, SURE, Hearing, choose, matches


@dataclass(frozen=True)
class Person:
    """A human as known now. `state` of the name: none, heard (once), confirmed (heard again, or spelt) or given by an
    operator; `others`: other spellings and names heard.
    """

    id: int
    faces: tuple[int, ...]
    voices: tuple[int, ...]
    aliases: tuple[int, ...]
    name: str
    state: str = NONE
    others: tuple[str, ...] = ()

    @property
    def token(self) -> str:
        return f"person_{self.id}"

    @property
    def entities(self) -> tuple[int, ...]:
        return (*self.faces, *self.voices)

    @property
    def tokens(self) -> tuple[str, ...]:
        """face_3, voice_7: those of `entities`, in their order."""
        return (*(f"face_{face}" for face in self.faces), *(f"voice_{voice}" for voice in self.voices))

    @property
    def anchors(self) -> tuple[int, ...]:
        """What stays with a person whatever votes say of the rest: the faces, else the voices."""
        return self.faces or self.voices

    @property
    def sure(self) -> bool:
        return self.state in SURE

    @property
    def doubtful(self) -> bool:
        """True only where a name rests on one hearing: a person without a name is not doubtful, just nameless."""
        return bool(self.name) and not self.sure

    def describe(self) -> str:
        """How to speak of the person: "Grace", "someone who said 'Anna'", "person 4"."""
        if self.name and self.sure:
            return self.name
        return f"someone who said '{self.name}'" if self.name else f"person {self.id}"


def hear_name(
    db: sqlite3.Connection, entity: int, name: str, source: str, clip: int, at_ns: int, turn: int | None = None
) -> None:
    """A name was given for a voice or a face: one more hypothesis with its source."""
    db.execute(
        "INSERT INTO names(entity, name, source, at_ns, clip, turn) VALUES (?, ?, ?, ?, ?, ?)",
        (entity, name, source, at_ns, clip, turn),
    )
    row = db.execute("SELECT kind, person FROM entities WHERE id = ?", (entity,)).fetchone()
    subjects = [f"{row['kind']}_{entity}", f"person_{row['person']}"]
    journal.note(db, "name", subjects, {"entity": entity, "name": name, "source": source}, Word("", "", at_ns), clip)


class People:
    """Everyone known when the view was made. What somebody is called is worked out when it is first asked."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._of_entity: dict[int, int] = {}
        self._members: dict[int, dict[str, list[int]]] = defaultdict(lambda: {"face": [], "voice": []})
        for row in db.execute("SELECT id, kind, person FROM entities ORDER BY id"):
            self._of_entity[row["id"]] = row["person"]
            self._members[row["person"]][row["kind"]].append(row["id"])
        self._alias = {
            row["id"]: row["merged_into"] for row in db.execute("SELECT * FROM persons WHERE merged_into IS NOT NULL")
        }
        self._aliases: dict[int, list[int]] = defaultdict(list)
        for old in self._alias:
            self._aliases[self.now(old)].append(old)
        self._heard = self._hearings(db)
        self._persons: dict[int, Person] = {}

    def all(self) -> list[Person]:
        return [self._person(id) for id in sorted(self._members)]

    def now(self, person: int) -> int:
        """The id a person has now, following aliases (which run in a circle in a file that was tampered with)."""
        passed = set[int]()
        while person in self._alias and person not in passed:
            passed.add(person)
            person = self._alias[person]
        return person

    def of_entity(self, entity: int) -> Person:
        return self._person(self._of_entity[entity])

    def get(self, person: int) -> Person | None:
        now = self.now(person)
        return self._person(now) if now in self._members else None

    def called(self, name: str) -> list[Person]:
        """Those who go by a name; where nobody does, those whose name sounds like it. Unsure names count as well."""
        by_name: dict[str, list[Person]] = defaultdict(list)
        for id in sorted(self._heard):
            if (person := self._person(id)).name:
                by_name[person.name].append(person)
        return [person for one in matches(name, by_name) for person in by_name[one]]

    def name_of(self, token: str) -> str:
        """How to speak of an entity token (face_3, voice_7, person_2) in a sentence."""
        kind, _, number = token.partition("_")
        person = int(number) if kind == "person" else self._of_entity.get(int(number), -1)
        known = self.get(person)
        return known.describe() if known else "someone"

    def _person(self, id: int) -> Person:
        if id not in self._persons:
            of, called = self._members[id], choose(self._heard.get(id, ()))
            faces, voices, aliases = tuple(of["face"]), tuple(of["voice"]), tuple(self._aliases.get(id, ()))
            self._persons[id] = Person(id, faces, voices, aliases, called.name, called.state, called.others)
        return self._persons[id]

    def _hearings(self, db: sqlite3.Connection) -> dict[int, list[Hearing]]:
        """Person -> all names heard for their faces and voices, as far as they stand."""
        heard: dict[int, list[Hearing]] = defaultdict(list)
        rows = db.execute(
            "SELECT names.* FROM names LEFT JOIN journal ON journal.id = change WHERE undone_by IS NULL "
            "ORDER BY names.id"
        )
        for row in rows:
            heard[self._of_entity[row["entity"]]].append(Hearing(row["name"], row["source"], row["at_ns"], row["turn"]))
        return heard
