"""What of a question helps to find its answer in a sentence: its words, what is done in it, and the kind it wants.

"What book did Caroline recommend to Melanie?" is about book and recommend, does "recommend", and wants a book.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.control.steps import State
from robot_memory.control.understanding.reading import Reading
from robot_memory.control.verification import wording
from robot_memory.control.verification.vocabulary import EMPTY

_AUXILIARY = "do does did is are was were has have had will would can could should might may"
AUXILIARY = frozenset(_AUXILIARY.split())
WITH_NOUN = re.compile(
    r"^(?:in |on |at |from |to |of |with )?(?:what|which) (?:(?:kind|type|sort)s? of )?((?:\w|-)+)", re.IGNORECASE
)
LISTING = re.compile(r"^(?:what|which|where|who)(?: all)?\b", re.IGNORECASE)
PAST = re.compile(r"\bwhen (?:did|was|were|has|have|had)\b", re.IGNORECASE)
PLANNED = re.compile(r"\b(?:going|supposed|meant|due|planned|hoping|wanted|intending) to\b", re.IGNORECASE)
NOT_PLURAL = ("ss", "us", "is", "news")


@dataclass(frozen=True)
class Wanted:
    """`stems`: of the question's content words; `verb`: the stem of what is done, by whoever is named; `noun`: of what
    is asked for ("what book"); empty where there is none. `several`: more than one may be the answer. `origin`: where
    somebody or something comes from.
    """

    kind: str
    words: tuple[str, ...]
    stems: frozenset[str]
    verb: str = ""
    noun: str = ""
    several: bool = False
    origin: bool = False


def wanted(state: State) -> Wanted:
    """What the question of an inquiry wants."""
    reading = state.reading
    names = [mention.words for mention in reading.mentions]
    names += [person.name for person in state.people.all() if person.name]
    content = wording.content(reading.topic or reading.words, names)
    found = WITH_NOUN.search(reading.words)
    noun = found.group(1).lower() if found and found.group(1).lower() not in AUXILIARY else ""
    listing = bool(LISTING.search(reading.words)) and _plural(noun or _subject(reading.words))
    return Wanted(
        reading.asks,
        content,
        frozenset(map(wording.stem, content)),
        _verb(reading.words, names),
        wording.stem(noun) if noun else "",
        reading.asks == "list" or listing,
        reading.asks == "where" and "from" in wording.words(reading.words),
    )


def asks_when_it_was(reading: Reading) -> bool:
    """Is it asked when something happened, not when it is due?"""
    return bool(reading.asks == "when" and PAST.search(reading.words) and not PLANNED.search(reading.words))


def _verb(question: str, names: list[str]) -> str:
    """The word after whom it is about, behind "did": what "Anna" did; else the question's last word of content."""
    known = {part for name in names for part in wording.words(name)}
    words = wording.words(question)
    begun = False
    for number, word in enumerate(words):
        if word in AUXILIARY:
            begun = True
        elif begun and word in known:
            rest = [one for one in words[number + 1 :] if one not in known and one not in EMPTY]
            return wording.stem(rest[0]) if rest else ""
    own = [word for word in words if word not in EMPTY and word not in known]
    return wording.stem(own[-1]) if own else ""


def _subject(question: str) -> str:
    """ "hobbies" in "What are Anna's hobbies?"; empty where the question begins otherwise."""
    found = re.match(r"what (?:are|were) (?:[\w-]+['’]s? )?((?:\w|-)+)", question, re.IGNORECASE)
    return found.group(1).lower() if found else ""


def _plural(noun: str) -> bool:
    return len(noun) > 3 and noun.endswith("s") and not noun.endswith(NOT_PLURAL)
