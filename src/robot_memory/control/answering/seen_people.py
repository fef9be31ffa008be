"""People in answers: whom a question asks about, and how somebody is spoken of: "Anna", "you", "somebody I don't know
by name".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Answer, Evidence, abstain
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.times import joined
from robot_memory.control.steps import State, Step
from robot_memory.control.understanding.reading import ASKER, NAME
from robot_memory.control.understanding.words import words_in
from robot_memory.control.whom.persons import Whom, named, persons, which_one
from robot_memory.control.whom.someone import met
from robot_memory.memory.people.people import People, Person

NAMELESS = "somebody I don't know by name"


@dataclass(frozen=True)
class Subject:
    """Somebody asked about; `asks`: it is who asks, and is spoken to as "you". `sure`: how surely they are meant, by
    the memories `because`.
    """

    person: Person
    asks: bool = False
    sure: float = 1.0
    because: tuple[Evidence, ...] = ()

    @property
    def name(self) -> str:
        return "you" if self.asks else self.person.describe()

    @property
    def was(self) -> str:
        return f"{self.name} were" if self.asks else f"{self.name} was"


def subjects(state: State, described: bool = True) -> list[Subject] | Step | Answer:
    """Everyone the question asks about, what has to be looked up for it, or why that is not clear. `described`: also
    whom it means by what they are or by what was told of them.
    """
    found = persons(state) if described else named(state)
    return met_of(found, state.people) if isinstance(found, list) else found


def then_meant(state: State, event: str) -> list[Subject] | Answer:
    """Everyone by whom the question tells a time: "when Anna left"."""
    within = {word.plain for word in words_in(event)}
    found: dict[int, Subject] = {}
    for mention in state.reading.mentions:
        if not (mention.in_time or {word.plain for word in words_in(mention.words)} <= within):
            continue
        there = known(state.people, mention.persons)
        if len(there) > 1:
            return which_one(mention.words, [met(person, state.people) for person in there], state.people)
        if not there:
            return abstain(f"I don't know {'who asks' if mention.how == ASKER else f'anybody called {mention.words}'}.")
        found.setdefault(there[0].id, Subject(there[0], mention.how == ASKER, met(there[0], state.people).sure))
    return list(found.values())


def strangers(state: State) -> list[str]:
    """Names in the question that nobody met goes by."""
    named = [one.words for one in state.reading.mentions if one.how == NAME and not one.persons and not one.in_time]
    return [*named, *state.reading.unknown_names]


def call(person: Person) -> str:
    """ "Anna", "someone who said 'Ben'", "somebody I don't know by name"."""
    return person.describe() if person.name else NAMELESS


def called(persons: Iterable[Person]) -> list[str]:
    """Several persons in words, those without a name counted at the end: "Anna", "Ben", "2 people I don't know …"."""
    every = list(persons)
    named, nameless = [call(one) for one in every if one.name], sum(not one.name for one in every)
    if nameless:
        named.append(NAMELESS if nameless == 1 else f"{nameless} people I don't know by name")
    return named


def were(names: Sequence[str], rest: str) -> str:
    """ "Anna was here", "Anna and Ben were here"."""
    plural = len(names) > 1 or names[0][:1].isdigit()
    return f"{joined(names)} {'were' if plural else 'was'} {rest}"


def known(people: People, ids: Iterable[int]) -> list[Person]:
    """The persons of some ids, in their order."""
    return [person for id in dict.fromkeys(ids) if (person := people.get(id))]


def sure_of(persons: Sequence[Person]) -> float:
    """How sure the names of some people are, all in all."""
    return sum(one.sure for one in persons) / len(persons) if persons else 1.0


def of_persons(persons: Sequence[Person]) -> Grounds:
    """How sure an answer is that names these people: one without a name may be whoever was asked for."""
    sure = sure_of(persons)
    return Grounds(named=sure, supported=sure, rivals=float(any(not one.name for one in persons)))


def all_nameless(persons: Sequence[Person]) -> bool:
    """Whether none of some people is known by name: to have seen them does not tell who they were."""
    return not any(one.name for one in persons)


def met_of(found: Whom, people: People) -> list[Subject] | Answer:
    """Those found, as people met; an answer where one of them was never met."""
    some = []
    for one in found:
        person = people.get(one.person) if one.person is not None else None
        if person is None:
            return abstain(_unmet(one.called))
        some.append(Subject(person, one.asker, one.sure, one.because))
    return some


def _unmet(called: str) -> str:
    described = called.startswith(("the ", "your ")) or "'s " in called
    return f"I don't know {called} by sight or voice." if described else f"I don't know anybody called {called}."
