"""A name as it stands in a text: with its title, its surname and its small words, and only where it can be one.

Speech as people write it shows names by their capitals. Where a recogniser writes no capitals, or nothing but capitals,
a name must be in the lexicon. The first word of a sentence has a capital anyway, so there it must be in it as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.memorization.naming.lexicon import is_given, is_other, is_particle, is_title, is_word

WORD = re.compile(r"[^\W\d_]+(?:[-'’](?!s\b|S\b|m\b|d\b|ll\b|re\b|ve\b)[^\W\d_]+)*")
FILLER = re.compile(r"(?:, ?|\b)(?:um+|uh+|er|erm)\b,? ?", re.IGNORECASE)
SURNAME = re.compile(r"(?:[a-z]+ ){1,2}[^\W\d_a-z]")  # de la Cruz
MOST_WORDS = 4  # of a full name, with its small words


@dataclass(frozen=True)
class Name:
    """A name in a text, and where it ends."""

    text: str
    end: int


def as_spoken(text: str) -> str:
    """The text with plain apostrophes and spaces, without "um"; in lower case where capitals say nothing."""
    text = " ".join(FILLER.sub(" ", text.replace("’", "'")).split())
    words = WORD.findall(text)
    shouted = len(words) > 2 and all(word[0].isupper() for word in words)
    return text.lower() if shouted else text


def name_at(text: str, start: int, sure: bool = False, known: bool = False) -> Name | None:
    """The name that begins there. `sure`: the words around it say that it is one. `known`: only one of the lexicon
    will do, as at the beginning of a sentence.
    """
    if not any(letter.isupper() for letter in text):
        return _lower(text, start, sure)
    words, end, titled = list[str](), start, False
    for found in _words_from(text, start):
        word = found.group()
        if not words and is_title(word):
            titled = True
        elif words and is_particle(word) and word.islower():
            if not SURNAME.match(text, found.start()):
                break
        elif not _may_be(word, sure and not words) or len(words) >= MOST_WORDS:
            break
        words.append(word)
        end = found.end()
    if len(words) <= titled or (known and not titled and not is_given(words[0])):
        return None
    return None if text[end : end + 2] == "'s" and not sure else Name(" ".join(words), end)


def _lower(text: str, start: int, sure: bool) -> Name | None:
    found = WORD.match(text, start)
    if not found or not is_given(found.group()) or is_other(found.group()):
        return None
    if not sure and is_word(found.group()):
        return None
    return Name(found.group().title(), found.end())


def _words_from(text: str, start: int) -> list[re.Match[str]]:
    """The words that follow each other with one space, or a title's full stop, between them."""
    found = list[re.Match[str]]()
    while word := WORD.match(text, start):
        found.append(word)
        gap = re.compile(r"\.? " if is_title(word.group()) else " ").match(text, word.end())
        if not gap:
            break
        start = gap.end()
    return found


def _may_be(word: str, sure: bool) -> bool:
    if not word[0].isupper() or (len(word) > 1 and word.isupper()):
        return False
    return len(word) > 1 and (not is_other(word) or (sure and is_given(word)))
