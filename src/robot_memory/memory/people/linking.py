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
ALONE, KNOWN_AFTER = 0.2, 5.0  # how often a face is alone in view of another's talk, until so many conversations tell
LEAST_ALONE = 0.05  # but never less than this: a visitor who was seen once is not known to be rarely there
LINK = 0.0
ENOUGH = 2.0  # conversations in which they met, or one in which the speaker said who they are
MARGIN = 1.0  # by which a link's log-odds must exceed those of its rival
FEWEST = (LINK - MARGIN - PRIOR) / log(SPEAKER_IN_VIEW / LEAST_ALONE)  # votes that can make a rival of a link

Pair = tuple[int, int]  # of entities, the smaller first


@dataclass(frozen=True)
class Evidence:
    """All that is known of some faces and voices.

    `heard`: voice -> its votes in all. `company`: face -> of all voices it was ever in view of, the votes it was alone
    in view for, and their votes in all. `apart`: pairs that cannot be one human; `alike`: pairs that look or sound the
    same. `decided`: an operator's words in order, pair by pair: one human or not.
    """

    faces: frozenset[int]
    voices: frozenset[int]
    tallies: tuple[Tally, ...] = ()
    heard: Mapping[int, float] = field(default_factory=dict)
    company: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    apart: frozenset[Pair] = frozenset()
    alike: frozenset[Pair] = frozenset()
    decided: Sequence[tuple[Pair, bool]] = ()


def pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def log_odds(known: Evidence) -> dict[tuple[int, int], float]:
    """(voice, face) -> log-odds that they are one person, for every pair that has a vote for it."""
    twins = _Twins(known)
    by_voice: dict[int, dict[int, Tally]] = defaultdict(dict)
    for tally in known.tallies:
        by_voice[tally.voice][tally.face] = tally
    odds = {}
    for tally in known.tallies:
        others = _others(known, tally, by_voice, twins.of(tally.voice))
        # a second look of this face speaks not against it where it was seen with the voice
        looks = sum(by_voice[tally.voice][one].plus for one in twins.of(tally.face) if one in by_voice[tally.voice])
        minus = max(0.0, tally.minus - looks)
        odds[tally.voice, tally.face] = round(PRIOR + _for(others) * tally.plus - _against(others) * minus, 6)
    return odds


def likely(tally: Tally, log_odds: float) -> bool:
    """Do the votes speak for one person, if no rival does as well?"""
    return log_odds > LINK and tally.met >= ENOUGH


def probability(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def persons(known: Evidence) -> list[frozenset[int]]:
    """The faces and voices of each person; everyone is in exactly one of them."""
    twins, odds = _Twins(known), log_odds(known)
    groups = _Groups(known, twins)
    groups.join_decided()
    rivals = _Rivals(odds, twins)
    for tally in sorted(known.tallies, key=lambda one: (-odds[one.voice, one.face], one.voice, one.face)):
        voice, face, value = tally.voice, tally.face, odds[tally.voice, tally.face]
        free = not rivals.contest(voice, face, value - MARGIN)
        if likely(tally, value) and free and groups.may_link(voice, face):
            groups.link(voice, face)
    return groups.all()


def _others(
    known: Evidence, tally: Tally, by_voice: Mapping[int, Mapping[int, Tally]], twins: Collection[int]
) -> float:
    """How often the face is alone in view while somebody else than the voice talks. Twins of the voice are not somebody
    else.
    """
    alone, votes = known.company.get(tally.face, (0.0, 0.0))
    for voice in (tally.voice, *twins):
        if (own := by_voice.get(voice, {}).get(tally.face)) is not None:
            alone, votes = alone - own.alone, votes - known.heard.get(voice, 0.0)
    return max(LEAST_ALONE, (alone / SATURATION + ALONE * KNOWN_AFTER) / (votes / SATURATION + KNOWN_AFTER))


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
        self._linked = defaultdict[int, list[int]](list)  # by votes: a face's voices, a voice's faces

    def join(self, one: int, other: int) -> None:
        mine, theirs = self._of[one], self._of[other]
        if mine is not theirs:
            mine |= theirs
            for entity in theirs:
                self._of[entity] = mine

    def join_decided(self) -> None:
        """Join those an operator says are one. A voice has then that face; the face may have other voices by votes."""
        for (one, other), same in self.decided.items():
            if same:
                self.join(one, other)
                for voice, face in ((one, other), (other, one)):
                    if voice in self._known.voices and face in self._known.faces:
                        self._linked[voice].append(face)

    def link(self, voice: int, face: int) -> None:
        """Join them by their votes."""
        self._linked[voice].append(face)
        self._linked[face].append(voice)
        self.join(voice, face)

    def may_link(self, voice: int, face: int) -> bool:
        """Unless something stands between anyone of the two groups, or one of the pair has a link that is no twin."""
        between = (pair(one, other) for one, other in product(self._of[voice], self._of[face]) if one != other)
        if self._of[voice] is not self._of[face] and not all(map(self._may_be_one, between)):
            return False
        return self._alone_or_twin(face, self._linked[voice]) and self._alone_or_twin(voice, self._linked[face])

    def all(self) -> list[frozenset[int]]:
        return sorted({frozenset(group) for group in self._of.values()}, key=min)

    def _may_be_one(self, both: Pair) -> bool:
        return self.decided.get(both, both not in self._known.apart)

    def _alone_or_twin(self, entity: int, linked: Collection[int]) -> bool:
        return not linked or any(other in self._twins.of(entity) for other in linked)
