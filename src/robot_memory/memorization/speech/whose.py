"""Whose promise, plan, routine or appointment it is: the words for a person as subject and `of` of a claim."""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.subjects import is_name
from robot_memory.memorization.speech.told import HEARER, SPEAKER
from robot_memory.memorization.speech.whole import filled

OWN = re.compile(r"\b(?:I|me|my|we|us|our|myself|mine)\b")
FIRST, SECOND = ("i", "me", "my", "we", "us", "our"), ("you", "your")
THIRD = ("he", "she", "they", "him", "her", "his", "their")


def whose(said: str, text: str, at: int) -> tuple[str, str] | None:
    """Subject and of: "my brother" is brother of the speaker. "He" is the one person named in the text before `at`, or
    else in all of it; None where that is nobody or several.
    """
    word = said.strip().removesuffix("'s")
    lower = word.lower()
    if lower in FIRST:
        return SPEAKER, ""
    if lower in SECOND:
        return HEARER, ""
    if lower in THIRD:
        people = persons(text[:at]) or persons(text)
        return whose(next(iter(people)), text, at) if len(people) == 1 else None
    if related := re.match(r"(my|our|your|his|her) (.+)", word, re.IGNORECASE):
        owner = whose(related[1], text, at)
        return (related[2], owner[0]) if owner and not owner[1] else None
    return (word, "") if is_name(word) else None


def anybody(text: str) -> tuple[str, str] | None:
    """The only one a text can be about: the one person it names, or else the speaker, if it speaks of him or her."""
    named = list(persons(text))
    if len(named) == 1:
        return whose(named[0], text, len(text))
    return (SPEAKER, "") if not named and OWN.search(text) else None


def persons(text: str) -> dict[str, None]:
    """The people named in a text, or told by what they are to the speaker."""
    found = (match[0] for match in _person().finditer(text))
    return dict.fromkeys(one for one in found if is_name(one) or " " in one)


@cache
def _person() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{filled('dated', '{name}|(?:my|our) {relative}')})(?![\w-])")
