"""Everyone's names, laid out so that a name in a question is found at once however many people are known.

Built once from a view of everyone and good for as long as that view is. It finds whom `People.called` finds, and keeps
those who are less near as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from robot_memory.control.understanding.reading import ALIAS, NAME, SOUND
from robot_memory.control.understanding.tables import listed
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.people.sounds import readings
from robot_memory.memory.people.sounds import words as pieces_of

Pieces = tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A name in pieces, and who has it: as what they are called (`alias` False) or as another name heard."""

    pieces: Pieces
    person: int
    alias: bool


@dataclass(frozen=True)
class Found:
    """Whom a name may mean: the nearest, how, and those less near."""

    persons: tuple[int, ...]
    how: str
    alike: tuple[int, ...] = ()


class Names:
    """The names and other names of everyone in a view."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._known: dict[int, Person] = {person.id: person for person in people.all()}
        self._whole: dict[Pieces, list[Entry]] = defaultdict(list)
        self._begun: dict[str, list[Entry]] = defaultdict(list)  # first piece of names of several pieces
        self._sounds: dict[str, list[Entry]] = defaultdict(list)  # any way to read the first piece aloud
        self._owners: dict[str, int] = {token: one.id for one in self._known.values() for token in one.tokens}
        self.longest = 1
        for person in self._known.values():
            for name in dict.fromkeys((person.name, *person.others)):
                self._add(name, person.id, alias=name != person.name)

    def _add(self, name: str, person: int, alias: bool) -> None:
        if not (pieces := tuple(pieces_of(name))):
            return
        entry = Entry(pieces, person, alias)
        self.longest = max(self.longest, len(pieces))
        self._whole[pieces].append(entry)
        if len(pieces) > 1 and pieces[0] not in listed("titles"):
            self._begun[pieces[0]].append(entry)
        for sound in readings(pieces[0]):
            self._sounds[sound].append(entry)

    def called(self, person: int) -> str:
        """How to speak of a person, by the id it has now."""
        return self._known[person].describe()

    def by_token(self, token: str) -> int | None:
        """Whom person_2, face_3 or voice_7 means now; None where there is no such one."""
        kind, _, number = token.partition("_")
        if kind != "person":
            return self._owners.get(token)
        known = self._people.get(int(number))
        return known.id if known else None

    def written(self, pieces: Sequence[str]) -> Found | None:
        """Whom a name means as it is written: all of it, else as the first name of a fuller one."""
        whole = self._whole.get(tuple(pieces), [])
        begun = self._begun.get(pieces[0], []) if len(pieces) == 1 else []
        if not whole and not begun:
            return None
        sounds = [e for e in self._alike(pieces[0]) if len(e.pieces) == 1] if begun and not whole else []
        return self._nearest(pieces, (NAME, _names(whole)), (ALIAS, _aliases(whole)), (SOUND, sounds), (NAME, begun))

    def heard(self, pieces: Sequence[str]) -> Found | None:
        """Whom a name means by its sound: all of it, else as the first name of a fuller one."""
        alike = self._alike(pieces[0])
        whole = [e for e in alike if len(e.pieces) == len(pieces) and all(map(_sound, pieces[1:], e.pieces[1:]))]
        begun = [e for e in alike if len(e.pieces) > 1 == len(pieces) and e.pieces[0] not in listed("titles")]
        return self._nearest(pieces, (SOUND, whole), (SOUND, begun))

    def without_surname(self, pieces: Sequence[str]) -> Found | None:
        """Whom a full name means if only its first name is known: "Anna Schmidt" of somebody called Anna."""
        if len(pieces) < 2 or pieces[0] in listed("titles"):
            return None
        whole = self._whole.get((pieces[0],), [])
        return self._nearest(pieces, (NAME, _names(whole)), (ALIAS, _aliases(whole)))

    def _alike(self, piece: str) -> list[Entry]:
        """Entries whose first piece sounds like this one; in the order in which they were added, each once."""
        ours = readings(piece)
        near = list(self._sounds.get(ours[0], ()))
        near += [e for sound in ours[1:] for e in self._sounds.get(sound, ()) if readings(e.pieces[0])[0] == sound]
        return list(dict.fromkeys(near))

    def _nearest(self, pieces: Sequence[str], *degrees: tuple[str, list[Entry]]) -> Found | None:
        """The first degree that has anybody; the others, and those who sound alike, are less near."""
        having = [(how, _persons(entries)) for how, entries in degrees if entries]
        if not having:
            return None
        how, nearest = having[0]
        farther = {one for _, persons in having[1:] for one in persons}
        if len(pieces) == 1:
            farther.update(_persons(self._alike(pieces[0])))
        return Found(tuple(sorted(nearest)), how, tuple(sorted(farther.difference(nearest))))


def _names(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if not entry.alias]


def _aliases(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.alias]


def _persons(entries: Iterable[Entry]) -> list[int]:
    return list(dict.fromkeys(entry.person for entry in entries))


def _sound(one: str, other: str) -> bool:
    ours, theirs = readings(one), readings(other)
    return one == other or ours[0] in theirs or theirs[0] in ours
