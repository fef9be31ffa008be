"""Relatives in the words of a question: "Anna's brother", "my big sister", "the boss of Ben", "Anna has a twin. …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.control.understanding.reading import ASKER, ROLE, Reading
from robot_memory.control.understanding.tables import listed
from robot_memory.control.whom.kinship import is_modifier, is_relation
from robot_memory.memory.insertion.wording.inflection import singular

LONGEST = 4  # words of what somebody is: "new piano teacher"
MY = ("my", "our")
NOBODY = r"(?!)"
QUOTED_S = "'s "
WORD = re.compile(r"[\w-]+(?:'s?(?!\w))?|[.,;:?!]")
TALKED_OF = "has|have|had|talks|talked|tells|told|mentions|mentioned|speaks|spoke"


@dataclass(frozen=True)
class Role:
    """Whose ("Anna"; "my" of the asker), and what they are, one after the other: (brother, wife) of "Anna's brother's
    wife".
    """

    owner: str
    kin: tuple[str, ...]

    @property
    def words(self) -> str:
        """ "Anna's brother", "your brother's wife"."""
        first = "your" if self.owner.lower() in MY else f"{self.owner}'s"
        return f"{first} {QUOTED_S.join(self.kin)}"


def role_in(reading: Reading, thing: str = "") -> Role | None:
    """The relative a question asks about; None where it asks about none. `thing`: what the question asks for ("dentist
    appointment"), whose words are nobody's relation.
    """
    text = reading.words.replace("’", "'")
    owner = "|".join(_spelt(one) for one in sorted(_owners(reading), key=len, reverse=True)) or NOBODY
    for pattern in (
        rf"\b(?P<owner>{owner})'s?\s+(?P<rest>.*)",
        r"\b(?P<owner>my|our)\s+(?P<rest>.*)",
        rf"\bthe\s+(?P<rest>[\w\s-]+?)\s+of\s+(?P<owner>{owner})(?!\w)",
        rf"\bthe\s+(?P<rest>[\w\s-]+?)\s+(?:that\s+)?(?P<owner>{owner})\s+(?:{TALKED_OF})\b",
        rf"\b(?P<owner>{owner})\s+(?:has|have|has got|have got)\s+(?:a|an)\s+(?P<rest>[\w\s-]+?)[.;:,]\s",
    ):
        for found in re.finditer(pattern, text, re.IGNORECASE):
            if kin := _kin(found["rest"], thing):
                return Role(found["owner"], kin)
    return None


def _owners(reading: Reading) -> list[str]:
    named = [one.words for one in reading.mentions if one.how not in (ASKER, ROLE)]
    return [_unowned(one) for one in (*named, *reading.unknown_names)]


def _spelt(name: str) -> str:
    """A pattern for a name, with hyphens or without: readings keep none."""
    return r"[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", name))


def same_name(one: str, other: str) -> bool:
    """Whether two words of a question are one name."""
    return re.fullmatch(_spelt(_unowned(one)), _unowned(other), re.IGNORECASE) is not None


def _unowned(name: str) -> str:
    return re.sub(r"['’]s?$", "", name)


def _kin(rest: str, thing: str) -> tuple[str, ...]:
    """The relations that a text begins with: (brother, wife) of "brother's wife do for a living"."""
    found, words = list[str](), WORD.findall(rest)
    while words and (length := _length(words)):
        noun = words[length - 1]
        following = words[length : length + 1]
        if following and _stands_in(f"{_bare(noun)} {following[0]}", thing):
            return ()
        kin = " ".join((*words[: length - 1], _bare(noun))).lower()
        if _stands_in(kin, thing):
            return ()
        found.append(kin)
        if noun == _bare(noun):
            break
        words = words[length:]
    return tuple(found)


def _length(words: Sequence[str]) -> int:
    """How many words say what somebody is: 3 of "new piano teacher do"; 0 where none do."""
    for at, word in enumerate(words[:LONGEST]):
        if is_relation(_bare(word)):
            return 0 if singular(_bare(word).lower()) != _bare(word).lower() else at + 1  # "Anna's friends"
        if not word[0].isalpha() or word != _bare(word):
            return 0
        if word.lower() in listed("empty") | listed("auxiliaries") and not is_modifier(word):
            return 0
    return 0


def _bare(word: str) -> str:
    return re.sub(r"'s?$", "", word)


def _stands_in(words: str, thing: str) -> bool:
    return f" {words.lower()}" in f" {thing.lower()}"
