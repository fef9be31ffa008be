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

BEFORE = r"(?P<before>[^\W\d_]+),? (?:it's |that's )?"  # the name, or that it is spelt
WITH = re.compile(
    rf"{BEFORE}with (?:an? )?(?P<count>an?|one|1|two|2|double) (?P<letter>[A-Za-z])(?:'?s)?\b(?!')", re.IGNORECASE
)
WITHOUT = re.compile(rf"{BEFORE}(?:without|no|not) (?:the |an? )?(?P<letter>[B-HJ-Zb-hj-z])\b(?!')", re.IGNORECASE)
SPELT = ("spelled", "spelt", "written")
ALIKE_LETTERS = ("ck", "sc", "gj", "iy", "kq", "sz", "fv", "yj", "eay")


def spelt(text: str, names: Sequence[str]) -> list[str]:
    """The names, of those just given, that the text spells, as they are spelt."""
    text = as_spoken(text)
    found = [*_by_letters(text, names), *_by_hint(text, names)]
    return list(dict.fromkeys(found))


def spells(text: str) -> bool:
    """Whether anything is spelt at all: a quick look."""
    return any(pattern.search(text) for pattern in (LETTERS, WITH, WITHOUT))


def _by_letters(text: str, names: Iterable[str]) -> Iterator[str]:
    for found in LETTERS.finditer(WITHOUT.sub(" ", WITH.sub(" ", text))):
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
    hints = [(one["before"], one["letter"].lower(), CHANGES[one["count"].lower()]) for one in WITH.finditer(text)]
    hints += [(one["before"], one["letter"].lower(), _dropped) for one in WITHOUT.finditer(text)]
    for name in names:
        first, _, rest = name.partition(" ")
        for before, letter, change in hints:
            if before.lower() not in SPELT and not same_sound(before, first):
                continue
            fitting = {one for one in change(plain(first), letter) if same_sound(one.title(), first)}
            if plain(first) in fitting:  # it is written so already
                yield name
            elif len(fitting) == 1:
                yield f"{fitting.pop().title()} {rest}".strip()


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
        return {name} if same_sound(name + letter, name) else set()
    return {name[:at] + name[at + 1 :] for at, old in enumerate(name) if old == letter}


def _doubled(name: str, letter: str) -> set[str]:
    if letter * 2 in name:
        return {name}
    return {name[:at] + letter + name[at:] for at, old in enumerate(name) if old == letter}


def _single(name: str, letter: str) -> set[str]:
    return {name.replace(letter * 2, letter)} if letter in name else set()


Change = Callable[[str, str], set[str]]
CHANGES: dict[str, Change] = {
    **dict.fromkeys(("a", "an"), _with_letter),
    **dict.fromkeys(("one", "1"), _single),
    **dict.fromkeys(("two", "2", "double"), _doubled),
}
