"""Facts: what a memory holds to be true, against what was.

Frames are compared, not sentences: subject (as the true person it stands for), attribute, value and polarity, all
after normalisation (wording.py). What was true and is no longer is stale, which is neither right nor false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from robot_memory.evaluation.scoring.identities import same_name
from robot_memory.evaluation.scoring.tally import Tally
from robot_memory.evaluation.scoring.wording import phrase
from robot_memory.evaluation.subject import Claim
from robot_memory.evaluation.truth import ATTRIBUTES, Fact, Truth

TRUE, STALE, FALSE, BEYOND = "true", "stale", "false", "beyond"
Frame = tuple[tuple[str, ...], str, tuple[str, ...], int]


def facts(
    claims: Iterable[Claim] | None, stands_for: Mapping[str, str], truth: Truth, hours: float
) -> dict[str, Tally]:
    """facts.precision: true frames over true and false ones; facts.recall: facts told aloud and still so that are
    claimed, over all such; facts.stale and facts.beyond (attributes that the truth does not speak of): counts;
    facts.false_per_hour: false frames over the hours watched. A frame that is claimed twice counts once. Nothing where
    the truth lists no facts or the memory keeps none (None).
    """
    if claims is None or not truth.facts:
        return {}
    kinds = {_claimed(claim, stands_for): kind_of(claim, stands_for, truth) for claim in claims}
    count = Counter(kinds.values())
    lasting = {_true(fact) for fact in truth.facts if fact.told and _lasts(fact, truth)}
    return {
        "facts.precision": Tally(count[TRUE], count[TRUE] + count[FALSE]),
        "facts.recall": Tally(sum(kinds.get(frame) == TRUE for frame in lasting), len(lasting)),
        "facts.stale": Tally(count[STALE], 1),
        "facts.beyond": Tally(count[BEYOND], 1),
        "facts.false_per_hour": Tally(count[FALSE], hours),
    }


def kind_of(claim: Claim, stands_for: Mapping[str, str], truth: Truth) -> str:
    """TRUE, STALE, FALSE or BEYOND. A person's own name is true whether or not the truth lists it as a fact."""
    if claim.attribute not in ATTRIBUTES:
        return BEYOND
    mine = _claimed(claim, stands_for)
    same = [fact for fact in truth.facts if _true(fact) == mine]
    if any(_lasts(fact, truth) for fact in same) or (mine[1] == "name" and mine[0] == mine[2] and claim.polarity > 0):
        return TRUE
    return STALE if same else FALSE


def _claimed(claim: Claim, stands_for: Mapping[str, str]) -> Frame:
    """A claim's frame; a part of somebody's name is their name."""
    subject = stands_for.get(claim.subject, claim.subject)
    value = stands_for.get(claim.value, claim.value)
    if claim.attribute == "name" and same_name(value, subject):
        value = subject
    return phrase(subject), claim.attribute, phrase(value), claim.polarity


def _true(fact: Fact) -> Frame:
    return phrase(fact.subject), fact.attribute, phrase(fact.value), fact.polarity


def _lasts(fact: Fact, truth: Truth) -> bool:
    return fact.valid_until_ns is None or fact.valid_until_ns > truth.end_ns
