"""Somebody described by what was told of them: "the person who works as a nurse", "whoever lives in Leeds".

Where the description ends is seen by the values that were told: the longest that stands there is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from robot_memory.control.answer import Evidence
from robot_memory.control.facts.claimed import standing
from robot_memory.control.whom.relations import subject
from robot_memory.control.whom.someone import Someone
from robot_memory.memory.insertion.claim import normalise
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.people.people import People

SURE = 0.9


@dataclass(frozen=True)
class Description:
    """`rest`: the text from the value on, and what follows it. `before`: what stands before the description."""

    attribute: str
    polarity: int
    rest: str
    before: str = ""


@dataclass(frozen=True)
class Fit:
    """Somebody whom a description fits; `after`: what follows it in the question."""

    who: Someone
    before: str
    after: str


def descriptions(text: str) -> list[Description]:
    """How somebody is described in a question; several where the words have more than one sense ("is 42", "is a
    nurse"). None where nobody is.
    """
    even = " ".join(text.replace("’", "'").split())
    if owned := _owner().search(even):
        return [Description("owns", 1, even[owned.end() :], even[: owned.start()])]
    begun = _begin().search(even)
    if not begun:
        return []
    clause = even[begun.end() :]
    found = [(len(match[0]), row) for row in _table()["leads"] if (match := _lead(row["words"]).match(clause))]
    longest = max((length for length, _ in found), default=0)
    return [
        Description(row["attribute"], row.get("polarity", 1), clause[length:], even[: begun.start()])
        for length, row in found
        if length == longest
    ]


def those(described: Iterable[Description], found: Iterable[Evidence], people: People, now_ns: int) -> list[Someone]:
    """Everybody whom a description fits by claims that hold, each once."""
    return [one.who for one in fits(described, found, people, now_ns)]


def fits(described: Iterable[Description], found: Iterable[Evidence], people: People, now_ns: int) -> list[Fit]:
    """The same with what stands around the description."""
    claims = standing(found, now_ns, lambda text: subject(text, people).key)
    every = list[tuple[int, Fit]]()
    for one in described:
        for claim in (c for c in claims if c.holds and (c.attribute, c.polarity) == (one.attribute, one.polarity)):
            if length := _begins_with(one.rest, claim.value, claim.attribute):
                whose = subject(claim.subject, people)
                who = Someone(whose.called, whose.person, whose.subjects, SURE * whose.sure, (claim.told,))
                every.append((length, Fit(who, one.before, " ".join(one.rest.split()[length:]))))
    longest = max((length for length, _ in every), default=0)
    return list({one.who.key: one for length, one in every if length == longest}.values())


def _begins_with(text: str, value: str, attribute: str) -> int:
    """How many words of a text say this value, from its beginning; 0 where it says another."""
    words = text.split()
    norm = _norm(value, attribute)
    for count in range(min(len(words), len(value.split()) + 3), 0, -1):
        if _norm(" ".join(words[:count]).strip(" ,.;:?!"), attribute) == norm:
            return count
    return 0


def _norm(value: str, attribute: str) -> str:
    return normalise(Frame("somebody", attribute, value)).norm if value else ""


@cache
def _begin() -> re.Pattern[str]:
    person, who = _any(_table()["person"].split()), _any(_table()["who"].split())
    one = rf"(?:(?:the|that|this|a) )?{person} {who}|whoever|who ever|(?:the|that) {who}"
    return re.compile(rf"\b(?:{one}) ", re.I)


@cache
def _owner() -> re.Pattern[str]:
    person = _any(_table()["person"].split())
    return re.compile(rf"\bthe {_any(_table()['owner'].split())} of |\b(?:the|that) {person} with ", re.I)


@cache
def _lead(words: str) -> re.Pattern[str]:
    ordered = sorted((" ".join(one.split()) for one in words.split(",")), key=len, reverse=True)
    return re.compile(rf"(?:also |still |now )?{_any(ordered)} ", re.I)


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(re.escape(word) for word in words)})"


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("described.yaml").read_text("utf-8"))
    return loaded
