"""The verdict: how far the memories found support what a question takes for granted, and why.

A logistic model of who and what (features of `matching`), times what another time or another place leaves of it: all
must hold. All weights are positive, so more support never lowers a verdict. They lie, rounded, between those fitted on
generated worlds (seeds 0 to 19, what was said and seen) and those fitted on half of LoCoMo, answerable and unanswerable
questions with equal mass; the optimum is flat. So one half means "the evidence speaks for neither side", not the share
of anybody's questions: set the least support for an answer by the risk that is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robot_memory.control.verification.asked import Asked, Check, Passage, Support, Verdict
from robot_memory.control.verification.matching import Features, Floats, Matches, features, match

# (bias, weights): a question that names somebody, and one that names nobody.
NAMED = 0.5, Features(words=0.8, meaning=0.5, covered=1.1, unsaid=0.5, near=1.0, affirmed=0.5)
UNNAMED = -3.0, Features(covered=1.5, unsaid=1.0, near=6.0, affirmed=1.0)
TIME_COSTS, PLACE_COSTS = 1.0, 5.0  # a loss of 1 leaves exp(-1) or exp(-5) of the support

CLEAR = 0.5  # a contrast of log e^0.5: about 5 to 3
MOST, LITTLE = 0.5, 0.2  # parts of the question's words
CLOSE = 0.5  # a cosine at which other words say the same
KEPT, LOST = -0.1, -0.3  # how much of the best fit a time or a place costs


def verify(asked: Asked, passages: Sequence[Passage]) -> Verdict:
    """Give it the best 20 to 100 memories whoever they are about: it compares them, so do not filter by person."""
    found = match(asked, passages)
    seen = features(asked, found)
    memories = [passages[number].memory for number in found.passage]
    person, attribute = _person(asked, seen, found, memories), _attribute(seen, found, memories)
    time, place = _time(asked, seen, found, memories), _place(asked, seen, found, memories)
    reasons = _reasons(asked, seen, person, attribute, time, place)
    return Verdict(supported(seen, bool(asked.persons)), reasons, person, attribute, time, place)


def supported(seen: Features, named: bool) -> float:
    """0 to 1; it never falls as a feature grows."""
    bias, weights = NAMED if named else UNNAMED
    total = bias + sum(weight * value for weight, value in zip(weights.values(), seen.values(), strict=True))
    left = np.exp(TIME_COSTS * min(seen.time, 0.0) + PLACE_COSTS * min(seen.place, 0.0))
    return float(left / (1 + np.exp(-total)))


def _person(asked: Asked, seen: Features, found: Matches, memories: Sequence[int]) -> Check:
    if not asked.persons:
        return Check()
    contrast = (seen.words + seen.meaning) / 2
    if contrast > CLEAR:
        return Check(Support.SUPPORTED, _best(found.about, memories))
    if contrast < -CLEAR:
        return Check(Support.UNSUPPORTED, _best(found.fit * (1 - found.share), memories))
    return Check()


def _attribute(seen: Features, found: Matches, memories: Sequence[int]) -> Check:
    best = _best(found.about, memories)
    if seen.unsaid > -MOST and (seen.covered >= MOST or seen.near >= CLOSE):
        return Check(Support.SUPPORTED, best)
    if seen.unsaid <= -MOST or seen.covered < LITTLE:
        return Check(Support.UNSUPPORTED, None)
    return Check(Support.UNKNOWN, best)


def _time(asked: Asked, seen: Features, found: Matches, memories: Sequence[int]) -> Check:
    return _kept(seen.time, found.about * found.timely, memories) if asked.timed else Check()


def _place(asked: Asked, seen: Features, found: Matches, memories: Sequence[int]) -> Check:
    """Unknown where no memory knows its place."""
    if not asked.place or not found.located.any():
        return Check()
    return _kept(seen.place, found.about * found.timely * found.placed * found.located, memories)


def _kept(loss: float, inside: Floats, memories: Sequence[int]) -> Check:
    best = _best(inside, memories)
    if best is None or loss < LOST:
        return Check(Support.UNSUPPORTED, None)
    return Check(Support.SUPPORTED if loss >= KEPT else Support.UNKNOWN, best)


def _best(fit: Floats, memories: Sequence[int]) -> int | None:
    """The memory of the best sentence; None if none fits at all."""
    return memories[int(np.argmax(fit))] if len(fit) and fit.max() > 0 else None


def _reasons(
    asked: Asked, seen: Features, person: Check, attribute: Check, time: Check, place: Check
) -> tuple[str, ...]:
    """What moved the verdict, in words, in the order of how much it did."""
    _, weights = NAMED if asked.persons else UNNAMED
    part = {name: getattr(weights, name) * getattr(seen, name) for name in Features.__dataclass_fields__}
    unsaid = [word.text for word in asked.words if word.memories <= 0]
    told = [
        (part["words"] + part["meaning"], _of(person, "is about whom it asks", "is about somebody else")),
        (part["covered"] + part["near"], _of(attribute, "holds what it asks for")),
        (part["unsaid"], f"never said: {', '.join(unsaid)}" if unsaid else ""),
        (part["affirmed"], "what fits says that it is not so" if seen.affirmed < -MOST else ""),
        (TIME_COSTS * seen.time, _of(time, "is of the time asked for") or _missing(time, "in the time asked for")),
        (
            PLACE_COSTS * seen.place,
            _of(place, "is of the place asked for") or _missing(place, "in the place asked for"),
        ),
    ]
    ordered = sorted((one for one in told if one[1]), key=lambda one: -abs(one[0]))
    return tuple(words for _, words in ordered) or ("nothing that was found bears on it",)


def _of(check: Check, good: str, bad: str = "") -> str:
    words = {Support.SUPPORTED: good, Support.UNSUPPORTED: bad}.get(check.standing, "")
    return f"memory {check.memory} {words}" if words and check.memory is not None else ""


def _missing(check: Check, where: str) -> str:
    return f"nothing that fits was {where}" if check.standing is Support.UNSUPPORTED else ""
