"""A rule as a memory that was derived: its frame, its words, and what it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import BANDS, days_from_words, days_in_words
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.rooms import phrase

DERIVED = "derived"  # the source of such memories
ROUTINE, USUAL_PLACE, RELATION = "routine", "usual place", "relation"  # their attributes
MOST_SUPPORTS = 50  # of one; the newest and the oldest
HERE = "here"
WITH = "be with "
VALUE = re.compile(rf"be (?P<where>.+?) (?P<band>{'|'.join(band.phrase for band in BANDS)}) (?P<days>every day|on .+)")


@dataclass(frozen=True)
class Rule:
    """`text`: its sentence with the counts; `bare`: without, as it is embedded. `hits`: on how many days it was so;
    `supports`: memories, the earliest first. `until_ns` None: it still holds. `about`: tokens.
    """

    frame: Frame
    text: str
    bare: str
    about: tuple[str, ...]
    hits: int
    supports: tuple[int, ...]
    start_ns: int
    end_ns: int
    until_ns: int | None = None


@dataclass(frozen=True)
class Held:
    """A derived memory in the store, as far as it says which rule it is. `since_ns`, `until_ns`: when it holds."""

    memory: int
    attribute: str
    value: str
    since_ns: int
    until_ns: int | None


@dataclass(frozen=True)
class Told:
    """What the value of a routine says: where (as `where_in_words`), in which of BANDS, on which weekdays."""

    where: str
    band: int
    weekdays: frozenset[int]


def where_in_words(place: str) -> str:
    """ "in the kitchen"; "here" where places have no names."""
    return phrase(place) if place else HERE


def value_of(told: Told) -> str:
    """ "be in the kitchen in the morning on weekdays"."""
    return f"be {told.where} {BANDS[told.band].phrase} {days_in_words(told.weekdays)}"


def told_in(value: str) -> Told | None:
    """The other way round; None for any other value."""
    match = VALUE.fullmatch(value)
    if match is None:
        return None
    band = next(n for n, one in enumerate(BANDS) if one.phrase == match["band"])
    return Told(match["where"], band, days_from_words(match["days"]))


def few(supports: Sequence[int]) -> tuple[int, ...]:
    """The oldest and the newest of them."""
    half = MOST_SUPPORTS // 2
    return tuple(supports if len(supports) <= MOST_SUPPORTS else [*supports[:half], *supports[-half:]])
