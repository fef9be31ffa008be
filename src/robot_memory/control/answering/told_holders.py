"""Of whom something was told: who lives in Leeds, who likes olives, who has a red bicycle."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.times import joined
from robot_memory.control.answering.told_answers import answered
from robot_memory.control.answering.told_wording import said
from robot_memory.control.facts.claimed import Claimed, standing
from robot_memory.control.facts.matching import Match, match
from robot_memory.control.steps import Claims, State, Step
from robot_memory.control.whom.relations import subject
from robot_memory.control.whom.someone import YOU, Someone, person_of

MOST = 6  # people in an answer
BY_KIND = 0.8  # how well a red bicycle answers who has a bicycle
ALSO_HAD = ("appointment",)  # "Who has a meeting with the bank?"
UNTOLD = "Nobody told me of anybody like that."


def next(state: State) -> Step | Answer:
    """Everybody of whom it was told and still holds; where the question asks who used to, of whom it held."""
    wish = state.wish
    if not wish.attribute or not wish.value:
        return abstain(UNTOLD)
    attributes = (wish.attribute, *ALSO_HAD) if wish.attribute == "owns" else (wish.attribute,)
    step = Claims(f"whose {wish.attribute} is {wish.value}", None, attributes)
    hits = state.hits(step)
    if hits is None:
        return step
    past = state.reading.validity == "earlier"
    claims = standing(hits, who=lambda text: subject(text, state.people).key)
    fits = [(match(wish.value, one.value, one.attribute), one) for one in claims if one.polarity == wish.polarity]
    fits = [(fit, one) for fit, one in fits if fit >= Match.KIND and (one.former if past else one.holds)]
    best = max((fit for fit, _ in fits), default=Match.NONE)
    found = _people([one for fit, one in fits if fit == best], state)
    if not found:
        return abstain(UNTOLD)
    return _answer(found, state, past, 1.0 if best is Match.SAME else BY_KIND)


def _people(claims: Sequence[Claimed], state: State) -> list[tuple[Someone, Claimed]]:
    """Each person once, with the newest claim; things have nothing that is asked for here."""
    found = dict[str, tuple[Someone, Claimed]]()
    asker = person_of(state.question.asker, state.people)
    for claim in claims:
        someone = subject(claim.subject, state.people)
        if asker is not None and someone.person == asker.id:
            someone = Someone(YOU, someone.person, someone.subjects, someone.sure)
        found[someone.key] = someone, claim
    return list(found.values())


def _answer(found: Sequence[tuple[Someone, Claimed]], state: State, past: bool, supported: float) -> Answer:
    people = [someone for someone, _ in found[:MOST]]
    who = people[0]
    if len(people) > 1:
        names = joined([one.called for one in people])
        who = Someone(names, sure=min(one.sure for one in people), many=True)
    claims = [claim for _, claim in found]
    return answered(said(who, claims[:1], past), state, who, claims, supported=supported)
