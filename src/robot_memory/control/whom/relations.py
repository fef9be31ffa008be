"""Who is what to whom, as far as it was told: the claims of kind "relation" as a net of people that roles are followed
through, in either direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Evidence
from robot_memory.control.steps import Claims
from robot_memory.control.whom.kinship import answers, inverts
from robot_memory.control.whom.someone import Someone, heard_of, met
from robot_memory.memorization.speech.saying import kin_of
from robot_memory.memory.people.people import People
from robot_memory.memory.tokens import split

RELATIONS = Claims("who is what to whom", None, ("relation",))
OWN_WORDS, GUESSED = 0.9, 0.5


@dataclass(frozen=True)
class Tie:
    """`other` is the `kin` of `owner`. `holds`: it was said so and not denied since."""

    owner: Someone
    kin: str
    other: Someone
    told: Evidence
    holds: bool = True


def ties(found: Iterable[Evidence], people: People) -> list[Tie]:
    """The relations that claims tell of, the earliest first."""
    made = list[Tie]()
    for one in found:
        for fact in one.facts:
            kin, who = kin_of(fact.value)
            if fact.attribute != "relation" or not kin or not who:
                continue
            owner = subject(fact.subject, people)
            tie = Tie(owner, kin, heard_of(who, people), one, not fact.negated and one.valid_until_ns is None)
            made = [old for old in made if not _same(old, tie)] + [tie]
    return made


def subject(text: str, people: People) -> Someone:
    """Whom a fact is about, by its subject as programs read it: person_2, or a name in small letters."""
    try:
        kind, number = split(text)
    except ValueError:
        return heard_of(text.title() if text.islower() else text, people)
    known = people.get(number) if kind == "person" else None
    return met(known, people) if known else Someone(text)


def related(owner: Someone, kin: str, known: Sequence[Tie]) -> list[Someone]:
    """Who is the `kin` of somebody, the likeliest first; of those told of directly, else of those whose own relation
    says it the other way round.
    """
    direct = [
        _through(tie.other, weight, tie)
        for tie in known
        if tie.holds and tie.owner.key == owner.key and (weight := answers(kin, tie.kin))
    ]
    inverse = [
        _through(tie.owner, weight, tie)
        for tie in known
        if tie.holds and tie.other.key == owner.key and (weight := inverts(kin, tie.kin))
    ]
    return _each_once(direct) or _each_once(inverse)


def _through(someone: Someone, weight: float, tie: Tie) -> Someone:
    return Someone(someone.called, someone.person, someone.subjects, weight * someone.sure, (tie.told,))


def _each_once(found: Iterable[Someone]) -> list[Someone]:
    """The surest of each; those as sure as the surest."""
    best = dict[str, Someone]()
    for one in sorted(found, key=lambda one: -one.sure):
        best.setdefault(one.key, one)
    surest = max((one.sure for one in best.values()), default=0.0)
    return [one for one in best.values() if one.sure >= surest]


def _same(one: Tie, other: Tie) -> bool:
    return (one.owner.key, one.kin, one.other.key) == (other.owner.key, other.kin, other.other.key)
