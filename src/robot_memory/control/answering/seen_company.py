"""Who was with whom: who shared the view with somebody for more than a moment."""

from __future__ import annotations

from dataclasses import replace

from robot_memory.control.answer import Answer
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_people import Subject, called, known, of_persons, were
from robot_memory.control.answering.seen_view import View
from robot_memory.control.answering.seen_who import nobody
from robot_memory.control.answering.visits import TOGETHER_NS, by_person, shared_ns, stretches, touches
from robot_memory.control.steps import State

UNSURE = 0.5


def company(view: View, some: list[Subject], state: State) -> Answer:
    """With whom somebody was; whether two were together where both are named and that is asked."""
    first = some[0]
    seen = by_person(view.seen)
    own = stretches(seen.get(first.person.id, ()))
    if not own:
        return unknown(f"I did not see {first.name}{view.when}") if view.recorded else nobody(view)
    shared = {id: shared_ns(own, stretches(theirs)) for id, theirs in seen.items() if id != first.person.id}
    with_them = [id for id, length_ns in shared.items() if length_ns >= TOGETHER_NS]
    if len(some) > 1:
        return _together(view, some, with_them, state)
    if not with_them:
        return _alone(view, first, own, state)
    persons = known(state.people, with_them)
    cited = [one for id in with_them for one in seen[id] if touches(one, own)]
    text = f"{were(called(persons), f'with {_as_asked(first, state)}')}{view.when}"
    grounds = of_persons(persons)
    return answered(text, cited, state, replace(grounds, named=min(first.sure, grounds.named)))


def _as_asked(who: Subject, state: State) -> str:
    """The name; where the question describes somebody, a name more would read as one of the company."""
    return who.name if who.asks or who.name.casefold() in state.question.text.casefold() else "them"


def _together(view: View, some: list[Subject], with_them: list[int], state: State) -> Answer:
    """Whether those named were together."""
    others = some[1:]
    missing = [one for one in others if one.person.id not in with_them]
    names = times.joined([one.name for one in some])
    if missing:
        text = f"No, I did not see {names} together{view.when}"
        return answered(text, view.seen, state, Grounds(supported=UNSURE))
    cited = [one for one in view.seen if {other.person.id for other in some} <= set(one.people)] or list(view.seen)
    moment = times.at(cited[0].start_ns, state.question.now_ns, state.zone)
    return answered(f"Yes, I saw {names} together, {moment}", cited, state, Grounds(named=some[0].sure))


def _alone(view: View, first: Subject, own: list[tuple[int, int]], state: State) -> Answer:
    """Nobody else was in view; voices are told."""
    voices = [one for one in view.heard if touches(one, own) and first.person.id not in one.people]
    heard = known(state.people, (person for one in voices for person in one.people))
    if heard:
        text = f"I saw nobody with {first.name}{view.when}, but heard {times.joined(called(heard))}"
        return answered(text, voices, state, Grounds(named=first.sure, own=0.0, supported=UNSURE))
    return unknown(f"I saw nobody else with {first.name}{view.when}")
