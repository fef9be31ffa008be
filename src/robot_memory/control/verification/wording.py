"""Words of questions and of passages: which of them carry content, their stems, where sentences end.

English, by short tables (vocabulary.py). Stems need only agree with one another: they are never shown and never stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from robot_memory.control.verification.vocabulary import CALENDAR, DENYING, EMPTY, ENDINGS, FORMS

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’']?\s+|\n+")
_CLITIC = re.compile(r"(?:n't|'(?:s|re|ve|ll|d|m|em))$")


def words(text: str) -> list[str]:
    """All words in small letters, apostrophes straight: "don't" is one word."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def content(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """The words that carry what a text is about, each once, in order: no function words, no names, no dates."""
    known = {part for name in names for part in words(name)}
    bare = (_CLITIC.sub("", word) for word in words(text))
    fit = (word for word in bare if word and word not in EMPTY and word not in CALENDAR and word not in known)
    return tuple(dict.fromkeys(word for word in fit if not (word.isdigit() and len(word) == 4)))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """What the forms of a word have in common: one stem of paint, paints, painted, painting and painter."""
    word = FORMS.get(word.lower(), word.lower())
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "i"
    word = next((word[: -len(end)] for end in ENDINGS if _ends(word, end)), word)
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _ends(word: str, ending: str) -> bool:
    return len(word) > 3 and word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss")


@lru_cache(maxsize=20_000)
def stems(text: str) -> frozenset[str]:
    """The stems of every word of a text."""
    return frozenset(stem(_CLITIC.sub("", word)) for word in words(text))


@lru_cache(maxsize=20_000)
def sentences(text: str) -> tuple[str, ...]:
    """A text in sentences; those without a word are left out."""
    return tuple(part for part in _SENTENCE_END.split(text.strip()) if _WORD.search(part))


def denies(sentence: str) -> bool:
    """Does a sentence say that something is not so?"""
    return any(word in DENYING or word.endswith("n't") for word in words(sentence))


def neutral(question: str, names: Iterable[str]) -> str:
    """The question as the one asked about would put it: "What does Anna paint?" becomes "What does I paint?".

    Its vector is near what anybody says of himself, where the name would draw it to lines that only greet her.
    """
    for name in sorted(names, key=len, reverse=True):
        question = re.sub(rf"\b{re.escape(name)}['’]s\b", "my", question, flags=re.IGNORECASE)
        question = re.sub(rf"\b{re.escape(name)}\b", "I", question, flags=re.IGNORECASE)
    return question
