"""Whether something is so: yes where it was told, no where the opposite was, or another value of what has but one."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.facts_claimed import Claimed
from robot_memory.control.answering.facts_matching import Match, match
from robot_memory.control.answering.told_answers import answered
from robot_memory.control.answering.told_wording import nobody_told, said
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import Someone
from robot_memory.memory.insertion.attributes import named, spelled

BY_KIND = 0.8  # how well a red bicycle answers whether there is a bicycle
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
    if was and (len(others) > 0 or not _has_one(wish.attribute)):
        text = f"No longer: {said(someone, was[-1:], past=True)}"
        if wish.polarity > 0:
            return answered(f"No, not any more: {said(someone, was[-1:], past=True)}", state, someone, was[-1:], others)
        return answered(text, state, someone, was[-1:], others)
    if others and _has_one(wish.attribute) and wish.polarity > 0 and all(_excludes(wish.value, one) for one in others):
        text = f"No, {said(someone, others[-1:])}"
        return answered(text, state, someone, others[-1:], supported=OTHER)
    return abstain(_untold(state, someone))


def _tells(fit: Match, one: Claimed) -> bool:
    """A claim tells of all that it is a kind of, a denial of all kinds of what it denies."""
    return fit is Match.SAME or fit is (Match.KIND if one.polarity > 0 else Match.WIDER)


def _excludes(asked: str, told: Claimed) -> bool:
    """Another value, not the same said with fewer words: a nurse may be a night nurse."""
    return match(asked, told.value, told.attribute) is Match.NONE


def _untold(state: State, someone: Someone) -> str:
    key = "dislikes" if state.wish.attribute == "likes" and state.wish.polarity < 0 else state.wish.attribute
    return nobody_told(someone, key, value=state.wish.value)


def _has_one(attribute: str) -> bool:
    return named(spelled(attribute), 1)[0].kind == "one"
