"""When is a face or voice a known one? Two thresholds, and a margin against everybody else.

A match is accepted above the first threshold; only above the second, higher one does the set learn from it, so that a
doubtful match never teaches. Where the next person is within the margin, either both are known by the same look (they
may be one human met twice), or it cannot be told who this is, and then nobody is better than the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from robot_memory.models.model import Threshold

MARGIN = 0.05  # for a model whose margin was not measured
NEAR = 0.0  # and so nobody is noted who was only nearly good enough


@dataclass(frozen=True)
class MatchRule:
    """Cosines from the model's calibration: `accept` to match, `learn` to add to the set; either may grow with seconds
    of speech. `margin`: a lead over the next person that is less is none. `near`: one who is enrolled because no score
    reached `accept`, but one came this close, is noted as perhaps the same.
    """

    accept: Threshold
    learn: Threshold
    margin: float = MARGIN
    near: float = NEAR

    @staticmethod
    def of(thresholds: Mapping[str, Threshold]) -> MatchRule:
        """The rule of a model's thresholds; `margin` and `near` may be missing."""
        margin, near = (
            thresholds[name].at(0.0) if name in thresholds else default
            for name, default in (("margin", MARGIN), ("near", NEAR))
        )
        return MatchRule(thresholds["accept"], thresholds["learn"], margin, near)

    @property
    def strictest(self) -> float:
        """The accept threshold for as much speech as there can be."""
        return self.accept.at(float("inf"))


@dataclass(frozen=True)
class Match:
    """The best entity for a vector, if any was good enough. `learn`: sure enough to add the vector to its set.

    `doubtful`: somebody known, but it cannot be told who; then it is no new one either. `alike`: entities of other
    persons that scored within the margin and have the look of this one, each with the likeness of the two sets.
    `maybe`: the entity that was nearly good enough, where none was.
    """

    entity: int | None
    score: float
    learn: bool = False
    doubtful: bool = False
    alike: tuple[tuple[int, float], ...] = ()
    maybe: int | None = None


@dataclass(frozen=True)
class Acquaintance:
    """What is known about pairs of entities: the person of each, who cannot be one human, how alike two sets are."""

    person: Callable[[int], int]
    apart: Callable[[int, int], bool]
    likeness: Callable[[int, int], float]


def decide(ranked: list[tuple[int, float]], rule: MatchRule, seconds: float, known: Acquaintance) -> Match:
    """The match for entities with their scores, best first."""
    if not ranked:
        return Match(None, -1.0)
    best, score = ranked[0]
    accept = rule.accept.at(seconds)
    if score < accept:
        return Match(None, score, maybe=best if score >= accept - rule.near else None)
    alike = []
    for rival in _rivals(ranked, rule.margin, known):
        likeness = known.likeness(best, rival)
        if known.apart(best, rival) or likeness < rule.strictest:
            return Match(None, score, doubtful=True)
        alike.append((rival, likeness))
    return Match(best, score, learn=not alike and score >= rule.learn.at(seconds), alike=tuple(alike))


def _rivals(ranked: list[tuple[int, float]], margin: float, known: Acquaintance) -> Iterator[int]:
    """Entities of other persons than the best one's whose scores are within the margin of its."""
    (best, score), *others = ranked
    person = known.person(best)
    for entity, other in others:
        if score - other >= margin:
            return
        if known.person(entity) != person:
            yield entity
