"""When something is: the time of an appointment, a promise, a plan or a habit, as it was told last."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.told_answers import answered
from robot_memory.control.answering.told_wording import named_after, nobody_told, said
from robot_memory.control.facts.claimed import Claimed
from robot_memory.control.facts.matching import Match, match
from robot_memory.control.facts.times import TIMED, parted
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import Someone

CHAINED = 0.7  # how well a plan answers when a promise is due


def due(state: State, someone: Someone, claims: Sequence[Claimed]) -> Answer:
    """When it is, in the words in which it was told; what the question names must be in them."""
    wish = state.wish
    holding = [one for one in claims if one.holds and one.polarity > 0]
    fits = [(match(wish.value, one.value, one.attribute), one) for one in holding]
    fits = [(fit, one) for fit, one in fits if fit >= Match.KIND or not wish.value]
    timed = [(fit, one) for fit, one in fits if not _timeless(one)]
    if not timed:
        return _untold(state, someone, [one for _, one in fits])
    asked_first = sorted(timed, key=lambda pair: (pair[1].attribute == wish.attribute, pair[0], pair[1].rank))
    fit, chosen = asked_first[-1]
    others = {one.matter for same, one in timed if same == fit and one.attribute == chosen.attribute} - {chosen.matter}
    if others and fit is not Match.SAME:
        return _several(state, someone, [one for same, one in timed if same == fit])
    text = said(someone, [chosen])
    if source := named_after(chosen, state):
        text = f"{text}, {source}"
    former = [one for one in claims if one.former and one.matter == chosen.matter]
    direct = chosen.attribute == wish.attribute or not wish.attribute
    return answered(text, state, someone, [chosen], former[-1:], supported=1.0 if direct else CHAINED)


def _several(state: State, someone: Someone, claims: Sequence[Claimed]) -> Answer:
    """Two dentist's appointments: both are told."""
    newest = sorted({one.matter: one for one in claims}.values(), key=lambda one: one.rank, reverse=True)[:2]
    text = "; ".join(said(someone, [one]) for one in newest)
    return answered(text, state, someone, newest, rivals=1.0)


def _untold(state: State, someone: Someone, without_time: Sequence[Claimed]) -> Answer:
    key, value = state.wish.attribute, state.wish.value
    if without_time:
        return abstain(f"{nobody_told(someone, '*', 'due')} I only heard that {said(someone, without_time[-1:])}.")
    return abstain(nobody_told(someone, key, "due", value=f"the {value}" if value and key == "appointment" else value))


def _timeless(one: Claimed) -> bool:
    return one.attribute not in TIMED or not parted(one.value)[1]
