"""From votes to persons: which faces and voices are one human. A pure function of the evidence, in whatever order.

A link is judged by its log-odds: a prior against it, what was seen for it weighed by how often that face stands alone
in view while others talk (a poster, a silent listener), what was seen against it. The surest link is made first. A
voice belongs to one person; a second face or voice joins a person only if it looks or sounds like one that is there
and was never met together with any. A link as good as its rival is not made. An operator's word stands above all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, log

from robot_memory.memory.people.votes import SATURATION, Tally

PRIOR = -3.5  # log-odds that a voice and a face taken at random are one person
SPEAKER_IN_VIEW = 0.75  # how often a speaker is in the picture
ALONE, SEEN_BEFORE = 0.2, 5.0  # how often a face is alone in view of another's talk, until so many conversations tell
LINK = 0.0
MARGIN = 1.0  # by which a link's log-odds must exceed those of its rival

Pair = tuple[int, int]  # of entities, the smaller first


@dataclass(frozen=True)
class Evidence:
    """All that is known of some faces and voices.

    `heard`: voice -> its votes in all. `apart`: pairs that cannot be one human; `alike`: pairs that look or sound the
    same. `decided`: an operator's words in order, pair by pair: one human or not.
    """

    faces: frozenset[int]
    voices: frozenset[int]
    tallies: tuple[Tally, ...] = ()
    heard: Mapping[int, float] = field(default_factory=dict)
    apart: frozenset[Pair] = frozenset()
    alike: frozenset[Pair] = frozenset()
    decided: Sequence[tuple[Pair, bool]] = ()


def pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def log_odds(known: Evidence) -> dict[tuple[int, int], float]:
    """(voice, face) -> log-odds that they are one person, for every pair that has a vote for it."""
    twins = _Twins(known)
    by_face, by_voice = defaultdict[int, list[Tally]](list), defaultdict[int, list[Tally]](list)
    for tally in known.tallies:
        by_face[tally.face].append(tally)
        by_voice[tally.voice].append(tally)
    spoken = sum(known.heard.values())
    odds = {}
    for tally in known.tallies:
        own = {tally.voice, *twins.of(tally.voice)}  # a second sound of this voice is not somebody else
        alone = _alone(
            sum(one.alone for one in by_face[tally.face] if one.voice not in own),
            spoken - sum(known.heard.get(one, 0.0) for one in own),
        )
        looks = twins.of(tally.face)  # nor is a second look of this face: seen with the voice, it speaks not against it
        minus = max(0.0, tally.minus - sum(one.plus for one in by_voice[tally.voice] if one.face in looks))
        odds[tally.voice, tally.face] = round(PRIOR + _for(alone) * tally.plus - _against(alone) * minus, 6)
    return odds


def probability(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def persons(known: Evidence) -> list[frozenset[int]]:
    """The faces and voices of each person; everyone is in exactly one of them."""
    twins, odds = _Twins(known), log_odds(known)
    groups = _Groups(known, twins)
    for (one, other), same in groups.decided.items():
        if same:
            groups.join(one, other)
    rivals = _Rivals(odds, twins)
    for (voice, face), value in sorted(odds.items(), key=lambda one: (-one[1], one[0])):
        if value > LINK and not rivals.contest(voice, face, value - MARGIN) and groups.may_join(voice, face):
            groups.join(voice, face)
    return groups.all()


def _alone(votes: float, of: float) -> float:
    """How often a face is alone in view while somebody else talks: a Beta prior, and what was counted."""
    conversations = of / SATURATION
    return (votes / SATURATION + ALONE * SEEN_BEFORE) / (conversations + SEEN_BEFORE)


def _for(alone: float) -> float:
    """What one vote for a link weighs: nothing for a face that is there whoever talks."""
    return max(0.0, log(SPEAKER_IN_VIEW / alone))


def _against(alone: float) -> float:
    """What one vote against it weighs."""
    return max(0.0, log((1 - alone) / (1 - SPEAKER_IN_VIEW)))


class _Twins:
    """Entities that may be two looks, or two sounds, of one human: alike, and never met together."""

    def __init__(self, known: Evidence) -> None:
        self._of = defaultdict[int, set[int]](set)
        for one, other in known.alike - known.apart:
            self._of[one].add(other)
            self._of[other].add(one)

    def of(self, entity: int) -> Collection[int]:
        return self._of.get(entity, ())


class _Rivals:
    """Other faces of a voice and other voices of a face, with their log-odds."""

    def __init__(self, odds: Mapping[tuple[int, int], float], twins: _Twins) -> None:
        self._twins = twins
        self._of = defaultdict[int, list[tuple[int, float]]](list)
        for (voice, face), value in odds.items():
            self._of[voice].append((face, value))
            self._of[face].append((voice, value))

    def contest(self, voice: int, face: int, bar: float) -> bool:
        """Is another above the bar that is not just a twin?"""
        return any(
            value > bar and rival != mine and rival not in self._twins.of(mine)
            for other, mine in ((voice, face), (face, voice))
            for rival, value in self._of[other]
        )


class _Groups:
    """Disjoint sets of entities that grow by links, never against what stands between their members."""

    def __init__(self, known: Evidence, twins: _Twins) -> None:
        self._known, self._twins = known, twins
        self.decided: dict[Pair, bool] = dict(sorted(dict(known.decided).items()))
        self._of = {entity: {entity} for entity in (*known.faces, *known.voices)}

    def join(self, one: int, other: int) -> None:
        mine, theirs = self._of[one], self._of[other]
        if mine is not theirs:
            mine |= theirs
            for entity in theirs:
                self._of[entity] = mine

    def may_join(self, voice: int, face: int) -> bool:
        mine, theirs = self._of[voice], self._of[face]
        if mine is theirs:
            return False
        between = [pair(one, other) for one, other in product(mine, theirs)]
        if any(not self.decided.get(one, one not in self._known.apart) for one in between):
            return False
        kinds = (self._known.faces, self._known.voices)
        return all(self._resemble(mine & kind, theirs & kind) for kind in kinds)

    def all(self) -> list[frozenset[int]]:
        return sorted({frozenset(group) for group in self._of.values()}, key=min)

    def _resemble(self, some: Collection[int], others: Collection[int]) -> bool:
        """Faces (or voices) of two groups may come together if there are none on one side, or two look alike."""
        return not some or not others or any(other in self._twins.of(one) for one, other in product(some, others))
