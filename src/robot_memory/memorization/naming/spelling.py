"""Names spelt out: "that's J-O-A-Q-U-I-N", "S I O B H A N", "Anne with an e", "Anna with a double n".

A word that is spelt may be a street or a password. It is a name only where it spells one that was just said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from robot_memory.memorization.naming.lexicon import plain
from robot_memory.memorization.naming.written import as_spoken
from robot_memory.memory.people.sounds import same_sound

LETTERS = re.compile(r"(?<![\w'-])(?:(?:double[- ])?[^\W\d_](?:, |\. |[-–. ])){1,20}(?:double[- ])?[^\W\d_](?![\w'])")
ONE = re.compile(r"(double[- ])?([^\W\d_])(?![^\W\d_])", re.IGNORECASE)
FEWEST = 3  # letters: two are initials
LIKE = 0.5  # how much of the letters must agree where the two do not sound alike: a recogniser guesses spellings

COUNT = r"(?P<count>an?|one|1|two|2|double)"
WITH = re.compile(rf"\b(?P<how>with|without|no|not) (?:{COUNT} )?(?P<letter>[A-Za-z])(?:'?s)?\b(?!')")
DOUBLE = re.compile(r"\bdouble[- ](?P<letter>[A-Za-z])\b", re.IGNORECASE)
ALIKE_LETTERS = ("ck", "sc", "gj", "iy", "kq", "sz", "fv", "yj", "eay")


def spelt(text: str, names: Sequence[str]) -> list[str]:
    """The names, of those just given, that the text spells, as they are spelt."""
    text = as_spoken(text)
    found = [*_by_letters(text, names), *_by_hint(text, names)]
    return list(dict.fromkeys(found))


def spells(text: str) -> bool:
    """Whether anything is spelt at all: a quick look."""
    return bool(LETTERS.search(text) or WITH.search(text) or DOUBLE.search(text))


def _by_letters(text: str, names: Iterable[str]) -> Iterator[str]:
    for found in LETTERS.finditer(text):
        letters = [one[2] * (2 if one[1] else 1) for one in ONE.finditer(found.group())]
        word = "".join(letters).title()
        if len(word) < FEWEST:
            continue
        for name in names:
            first, _, rest = name.partition(" ")
            if _means(word, first):
                yield f"{word} {rest}".strip()
            elif rest and _means(word, rest):
                yield f"{first} {word}"


def _means(word: str, name: str) -> bool:
    one, other = plain(word), plain(name)
    if same_sound(word, name):
        return True
    return one[0] == other[0] and SequenceMatcher(None, one, other, autojunk=False).ratio() >= LIKE


def _by_hint(text: str, names: Iterable[str]) -> Iterator[str]:
    hints = [(one["how"].lower(), (one["count"] or "a").lower(), one["letter"].lower()) for one in WITH.finditer(text)]
    hints += [("with", "double", one["letter"].lower()) for one in DOUBLE.finditer(text)]
    for name in names:
        first, _, rest = name.partition(" ")
        for how, count, letter in hints:
            said = {one for change in _changes(how, count) for one in change(plain(first), letter)}
            fitting = sorted(one for one in said if same_sound(one.title(), first))
            if plain(first) in fitting:  # it is written so already
                yield name
            elif len(fitting) == 1:
                yield f"{fitting[0].title()} {rest}".strip()


Change = Callable[[str, str], set[str]]


def _changes(how: str, count: str) -> tuple[Change, ...]:
    if how != "with":
        return (_dropped,)
    if count in ("two", "2", "double"):
        return (_doubled,)
    return (_single,) if count in ("one", "1") else (_with_letter,)


def _with_letter(name: str, letter: str) -> set[str]:
    """The letter is in it, or ends it, or stands for one that sounds alike."""
    if letter in name:
        return {name}
    swapped = {
        name[:at] + letter + name[at + 1 :]
        for at, old in enumerate(name)
        if any(old in alike and letter in alike for alike in ALIKE_LETTERS)
    }
    return {name + letter} | swapped


def _dropped(name: str, letter: str) -> set[str]:
    if letter not in name:
        return {name}
    return {name[:at] + name[at + 1 :] for at, old in enumerate(name) if old == letter}


def _doubled(name: str, letter: str) -> set[str]:
    if letter * 2 in name:
        return {name}
    return {name[:at] + letter + name[at:] for at, old in enumerate(name) if old == letter}


def _single(name: str, letter: str) -> set[str]:
    return {name.replace(letter * 2, letter)} if letter in name else set()
