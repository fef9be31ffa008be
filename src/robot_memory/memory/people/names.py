"""What a person is called, from everything heard about it, and whom a spoken or typed name may mean.

A name is a hypothesis. Spellings of one sound are one hypothesis, and so are a name and what it is short for; heard in
two turns it is confirmed, in one it is only heard. To be addressed by a name is a hearing too, but none against a name
that was given, and alone it takes two occasions. A spelling confirms a name at once, an operator's word decides, and
an operator's empty name takes it away. What is chosen does not depend on the order in which names were heard, but for
an operator's last word.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from robot_memory.memory.people.nicknames import is_short_for
from robot_memory.memory.people.sounds import same_sound, words

OPERATOR, SPELLING, INTRODUCTION = "operator", "spelling", "introduction"
INTRODUCED, ADDRESSED = "introduced", "addressed"  # by somebody else: "this is Anna"; "thanks, Anna"
NONE, HEARD, CONFIRMED, GIVEN = "none", "heard", "confirmed", "given"
SURE = (CONFIRMED, GIVEN)  # states of a name that stands by itself
CONFIRMING_TURNS = 2
OCCASION_NS = 600 * 1_000_000_000  # apart, two times that somebody was addressed are two occasions
TITLES = {"dr", "doctor", "madam", "miss", "mister", "mr", "mrs", "ms", "prof", "professor", "sir"}


@dataclass(frozen=True)
class Hearing:
    """One time a name was said of somebody. `turn` is the row of the turn it was said in, None if it was not said."""

    name: str
    source: str  # introduction, introduced or addressed (by somebody else), spelling or operator
    at_ns: int
    turn: int | None = None


@dataclass(frozen=True)
class Called:
    """What somebody is called. `others`: its other spellings and other names heard, the likelier first."""

    name: str
    state: str  # none, heard, confirmed or given
    others: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        return self.state in SURE


class Nearness(IntEnum):
    """How near a name is to the one asked for; smaller is nearer. Accents, capitals and signs make no difference."""

    SAME = 0
    SOUND = 1
    FIRST_NAME = 2  # one of the two is a first name only
    FIRST_SOUND = 3


def choose(hearings: Iterable[Hearing]) -> Called:
    """What to call somebody of whom these names were heard. Of an operator's words the last counts."""
    known = [one for one in hearings if words(one.name) or one.source == OPERATOR]
    said = [n for n, one in enumerate(known) if one.source == OPERATOR]
    name = tidy(known[said[-1]].name) if said else ""
    if said and not name:
        known = known[said[-1] + 1 :]
    likeliest = hypotheses(one for one in known if words(one.name))
    heard = [spelling for hypothesis in likeliest for spelling in spellings(hypothesis)]
    if name:
        return Called(name, GIVEN, tuple(other for other in heard if other != name))
    if not heard:
        return Called("", NONE)
    return Called(heard[0], CONFIRMED if _confirmed(likeliest[0]) else HEARD, tuple(heard[1:]))


def hypotheses(hearings: Iterable[Hearing]) -> list[list[Hearing]]:
    """Hearings of one person grouped by the sound of the name, the likeliest first.

    "Anna" and "Anna Schmidt", said of one person, are one name, and so are "Kate" and "Catherine". Likelier is what was
    spelt letter by letter, then what was given and not only called, then what was heard in more turns, then what the
    person says itself, then what was spelt last or else heard first.
    """
    named: dict[str, list[Hearing]] = defaultdict(list)
    for hearing in hearings:
        named[tidy(hearing.name)].append(hearing)
    groups = [[one for name in group for one in named[name]] for group in _joined(sorted(named), one_name)]

    def order(group: list[Hearing]) -> tuple[int, bool, int, int, int, str]:
        spelt = _spelt(group)
        own = turns(one for one in group if one.source == INTRODUCTION)
        moment = -max(one.at_ns for one in spelt) if spelt else min(one.at_ns for one in group)
        return -len(spelt), not _given(group), -turns(group), -own, moment, min(one.name for one in group)

    return sorted(groups, key=order)


