"""Whom a question mentions: by name, by a token, by a role, or as the one who asks; and names that nobody has.

A name that nobody has is one only where a person's name stands: what is drunk or bought has names as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.control.understanding.names import Names
from robot_memory.control.understanding.naming import Known, Naming
from robot_memory.control.understanding.positions import Position
from robot_memory.control.understanding.reading import ASKER, NAME, ROLE, TOKEN, Mention
from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import Word

TOKENS = re.compile(r"<?(?<!\w)(person|face|voice)[_ ](\d{1,18})(?!\w)>?", re.IGNORECASE)
UNUSUAL = re.compile(r"[a-z](?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bVan)[A-Z]|\d")  # YouTube, PS5


@dataclass
class Mentioned:
    """What was found. `places`: the number of the first word, for each time that a mention is made. `used`: the numbers
    of all words that mentions are made of. `robot`: it is spoken to of itself.
    """

    mentions: list[Mention] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)  # of the used ones, those that are somebody's name
    robot: bool = False


class Finder:
    """Finds mentions in one text. `carried`: the numbers of words that are not part of what is asked."""

    def __init__(self, words: Sequence[Word], names: Names, asker: str, carried: set[int]) -> None:
        self._words = words
        self._names = names
        self._naming = Naming(words, names)
        self._asker = asker
        self._carried = carried
        self._found = Mentioned()

    def find(self, text: str) -> Mentioned:
        self._tokens(text)
        at = 0
        while at < len(self._words):
            at += self._at(at)
        return self._found

    def _at(self, at: int) -> int:
        """Read what begins here; how many words that took."""
        if at in self._found.used:
            return 1
        for length in range(min(self._names.longest, len(self._words) - at), 0, -1):
            if known := self._naming.known(at, length, self._found.named):
                return self._add(at, known)
        if self._pronoun(at) or self._described(at):
            return 1
        return self._stranger(at)

    def _stranger(self, at: int) -> int:
        """Note the name that begins here, if it is one and nobody's; how many words it has, 1 where there is none."""
        place = Position(self._words, at)
        word = place.word
        if word.quoted or at in self._carried or not word.plain[:1].isalpha():
            return 1
        if word.plain in listed("empty") | listed("not_names") | listed("auxiliaries") | listed("question_words"):
            return 1
        length = 1
        while at + length < len(self._words) and self._naming.goes_on(at + length):
            length += 1
        if self._is_somebody(Position(self._words, at, length), self._naming.text(at, length)):
            self._unknown(at, length)
        return length

    def _is_somebody(self, place: Position, text: str) -> bool:
        """Whether a name that nobody has stands where a person's does: what is drunk or bought has names as well."""
        if place.before.plain in listed("articles") or place.place or place.month or UNUSUAL.search(text):
            return False
        if place.word.plain in listed("kin") | listed("described") | listed("first_person") | listed("third_person"):
            return False
        if place.named:
            return place.persons_place
        plural = place.word.plain.endswith("s") or place.word.plain in listed("persons_counted")
        return place.speaker and place.before.plain in listed("one_speaks") and not plural

    def _unknown(self, at: int, length: int) -> None:
        name = self._naming.text(at, length)
        if name not in self._found.unknown:
            self._found.unknown.append(name)

    def _add(self, at: int, known: Known) -> int:
        """Note a named person, and a role that it owns; how many words that took."""
        numbers = range(at, at + known.length)
        self._found.used.update(numbers)
        self._found.named.update(numbers)
        self._note(
            self._naming.text(at, known.length), known.who.persons, known.who.how, at, known.length, known.who.alike
        )
        return known.length + (self._role(at, known.length) if known.owns else 0)

    def _role(self, at: int, length: int) -> int:
        """The kin after an owner: how many words it took."""
        first = at + length
        end = first
        while end < len(self._words) and not self._words[end].breaks and self._words[end].plain in listed("before_kin"):
            end += 1
        if end >= len(self._words) or self._words[end].breaks:
            return 0
        if self._words[end].plain not in listed("kin") | listed("described"):
            return 0
        took = end + 1 - at
        if self._words[end + 1 : end + 2] and self._knows_by_name(end + 1):
            return 0  # "my brother Ben" is Ben
        self._found.used.update(range(first, end + 1))
        self._note(self._naming.text(at, took), (), ROLE, at, took, of=self._naming.text(at, length))
        return end + 1 - first

    def _knows_by_name(self, at: int) -> bool:
        return (
            not self._words[at].breaks
            and self._words[at].capital
            and self._naming.known(at, 1, self._found.named) is not None
        )

    def _pronoun(self, at: int) -> bool:
        plain = self._words[at].plain
        if plain in listed("robot") and at not in self._carried:
            self._found.robot = True
            self._found.used.add(at)
        elif plain in listed("first_person") and not self._stands_around(at):
            self._found.used.add(at)
            known = self._of_token(self._asker.strip().strip("<>")) if self._asker else None
            self._note(self._naming.text(at, 1), () if known is None else (known,), ASKER, at, 1)
            if plain in ("my", "our"):
                self._role(at, 1)
        else:
            return False
        return True

    def _stands_around(self, at: int) -> bool:
        """Whether an "I" or "me" is not what is asked about: "tell me", "give us", a quotation's own."""
        word, before = self._words[at], self._words[at - 1] if at else self._words[at]
        ordered = word.plain in ("me", "us") and before.plain in listed("giving") and (before.opens or before.breaks)
        return at in self._carried or word.quoted or ordered

    def _described(self, at: int) -> bool:
        """ "the postman", "a visitor", "mum"."""
        place = Position(self._words, at)
        described = place.word.plain in listed("described") and place.before.plain in ("the", "that", "this")
        if not described and not (place.word.plain in listed("called_by_kin") and self._bare(place)):
            return False
        self._found.used.add(at)
        words = f"{place.before.text} {place.word.base}" if described else place.word.base
        self._note(words, (), ROLE, at, 1)
        return True

    def _bare(self, place: Position) -> bool:
        owners = listed("articles") | listed("third_person") | listed("first_person") | listed("robot")
        return place.before.plain not in owners | listed("before_kin") and not place.before.clitic

    def _tokens(self, text: str) -> None:
        for match in TOKENS.finditer(text):
            numbers = [n for n, w in enumerate(self._words) if w.start < match.end() and w.end > match.start()]
            if not numbers or self._found.used & set(numbers):
                continue
            token = f"{match[1].lower()}_{int(match[2])}"
            self._found.used.update(numbers)
            self._found.named.update(numbers)
            known = self._of_token(token)
            if known is None:
                self._found.unknown.append(token)
            self._note(token, () if known is None else (known,), TOKEN, numbers[0], len(numbers))

    def _of_token(self, token: str) -> int | None:
        match = TOKENS.fullmatch(token)
        return self._names.by_token(f"{match[1].lower()}_{int(match[2])}") if match else None

    def _note(
        self,
        words: str,
        persons: tuple[int, ...],
        how: str,
        at: int,
        length: int,
        alike: tuple[int, ...] = (),
        of: str = "",
    ) -> None:
        names = tuple(self._names.called(one) for one in persons)
        mention = Mention(words, persons, how, alike, of, self._speaks(at + length), names=names)
        same = [n for n, one in enumerate(self._found.mentions) if _same(one, mention)]
        if not same:
            self._found.mentions.append(mention)
            self._found.places.append([at])
            return
        self._found.places[same[0]].append(at)
        if mention.speaks:
            self._found.mentions[same[0]] = mention

    def _speaks(self, after: int) -> bool:
        """Whether a verb of speaking follows, adverbs and auxiliaries between them or not."""
        for word in self._words[after : after + 4]:
            if word.breaks:
                return False
            if word.plain in listed("speaking"):
                return True
            if not word.auxiliary and word.plain not in listed("between_subject_and_verb"):
                return False
        return False


def _same(one: Mention, other: Mention) -> bool:
    return (
        one.how == other.how
        and one.of == other.of
        and (one.persons == other.persons if one.how in (NAME, ASKER) and one.persons else one.words == other.words)
    )
