"""What people are to each other by the words for it, read from kin.yaml: what "sister" may mean, and what the other is
then.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from robot_memory.control.understanding.tables import listed

EXACT, LESS, GENERAL, INVERSE = 1.0, 0.8, 0.9, 0.6  # how surely one word for a relation answers another


def answers(asked: str, claimed: str) -> float:
    """How surely "big sister" (claimed) is who is asked for by "sister": 0 to 1."""
    ours, theirs = plain(asked), plain(claimed)
    if ours == theirs:
        return EXACT
    own, other = _parted(ours), _parted(theirs)
    same_head = own[1] == other[1] or (other[1] in _general().get(own[1], ()) and GENERAL)
    if not same_head:
        return 0.0
    weight = EXACT if own[1] == other[1] else GENERAL
    if not own[0] or set(own[0]) <= set(other[0]):
        return weight
    return LESS * weight if not other[0] else 0.0  # "big sister" asked, "sister" told


def inverts(asked: str, claimed: str) -> float:
    """How surely somebody is what is `asked` to the one who is the `claimed` to them: Anna's son is Ben, so his mother
    may be Anna.
    """
    (before, head), (_, other) = _parted(plain(asked)), _parted(plain(claimed))
    if set(before) - {"own", "only"}:
        return 0.0
    possible = _inverses().get(other, frozenset())
    return INVERSE if possible & {head, *_general().get(head, ())} else 0.0


def exclude(one: str, other: str) -> bool:
    """Whether nobody is both to somebody, as with a sister and an aunt; a neighbour may be a friend as well."""
    heads = {_parted(plain(word))[1] for word in (one, other)}
    return len(heads) == 2 and heads <= _words("family")


def is_relation(word: str) -> bool:
    """Whether a noun says what one person is to another."""
    word = plain(word)
    return word in _relations() or word in listed("kin")


def is_one_only(word: str) -> bool:
    """Whether one has but one of them: a mother, a husband."""
    return _parted(plain(word))[1] in _words("single")


def is_modifier(word: str) -> bool:
    return word.lower() in _words("modifiers") | listed("before_kin")


def plain(words: str) -> str:
    """In small letters, one word for what has many: "my Mum" is "mother"."""
    return " ".join(_same().get(word, word) for word in words.lower().replace("’", "'").split())


def _parted(words: str) -> tuple[tuple[str, ...], str]:
    """What comes before the noun, and the noun: (big,), sister."""
    *before, noun = words.split() or [""]
    return tuple(before), noun


@cache
def _same() -> Mapping[str, str]:
    return {word: row.split()[0] for row in _table()["same"] for word in row.split()}


@cache
def _inverses() -> Mapping[str, frozenset[str]]:
    """A relation -> what the other may be then."""
    found: dict[str, frozenset[str]] = {}
    for row in _table()["inverse"]:
        ones, others = (side.split() for side in row.split("="))
        for mine, theirs in ((ones, others), (others, ones)):
            for word in mine:
                found[word] = found.get(word, frozenset()) | frozenset(theirs)
    return found


@cache
def _general() -> Mapping[str, tuple[str, ...]]:
    return {word: tuple(kinds.split()) for word, kinds in _table()["general"].items()}


@cache
def _relations() -> frozenset[str]:
    return frozenset(_inverses()) | frozenset(_general()) | _words("services")


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(_table()[key].split())


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("kin.yaml").read_text("utf-8"))
    return loaded
