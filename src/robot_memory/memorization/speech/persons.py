"""Whom a claim is about: "me" is the speaker, "my sister Anna" is Anna, "Ben's wife" the wife of Ben."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from robot_memory.memorization.speech.subjects import is_name
from robot_memory.memorization.speech.tables import alternatives, listed, table
from robot_memory.memorization.speech.told import HEARER, SPEAKER

SPEAKERS = frozenset(["i", "me", "my", "mine", "myself", "we", "us", "our", "ours"])
HEARERS = frozenset(["you", "your", "yours", "yourself"])
UPPER = "A-Z" + "".join(letter for letter in map(chr, range(0xC0, 0x250)) if letter.isupper())
NAME = (
    rf"(?:(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Professor|Prof|Aunt|Auntie|Uncle|Granny|Grandma|"
    rf"Grandpa)\.? )?[{UPPER}][\w'’-]*[\w](?: [{UPPER}][\w’-]+){{0,2}}(?<!'s)"
)


@dataclass(frozen=True)
class Person:
    """`name`: SPEAKER, HEARER, a name, or with `of` what somebody is to SPEAKER or to that name."""

    name: str
    of: str = ""


@cache
def kin() -> str:
    """A pattern of what people are to each other: "older sister", "next-door neighbour"."""
    words = sorted(listed("relation", "kin"), key=lambda word: (-len(word), word))
    before = sorted(listed("relation", "before_kin"), key=lambda word: (-len(word), word))
    return rf"(?:(?:{'|'.join(map(re.escape, before))})[ -]){{0,2}}(?:{'|'.join(map(re.escape, words))})"


@cache
def _relative() -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<whose>my|our|your|his|her|their|{NAME}'s?) (?P<kin>{kin()})(?:,? (?:called )?(?P<name>{NAME}))?$"
    )


def persons(said: str) -> list[Person]:
    """The persons a subject means: none for "everybody", "the car", two for "Ben and Anna"."""
    found = []
    text = said.strip(" ,")
    relative = _relative().match(_small(text))
    parts = [text] if relative else re.split(r",? and |, |both ", text)
    for part in parts:
        one = person(part.strip(" ,"))
        if one is None:
            return []
        found.append(one)
    return found


def person(said: str) -> Person | None:
    """One person, or None."""
    lower = said.lower().removesuffix("'s")
    if lower in SPEAKERS:
        return Person(SPEAKER)
    if lower in HEARERS:
        return Person(HEARER)
    if relative := _relative().match(_small(said)):
        if relative["name"] and is_names(relative["name"]):
            return Person(relative["name"])
        whose = person(relative["whose"].removesuffix("'s").removesuffix("'"))
        return Person(relative["kin"].lower(), whose.name) if whose and not whose.of and whose.name != HEARER else None
    if (
        placed := re.match(rf"({NAME}) (?:from|in|at|over|next|down|up|with|across|upstairs|downstairs)\b", said)
    ) and is_names(placed[1]):
        return Person(placed[1])
    said = re.sub(r"^(?:[Oo]ur|[Pp]oor|[Oo]ld|[Gg]ood old|[Dd]ear|[Ee]ven|[Oo]nly) (?=[A-Z])", "", said)
    named = said.removesuffix("'s")
    return Person(named) if is_names(named) else None


def is_names(said: str) -> bool:
    """Whether all words are written as names are."""
    return bool(re.fullmatch(NAME, said)) and all(is_name(word) for word in said.split())


def _small(said: str) -> str:
    """With a small letter at the beginning, where that is no name."""
    first = said.split(" ", 1)[0]
    return said[:1].lower() + said[1:] if not is_name(first) else said


def gender(relation: str) -> str:
    """ "f", "m" or "" for what somebody is."""
    word = relation.split()[-1].lower() if relation else ""
    return "f" if word in listed("relation", "female") else "m" if word in listed("relation", "male") else ""


def kin_words() -> str:
    return alternatives(table("relation")["kin"].split())
