"""Who is spoken to by name: "Thanks, Anna.", "Anna, could you …?", "Hello, Anna, come in", "See you, Ben".

A name after a comma may also be one more of a list, or say who "my brother" is: only what is said to somebody counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from robot_memory.memorization.naming.lexicon import is_given, is_other, is_word
from robot_memory.memorization.naming.others import presented
from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.naming.written import Name, as_spoken, name_at

SENTENCE = re.compile(r"[^.!?]+[.!?]*")
ABOUT = re.compile(r"(?:\S+ ){0,3}(?:he|she|him|her|his|hers)\b", re.IGNORECASE)  # not spoken to
YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
OF_OTHERS = re.compile(
    r"\b(?:and|or|who|whom|is|was|has|said|says|told)\b.*\byou", re.IGNORECASE
)  # "Anna, who told you"
SOMEBODY = re.compile(  # "my brother, Tom", "she is called, Tom"
    r"\b(?:my|your|his|her|our|their|the|a|an|this|that|another|one|called|named) (?:[\w'-]+ ){0,3}[\w'-]+$",
    re.IGNORECASE,
)
NAMED = re.compile(r"[^.!?\s] (?!I\b|I')[A-Z][\w'-]*$")  # a list may follow
ENDS = re.compile(r"\s*(?:[,;:!?.…–—]|$)")


def addressed(text: str) -> list[str]:
    """The names by which the hearer is called, each once."""
    return list(_addressed(text))


@lru_cache(maxsize=1024)
def _addressed(text: str) -> tuple[str, ...]:
    others = {*introduced(text), *(one.name for one in presented(text))}
    text = as_spoken(text)
    if not any(letter.isupper() for letter in text):
        return ()  # without capitals and commas an address is not to be told from any other word
    sentences = [one.strip() for one in SENTENCE.findall(text)]
    found = [
        name
        for sentence, after in zip(sentences, [*sentences[1:], ""], strict=True)
        if not ABOUT.match(after)
        for name in _in_sentence(sentence, after)
    ]
    return tuple(dict.fromkeys(name for name in found if name not in others))


def _in_sentence(sentence: str, after: str) -> Iterator[str]:
    yield from _opening(sentence, after)
    yield from _greeted(sentence)
    yield from _closing(sentence)


def _opening(sentence: str, after: str) -> Iterator[str]:
    """ "Anna, could you ...": the first word has its capital anyway, so it must be a given name and nothing else."""
    name = name_at(sentence, 0, known=True)
    if not name or is_word(name.text.split()[0]):
        return
    rest = sentence[name.end :]
    called = rest in ("!", "?") and YOU.search(after)  # "Anna! How are you?"
    said = rest[2:] if rest.startswith(", ") else ""
    if called or _matches("asks", said) or (said and YOU.search(said) and not OF_OTHERS.search(said)):
        yield name.text


def _greeted(sentence: str) -> Iterator[str]:
    """ "Hello, Anna, come in", "Oh, hi Anna": a greeting, then the name, then nothing else in the clause. After other
    words more must follow: "Ah, Anna." may speak of her.
    """
    for words, more in (("greetings", ""), ("answers", ", ")):
        found = _starting(words).match(sentence)
        if found and (name := _name(sentence, found.end())) and sentence.startswith(more, name.end):
            yield name.text


def _closing(sentence: str) -> Iterator[str]:
    """ "Could you pass me that, Anna?", "Don't get up, Anna, I'll go": the name between a comma and the end, or two.
    After a sentence that is not said to anybody in so many words, only a given name is believed.
    """
    for comma in re.finditer(", ", sentence):
        before = sentence[: comma.start()]
        name = _name(sentence, comma.end())
        told = _matches("tells", before) and not _matches("appositions", before)
        if name and (told or _plainly_called(before, name.text)):
            yield name.text


def _plainly_called(before: str, name: str) -> bool:
    """ "I can't have fish, Hugo", "Very elegant, Betty": nothing before the comma is somebody whose name this could
    be, or a name that this could go on with.
    """
    first = name.split()[0]
    return is_given(first) and not is_word(first) and not (NAMED.search(before) or SOMEBODY.search(before))


def _name(sentence: str, at: int) -> Name | None:
    """A name that fills the clause: "Hi Anna's here" is none."""
    name = name_at(sentence, at)
    if not name or not ENDS.match(sentence, name.end) or is_other(name.text):
        return None
    if re.match(r", (?:and|or) [A-Z]|,? (?:and|or) ", sentence[name.end :]):
        return None  # one of several
    first = name.text.split()[0]
    return None if is_word(first) and not is_given(first) else name


@cache
def _starting(key: str) -> re.Pattern[str]:
    """A word of the table at the beginning, after other such words perhaps, and the gap before a name."""
    words = _joined(key)
    gap = ",? " if key == "greetings" else ", "
    return re.compile(rf"(?i:(?:(?:oh|ah|and|well|right|okay|ok|so)[,!]? )*(?:{words}){gap})")


def _matches(key: str, text: str) -> bool:
    return bool(_pattern(key).search(text))


@cache
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(_joined(key), re.IGNORECASE)


@cache
def _joined(key: str) -> str:
    return re.sub(r"\|\s+", "|", " ".join(_table()[key].split()))


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = yaml.safe_load(files(__package__).joinpath("addressed.yaml").read_text("utf-8"))
    return table
