"""Does a value that was told answer to one that a question gives? By words, exact or through a shared head noun."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from robot_memory.control.facts.times import parted
from robot_memory.control.understanding.tables import listed
from robot_memory.control.verification.wording import stem
from robot_memory.memory.insertion.claim import normalise
from robot_memory.memory.insertion.sentence import Frame

PLACES = ("home", "place")  # one place may be told within another: "the old mill in Leeds"
CLAUSES = ("promise", "plan", "routine", "appointment", "opinion")  # any of their words may be asked by
WITHIN = re.compile(r"\s+(?:in|at|on|inside)\s+|,\s*")
BESIDE = re.compile(r"(?:above|below|under|over|near|behind|by|opposite|beside|next to|outside|between)\b")
AFTER_HEAD = re.compile(r"\s+(?:of|with|in|at|on|for|from|near|by|behind|under)\s+")


class Match(IntEnum):
    """`KIND`: the one told is a kind of the one asked for, as a red bicycle is a bicycle. `WIDER`: the other way."""

    NONE = 0
    WIDER = 1
    KIND = 2
    SAME = 3


def match(asked: str, told: str, attribute: str) -> Match:
    """How a value told answers to the one asked for."""
    if not asked or not told:
        return Match.NONE
    if _norm(asked, attribute) == _norm(told, attribute):
        return Match.SAME
    ours, theirs = contents(asked), contents(told)
    if not ours or not theirs:
        return Match.NONE
    if attribute in CLAUSES:
        return max(_by_words(ours, theirs), _by_words(ours, contents(parted(told)[0])))
    if frozenset(ours) == frozenset(theirs):
        return Match.SAME
    if attribute in PLACES:
        return _within(asked, told, attribute)
    return _by_head(asked, told)


def contents(text: str) -> tuple[str, ...]:
    """The stems of what a text is about, in order."""
    found = (word for word in re.findall(r"[^\W_]+", text.lower().replace("'s", "").replace("’s", "")))
    return tuple(stem(word) for word in found if word not in listed("empty"))


def _by_words(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Match:
    """Of doings: those asked for by some of their words are meant, those told with fewer may be."""
    asked, told = frozenset(ours), frozenset(theirs)
    if asked == told:
        return Match.SAME
    if asked < told:
        return Match.KIND
    return Match.WIDER if told < asked and len(told) > 1 else Match.NONE


def _within(asked: str, told: str, attribute: str) -> Match:
    norm, other = _norm(asked, attribute), _norm(told, attribute)
    if any(_norm(part, attribute) == norm for part in WITHIN.split(told)):
        return Match.KIND
    if BESIDE.match(norm) and other.endswith(f" {norm}"):  # "a flat above the bakery" is above the bakery
        return Match.KIND
    if any(_norm(part, attribute) == other for part in WITHIN.split(asked)):
        return Match.WIDER
    return _by_head(asked, told) if attribute == "place" else Match.NONE


def _by_head(asked: str, told: str) -> Match:
    """A night nurse is a nurse: the one with more words before (or after) the same noun is of the other's kind."""
    ours, theirs = contents(asked), contents(told)
    if _head(asked) != _head(told):
        return Match.NONE
    if frozenset(ours) < frozenset(theirs):
        return Match.KIND
    return Match.WIDER if frozenset(theirs) < frozenset(ours) else Match.NONE


def _head(text: str) -> str:
    """The stem of the noun that a phrase is built on: "nurse" of "a night nurse at the hospital"."""
    own = contents(AFTER_HEAD.split(text)[0])
    return own[-1] if own else ""


@lru_cache(maxsize=10_000)
def _norm(value: str, attribute: str) -> str:
    return normalise(Frame("somebody", attribute, value)).norm
