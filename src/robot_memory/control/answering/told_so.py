"""Whether something is so: yes where it was told, no where the opposite was, or another value of what has but one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.told_answers import answered
from robot_memory.control.answering.told_wording import not_told_whether, said
from robot_memory.control.facts.claimed import Claimed
from robot_memory.control.facts.matching import Match, match
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import Someone
from robot_memory.memory.insertion.attributes import named, spelled

BY_KIND = 0.8  # how well a red bicycle answers whether there is a bicycle
EVER = re.compile(r"\b(?:ever|once|used to|formerly)\b", re.IGNORECASE)
OTHER = 0.8  # how well another value answers that this one is not so


def is_so(state: State, someone: Someone, claims: Sequence[Claimed]) -> Answer:
    """Yes or no with what was told, or that nobody told it."""
    wish = state.wish
    about = [one for one in claims if one.attribute == wish.attribute]
    fits = [(match(wish.value, one.value, one.attribute), one) for one in about]
    holding = [(fit, one) for fit, one in fits if one.holds and _tells(fit, one)]
    if holding:
        fit, best = max(holding, key=lambda pair: (pair[0], pair[1].rank))
        agrees = best.polarity == wish.polarity
        text = f"{'Yes' if agrees else 'No'}, {said(someone, [best])}"
        return answered(text, state, someone, [best], supported=1.0 if fit is Match.SAME else BY_KIND)
    was = [one for fit, one in fits if fit >= Match.KIND and one.former and one.polarity > 0]
    others = [one for one in about if one.holds and one.polarity > 0]
    if was and _asks_of_the_past(state):
        return answered(f"Yes, {said(someone, was[-1:], past=True)}", state, someone, was[-1:], others)
    if was and wish.polarity > 0 and (others or not _has_one(wish.attribute)):
        return answered(f"No, not any more: {said(someone, was[-1:], past=True)}", state, someone, was[-1:], others)
    if others and _has_one(wish.attribute) and wish.polarity > 0 and all(_excludes(wish.value, one) for one in others):
        text = f"No, {said(someone, others[-1:])}"
        return answered(text, state, someone, others[-1:], supported=OTHER)
    return abstain(not_told_whether(someone, wish))


def _asks_of_the_past(state: State) -> bool:
    return state.reading.validity == "earlier" or EVER.search(state.reading.words) is not None


def _tells(fit: Match, one: Claimed) -> bool:
    """A claim tells of all that it is a kind of, a denial of all kinds of what it denies."""
    return fit is Match.SAME or fit is (Match.KIND if one.polarity > 0 else Match.WIDER)


def _excludes(asked: str, told: Claimed) -> bool:
    """Another value, not the same said with fewer words: a nurse may be a night nurse."""
    return match(asked, told.value, told.attribute) is Match.NONE


def _has_one(attribute: str) -> bool:
    return named(spelled(attribute), 1)[0].kind == "one"
