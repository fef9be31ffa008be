"""Who was here: everyone, the first or the last, those who said no word, and how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_people import Subject, call, called, known, of_persons, were
from robot_memory.control.answering.seen_view import View
from robot_memory.control.answering.visits import TOGETHER_NS, Visit, by_person, touches, visits
from robot_memory.control.steps import State
from robot_memory.memory.people.people import Person
from robot_memory.streams.media import SECOND

FEW = 3  # people whose times are told with them
BREATH_NS = 2 * SECOND  # a word this near to a visit belongs to it
UNSURE = 0.5  # where a voice may be that of somebody seen


def who_was_here(view: View, some: list[Subject], state: State) -> Answer:
    """Everyone seen, those only heard told apart; the first or the last where the question wants one."""
    found = [visit for visit in visits(view.seen) if visit.person not in _ids(view.but)]
    if state.wish.silent:
        return _silent(view, found, state)
    if state.reading.order and found:
        return _at_the_end(view, found, state)
    heard = _only_heard(view, state)
    if not found and not heard:
        return _fresh(view, state) if view.fresh else nobody(view)
    parts, persons = [], _persons(found, state)
    here = "in view" if view.then else _here(view)
    if found:
        few = len(persons) <= FEW and not view.then and all(one.name for one in persons)
        days = {times.day(visit.start_ns, state.question.now_ns, state.zone) for visit in found}
        short = bool(view.time) and len(days) == 1  # the question's words say which day
        names = [_with_times(one, found, short, state) for one in persons] if few else called(persons)
        parts.append(were(names, here if few and not short else f"{here}{view.time}"))
    if heard:
        parts.append(f"I {'also ' if found else ''}{_heard(heard)}")
    if view.fresh:
        parts.append("Somebody whom I have not recognised yet is in view now")
    cited = [*(one for visit in found for one in visit.seen), *(one for one in view.heard if not found)]
    return answered(". ".join(parts), [*cited, *view.fresh], state, _grounds(persons or heard, heard))


def how_many(view: View, some: list[Subject], state: State) -> Answer:
    """How many different people were seen, and who."""
    but = _ids(view.but) | ({one.person.id for one in some} if view.then or state.reading.counts == "others" else set())
    found = [visit for visit in visits(view.seen) if visit.person not in but]
    if not found:
        return nobody(view)
    persons = _persons(found, state)
    count = f"{len(persons)} {'person' if len(persons) == 1 else 'people'}"
    text = f"I saw {count}{view.when}: {times.joined(called(persons))}"
    heard = _only_heard(view, state)
    if heard:
        text += f". I also {_heard(heard)}"
    return answered(text, [one for visit in found for one in visit.seen], state, _grounds(persons, heard))


def nobody(view: View) -> Answer:
    """That there was nobody; where nothing was recorded, that."""
    if not view.recorded:
        return unknown(f"I have no memory of anything{view.when}")
    return unknown(f"I saw nobody{' else' if view.but else ''}{view.when}")


def _silent(view: View, found: list[Visit], state: State) -> Answer:
    """Who was seen and not heard while they were here."""
    spoken = by_person(view.heard)
    still = [visit for visit in found if not _heard_in(visit, spoken.get(visit.person, ()))]
    if not still:
        return unknown(f"I saw nobody{view.when} who said nothing") if found else nobody(view)
    persons = _persons(still, state)
    spoke_too = any(spoken.get(one.id) for one in persons)  # at another visit
    names = [_with_times(one, still, False, state) for one in persons] if spoke_too else called(persons)
    strange = [one for visit in still for one in view.heard if _strange(one, state) and _near(visit, one)]
    text = were(names, f"{_here(view)}{view.time} and said nothing that I heard")
    grounds = of_persons(persons)
    grounds = replace(grounds, supported=min(grounds.supported, UNSURE)) if strange else grounds
    return answered(text, [one for visit in still for one in visit.seen], state, grounds)


def _at_the_end(view: View, found: list[Visit], state: State) -> Answer:
    """The first to be seen, or the last; several where they were so together."""
    first = state.reading.order == "first"
    edge = min(visit.start_ns for visit in found) if first else max(visit.end_ns for visit in found)
    there = [one for one in found if abs((one.start_ns if first else one.end_ns) - edge) < TOGETHER_NS]
    persons = _persons(there, state)
    names = called(persons)
    moment = times.at(edge, state.question.now_ns, state.zone)
    text = f"{were(names, f'the {state.reading.order}')}{view.place}, {moment}"
    cited = [visit.seen[0 if first else -1] for visit in there]
    return answered(text, cited, state, of_persons(persons))


def _fresh(view: View, state: State) -> Answer:
    text = f"somebody {'is' if state.reading.span.words == 'now' else 'was'} here whom I have not recognised yet"
    return answered(text, view.fresh, state, Grounds(named=UNSURE, supported=UNSURE))


def _only_heard(view: View, state: State) -> list[Person]:
    """Whose voice was heard though they were not seen."""
    seen = {person for one in view.seen for person in one.people}
    speakers = [person for one in view.heard for person in one.people if person not in seen]
    return known(state.people, (one for one in speakers if one not in _ids(view.but)))


def _heard(persons: Sequence[Person]) -> str:
    """ "heard Ben, whose face I don't know": it may be that of somebody seen."""
    names = times.joined(called(persons))
    if any(one.faces for one in persons):
        return f"heard {names}, but did not see them"
    return f"heard {names}, whose face{'s' if len(persons) > 1 else ''} I don't know"


def _with_times(person: Person, found: Sequence[Visit], short: bool, state: State) -> str:
    """ "Anna (9:12 and 17:05)", with the days where they are not told already; of many visits the first and last."""
    own = [visit.start_ns for visit in found if visit.person == person.id]
    stamps = [own[0], own[-1]] if len(own) > 1 else own
    clocks = list(dict.fromkeys(times.clock(stamp_ns, state.zone) for stamp_ns in stamps))
    told = times.joined(clocks) if short else times.moments(stamps, state.question.now_ns, state.zone)
    return f"{call(person)} ({told})"


def _persons(found: Sequence[Visit], state: State) -> list[Person]:
    return known(state.people, (visit.person for visit in found))


def _grounds(persons: Sequence[Person], heard: Sequence[Person]) -> Grounds:
    grounds = of_persons(persons)
    return replace(grounds, supported=min(grounds.supported, UNSURE)) if heard else grounds


def _here(view: View) -> str:
    return view.place.strip() or "here"


def _ids(some: Sequence[Subject]) -> set[int]:
    return {one.person.id for one in some}


def _heard_in(visit: Visit, lines: Sequence[Evidence]) -> bool:
    return any(_near(visit, line) for line in lines)


def _near(visit: Visit, line: Evidence) -> bool:
    return touches(line, [(visit.start_ns, visit.end_ns)], BREATH_NS)


def _strange(line: Evidence, state: State) -> bool:
    """Whether it is not known whose face goes with a voice: it may be that of somebody in view."""
    people = known(state.people, line.people)
    return not people or not any(person.faces for person in people)
