"""Whom a run of words names, by how it is written and where it stands.

A known name counts anywhere; a word that is also a name only in a name's position; a sound only where a name is to be
expected. A surname that follows belongs to the name, and may make it somebody else's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from robot_memory.control.understanding.names import Found, Names
from robot_memory.control.understanding.positions import Position
from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import Word
from robot_memory.memory.people.sounds import words as pieces_of

EVERYDAY = ("words_that_are_names", "not_names", "kin", "speaking")  # tables whose words sound like names by chance
SHORTEST_SOUND = 3  # letters: shorter words sound like too many others


@dataclass(frozen=True)
class Known:
    """Somebody named by `length` words. `owns`: what follows is theirs ("Anna's")."""

    who: Found
    length: int
    owns: bool


class Naming:
    """The names in one text. `named`, where it is asked for: the numbers of words found to be names so far."""

    def __init__(self, words: Sequence[Word], names: Names) -> None:
        self._words = words
        self._names = names

    def known(self, at: int, length: int, named: Collection[int]) -> Known | None:
        """Whom so many words from here name, if they name anybody."""
        run = self._words[at : at + length]
        if any(word.breaks for word in run[1:]) or (run[0].quoted and not self._all_of_a_quote(at, length)):
            return None
        place = Position(self._words, at, length)
        pieces = self._pieces(at, length)
        if not pieces:
            return None
        found = self._names.written(pieces)
        if found and (self._may_be(place, length) or self._in_company(at, named)):
            return self._with_surname(at, Known(found, length, place.possessive))
        if found is None and length == 1 and (found := self._unpointed(place, pieces[0])):
            return Known(found, 1, owns=True)
        return self._heard(place, pieces, length)

    def _with_surname(self, at: int, known: Known) -> Known | None:
        """Somebody and the surname that follows, if one does; None where it makes the name somebody else's."""
        end = at + known.length
        while known.length == 1 and end < len(self._words) and self.goes_on(end):
            end += 1
        if end == at + known.length:
            return known
        found = self._names.without_surname(self._pieces(at, end - at))
        return Known(found, end - at, self._words[end - 1].clitic == "s") if found else None

    def _unpointed(self, place: Position, piece: str) -> Found | None:
        """The owner in "annas brother"."""
        if len(piece) <= SHORTEST_SOUND or not piece.endswith("s"):
            return None
        owns = place.after.plain in listed("kin") | listed("before_kin")
        return self._names.written([piece[:-1]]) if owns else None

    def _may_be(self, place: Position, length: int) -> bool:
        word = place.word
        both = word.plain in listed("words_that_are_names")
        empty = word.plain in listed("empty") | listed("auxiliaries") | listed("question_words")
        if length > 1:
            return place.named or not empty
        if empty and not both:
            return place.named
        return not place.month and (not both or place.fits_a_name)

    def _in_company(self, at: int, named: Collection[int]) -> bool:
        """ "anna and WILL": what is joined to somebody is somebody."""
        return self._words[at - 1].plain in ("and", "or", "&") and at - 2 in named if at > 1 else False

    def _heard(self, place: Position, pieces: Sequence[str], length: int) -> Known | None:
        """By sound, where a name is to be expected and the word is no everyday one."""
        word = place.word
        if len(pieces[0]) < SHORTEST_SOUND or word.plain in listed("empty") or place.month:
            return None
        everyday = any(word.plain in listed(key) for key in EVERYDAY)
        expected = (place.named and not place.place) or (not everyday and self._in_a_slot(place))
        found = self._names.heard(pieces) if expected else None
        return Known(found, length, place.possessive) if found else None

    def _in_a_slot(self, place: Position) -> bool:
        """Where only a name can stand, whatever its letters."""
        return place.possessive or place.speaker

    def goes_on(self, at: int) -> bool:
        """Whether a name goes on with this word: a capital in the same breath, and nobody's own name."""
        word, before = self._words[at], self._words[at - 1]
        if word.breaks or not word.capital or before.clitic or word.quoted != before.quoted:
            return False
        if word.plain in listed("empty") | listed("not_names") or not before.capital:
            return False
        return self._names.written(self._pieces(at, 1) or [""]) is None

    def _all_of_a_quote(self, at: int, length: int) -> bool:
        """A name alone in quotation marks is meant; one within a quotation is quoted."""
        before = self._words[at - 1 : at] if at else []
        after = self._words[at + length : at + length + 1]
        return not any(word.quoted for word in (*before, *after))

    def _pieces(self, at: int, length: int) -> list[str]:
        return [piece for word in self._words[at : at + length] for piece in pieces_of(word.base)]

    def text(self, at: int, length: int) -> str:
        run = self._words[at : at + length]
        return " ".join([word.text for word in run[:-1]] + [run[-1].base])
