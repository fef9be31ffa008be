"""What attributes are called and how many values they have at a time: the table attributes.yaml."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from robot_memory.memory.insertion.wording.spelling import spell, split_words
from robot_memory.memory.insertion.wording.tables import table


@dataclass(frozen=True)
class Attribute:
    """An attribute: see the head of attributes.yaml for what the fields mean. `strip` [phrases of words]."""

    name: str
    kind: str = "many"
    strip: tuple[tuple[str, ...], ...] = ()
    drop: frozenset[str] = frozenset()
    generic: bool = False  # plural: same
    clause: bool = False  # verb: first
    gerund: bool = False  # verb: gerund
    years: bool = False  # number: year
    digits: bool = False  # digits: join


@dataclass(frozen=True)
class Name:
    """What a word for an attribute says: `sign` -1 for opposites, `exact` False for what says more than the word."""

    attribute: Attribute
    sign: int = 1
    exact: bool = True


def named(words: list[str], polarity: int) -> tuple[Attribute, int]:
    """The attribute of these words (in standard spelling, no denial among them), and the polarity of the claim in it.
    What is not in the table is an attribute of its own.
    """
    text = " ".join(words)
    name = _names().get(text)
    if name is None:
        return Attribute(text), polarity
    if name.exact or polarity > 0:
        return name.attribute, polarity * name.sign
    return replace(name.attribute, name=text, kind="many"), polarity


def spelled(name: str) -> list[str]:
    """An attribute's name as words: home_town, Home town."""
    return spell(split_words(name)) or [name]


@cache
def _names() -> dict[str, Name]:
    """Every word for an attribute in the table."""
    found: dict[str, Name] = {}
    for name, row in table("attributes").items():
        attribute = Attribute(
            name,
            row["kind"],
            tuple(tuple(phrase.split()) for phrase in _phrases(row, "strip")),
            frozenset(row.get("drop", "").split()),
            row.get("plural") == "same",
            row.get("verb") == "first",
            row.get("verb") == "gerund",
            row.get("number") == "year",
            row.get("digits") == "join",
        )
        found[name] = Name(attribute)
        for column, sign, exact in (("same", 1, True), ("stronger", 1, False), ("opposite", -1, False)):
            for phrase in _phrases(row, column):
                found[" ".join(spelled(phrase))] = Name(attribute, sign, exact)
    return found


def _phrases(row: dict[str, str], column: str) -> list[str]:
    return [phrase for phrase in (part.strip() for part in str(row.get(column, "")).split(",")) if phrase]
