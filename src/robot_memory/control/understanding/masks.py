"""Words that look like a time but name somebody (June, May), are quoted, or are what is asked ("which month", "how long
ago"), kept from whoever reads times.

Each is replaced by a word that means nothing and is put back afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from robot_memory.control.understanding.tables import listed
from robot_memory.control.understanding.words import Word

RUNE = "ᚠ"  # a letter to every reader of text, and in no time phrase
UNITS = "second|minute|hour|day|date|night|week|weekend|weekday|month|season|year|decade|century|time"
ASKED = re.compile(
    rf"\b(?:what|which)\s+(?:(?:exact|approximate|other|particular)\s+)?(?:{UNITS})s?(?:\s+of\s+the\s+(?:{UNITS}))?\b|"
    rf"\bhow\s+(?:many|much)\s+(?:more\s+)?(?:{UNITS}|centurie)s?\b|\bhow\s+long\s+(?:ago|since|before|after|until)\b|"
    r"\b(?:since|until|till|after|before|during)\s+(?:when|what|which|whom|whose|how\s+(?:many|much|long))\b",
    re.IGNORECASE,
)
DIGITS = 3
LETTERS = 26


class Masks:
    """A text with such words masked. `named`: the numbers of words that are somebody's name."""

    def __init__(self, text: str, words: Sequence[Word], named: Collection[int]) -> None:
        self._mark = RUNE
        while self._mark in text:
            self._mark += RUNE
        self._hidden: dict[str, str] = {}
        opening = _asks_when(words)
        asked = [match.span() for match in ASKED.finditer(text)]
        pieces, at = list[str](), 0
        for number, word in enumerate(words):
            is_name = number in named and word.plain in listed("calendar")
            if (
                word.quoted
                or is_name
                or (opening and number == 0)
                or any(start <= word.start < end for start, end in asked)
            ):
                mask = f"{self._mark}{_letters(len(self._hidden))}"
                self._hidden[mask] = word.base
                pieces += [text[at : word.start], mask]
                at = word.start + len(word.base)
        self.text = "".join((*pieces, text[at:]))
        self._pattern = re.compile(rf"{self._mark}[a-z]{{{DIGITS}}}")

    def undone(self, text: str) -> str:
        """The text with the masked words put back."""
        return self._pattern.sub(lambda match: self._hidden.get(match[0], ""), text)


def _asks_when(words: Sequence[Word]) -> bool:
    """Whether the "when" that a text begins with is its question, whatever the order of its words."""
    others = [word for word in words[1:] if word.breaks or word.plain in listed("question_words")]
    return bool(words) and words[0].plain == "when" and not others


def taken_out(before: Sequence[str], rest: Sequence[str]) -> set[int]:
    """The numbers of the words that are not in the rest, where a phrase or more was taken out of a text."""
    first = 0
    while first < min(len(before), len(rest)) and before[first] == rest[first]:
        first += 1
    last = 0
    while last < min(len(before), len(rest)) - first and before[-1 - last] == rest[-1 - last]:
        last += 1
    missing, at, end = set[int](), first, len(rest) - last
    for number in range(first, len(before) - last):
        if at < end and before[number] == rest[at]:
            at += 1
        else:
            missing.add(number)
    return missing


def _letters(number: int) -> str:
    letters = ""
    for _ in range(DIGITS):
        number, digit = divmod(number, LETTERS)
        letters += chr(ord("a") + digit)
    return letters