def turns(hearings: Iterable[Hearing]) -> int:
    """How many separate times a name was heard: repeated within a turn it is one hearing."""
    return len({(one.turn, 0 if one.turn is not None else one.at_ns) for one in hearings})


def spellings(hypothesis: Sequence[Hearing]) -> list[str]:
    """The ways one name was written, the one to show first: a spelt one, then a fuller one heard twice, then the most
    frequent. Where several fuller ones were heard once, their first name is what was heard of them all.
    """
    named: dict[str, list[Hearing]] = defaultdict(list)
    for hearing in hypothesis:
        named[tidy(hearing.name)].append(hearing)
    fuller = [name for name in named if _full(name)]
    firm = {
        name
        for name in fuller
        if len(named) == 1
        or turns(one for other in fuller if same_sound(name, other) for one in named[other]) >= CONFIRMING_TURNS
    }
    if not firm:
        for name in fuller:
            named[name.split()[0]] += named[name]

    def order(name: str) -> tuple[int, int, int, str]:
        tier = 0 if name in firm else 2 if name in fuller else 1
        return -len(_spelt(named[name])), tier, -turns(named[name]), name

    return sorted(named, key=order)


def matches(name: str, candidates: Iterable[str]) -> list[str]:
    """Those of the candidates that a spoken or typed name may mean: the nearest ones only, by the alphabet. Several
    people among them are an ambiguity to ask about.
    """
    near = {other: degree for other in candidates if (degree := nearness(name, other)) is not None}
    nearest = min(near.values(), default=None)
    return sorted(other for other, degree in near.items() if degree == nearest)


def nearness(one: str, other: str) -> Nearness | None:
    """How near two names are, None for different ones. Full names with different surnames are different."""
    ours, theirs = words(one), words(other)
    if not ours or not theirs:
        return None
    if ours == theirs:
        return Nearness.SAME
    if same_sound(one, other):
        return Nearness.SOUND
    if len(ours) == len(theirs) or 1 not in (len(ours), len(theirs)) or {ours[0], theirs[0]} & TITLES:
        return None
    if ours[0] == theirs[0]:
        return Nearness.FIRST_NAME
    return Nearness.FIRST_SOUND if same_sound(ours[0], theirs[0]) else None


def one_name(one: str, other: str) -> bool:
    """Whether two names said of one person are the same one: by their first names, unless they begin with a title."""
    ours, theirs = words(one), words(other)
    if not ours or not theirs:
        return False
    if {ours[0], theirs[0]} & TITLES:
        return same_sound(one, other)
    return same_sound(ours[0], theirs[0]) or is_short_for(ours[0], theirs[0])


def tidy(name: str) -> str:
    """A name as it is shown: composed letters, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _confirmed(hypothesis: Sequence[Hearing]) -> bool:
    if _spelt(hypothesis):
        return True
    if _given(hypothesis):
        return turns(hypothesis) >= CONFIRMING_TURNS
    moments = [one.at_ns for one in hypothesis]
    return max(moments) - min(moments) >= OCCASION_NS


def _given(hearings: Iterable[Hearing]) -> bool:
    """Whether a name was ever said to be theirs, and not only called out to them."""
    return any(one.source != ADDRESSED for one in hearings)


def _spelt(hearings: Iterable[Hearing]) -> list[Hearing]:
    return [one for one in hearings if one.source == SPELLING]


def _full(name: str) -> bool:
    return len(name.split()) > 1 and words(name)[0] not in TITLES


def _joined(names: Sequence[str], alike: Callable[[str, str], bool]) -> list[list[str]]:
    """Names in groups, each name with every one it is alike to."""
    groups: list[list[str]] = []
    for name in names:
        near = [group for group in groups if any(alike(name, other) for other in group)]
        groups = [group for group in groups if group not in near] + [
            [name, *(other for group in near for other in group)]
        ]
    return groups
