"""Facts: what a memory holds to be true, against what was.

Frames are compared, not sentences: subject (as the true person it stands for), attribute, value and polarity, all
after normalisation (wording.py). What was true and is no longer is stale, which is neither right nor false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from robot_memory.evaluation.scoring.identities import same_name
from robot_memory.evaluation.scoring.tally import Tally
from robot_memory.evaluation.scoring.wording import phrase
from robot_memory.evaluation.subject import Claim
from robot_memory.evaluation.truth import ATTRIBUTES, Fact, Truth

TRUE, STALE, FALSE, BEYOND = "true", "stale", "false", "beyond"
Frame = tuple[tuple[str, ...], str, tuple[str, ...], int]


def facts(claims: Iterable[Claim], stands_for: Mapping[str, str], truth: Truth, hours: float) -> dict[str, Tally]:
    """facts.precision: true claims over true and false ones; facts.recall: facts told aloud and still so that are
    claimed, over all such; facts.stale and facts.beyond (attributes that the truth does not speak of): counts;
    facts.false_per_hour: false claims over the hours watched. Nothing where the truth lists no facts.
    """
    if not truth.facts:
        return {}
    kinds = [(claim, kind_of(claim, stands_for, truth)) for claim in claims]
    count = {kind: sum(of == kind for _, of in kinds) for kind in (TRUE, STALE, FALSE, BEYOND)}
    held = {_claimed(claim, stands_for) for claim, of in kinds if of == TRUE}
    lasting = {_true(fact) for fact in truth.facts if fact.told and _lasts(fact, truth)}
    return {
        "facts.precision": Tally(count[TRUE], count[TRUE] + count[FALSE]),
        "facts.recall": Tally(len(lasting & held), len(lasting)),
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
    if any(_lasts(fact, truth) for fact in same):
        return TRUE
    if same:
        return STALE
    named = claim.attribute == "name" and same_name(claim.value, stands_for.get(claim.subject, claim.subject))
    return TRUE if named and claim.polarity > 0 else FALSE


def _claimed(claim: Claim, stands_for: Mapping[str, str]) -> Frame:
    subject = stands_for.get(claim.subject, claim.subject)
    return phrase(subject), claim.attribute, phrase(claim.value), claim.polarity


def _true(fact: Fact) -> Frame:
    return phrase(fact.subject), fact.attribute, phrase(fact.value), fact.polarity


def _lasts(fact: Fact, truth: Truth) -> bool:
    return fact.valid_until_ns is None or fact.valid_until_ns > truth.end_ns
