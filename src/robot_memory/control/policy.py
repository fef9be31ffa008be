"""What to do next with a question: search again, or answer. A rule policy now; a language model is another.

A policy sees the question's intent and everything found so far and yields one step at a time, so that each step can be
shown, cancelled and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from robot_memory.control import phrasing
from robot_memory.control.answer import Answer, Evidence, Outcome, Question, abstain
from robot_memory.control.clock import Zone
from robot_memory.control.intent import Intent, Kind
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.tokens import split

HELP = "I can tell who was here, when I saw someone, and what someone said."


@dataclass(frozen=True)
class Search:
    """Look for memories: about `people` (None: anyone), from `sources` (seen, heard), matching `text`."""

    query: str
    people: tuple[Person, ...] | None
    sources: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True)
class State:
    """All that a policy may look at. `found` has one entry for each search made."""

    question: Question
    intent: Intent
    people: People
    zone: Zone
    found: Sequence[tuple[Search, list[Evidence]]]


class Policy(Protocol):
    def next(self, state: State) -> Search | Answer: ...


class RulePolicy:
    """Searches what the kind of question needs, then answers from what was found or says that it does not know."""

    def next(self, state: State) -> Search | Answer:
        intent = state.intent
        if intent.kind is Kind.OTHER:
            return abstain("I don't know.", HELP)
        if intent.kind is Kind.WHO:
            return self._who(state)
        persons = find_people(intent.who, state)
        if not persons:
            return abstain(f"I don't know anybody called {intent.who}.")
        if len(persons) > 1:
            names = tuple(person.token for person in persons)
            return Answer(
                f"I know {len(persons)} people called {intent.who}.",
                Outcome.AMBIGUOUS,
                f"Ask again with one of: {', '.join(names)}.",
                candidates=names,
            )
        return self._when(state, persons[0]) if intent.kind is Kind.WHEN else self._said(state, persons[0])

    def _who(self, state: State) -> Search | Answer:
        if len(state.found) == 0:
            return Search("who was seen", None, ("seen",))
        if len(state.found) == 1:
            return Search("who was heard", None, ("heard",))
        return phrasing.who_was_here(
            state.found[0][1], state.found[1][1], state.people, state.question, state.intent, state.zone
        )

    def _when(self, state: State, person: Person) -> Search | Answer:
        if not state.found:
            return Search(f"{person.describe()} seen", (person,), ("seen",))
        return phrasing.when_seen(state.found[0][1], person, state.question, state.intent, state.zone)

    def _said(self, state: State, person: Person) -> Search | Answer:
        if not state.found:
            return Search(
                f"{person.describe()} said {state.intent.topic}".strip(), (person,), ("heard",), state.intent.topic
            )
        return phrasing.what_was_said(state.found[0][1], person, state.question, state.intent, state.zone)


def find_people(who: str, state: State) -> list[Person]:
    """Whom a name or an id (person_2, face_3, "person 2") means, as known now."""
    token = who.strip().lower().replace(" ", "_")
    try:
        kind, number = split(token)
    except ValueError:
        return state.people.called(who)
    if kind == "person":
        found = state.people.get(number)
    else:
        found = next((p for p in state.people.all() if number in (p.faces if kind == "face" else p.voices)), None)
    return [found] if found else []
