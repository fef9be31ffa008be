"""What to do next with a question: search again, or answer. A rule policy now; a language model is another.

A policy sees the question's intent and everything found so far and yields one step at a time, so that each step can be
shown, cancelled and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from robot_memory.control import phrasing
from robot_memory.control.answer import Answer, Evidence, Outcome, Question, abstain
from robot_memory.control.clock import Zone
from robot_memory.control.intent import Intent, Kind
from robot_memory.control.understanding.reading import NAME, Reading
from robot_memory.control.verification.asked import Verdict
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.tokens import split


@dataclass(frozen=True)
class Search:
    """Look for memories: about `people` (None: anyone), from `sources` (seen, heard), matching `text`."""

    query: str
    people: tuple[Person, ...] | None
    sources: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True)
class Recall:
    """Look for whatever bears on the question as it was read, whoever it is about, and judge whether it is enough."""

    query: str


@dataclass(frozen=True)
class State:
    """All that a policy may look at. `found` has one entry for each search made; `verdict`: how far what the last
    Recall found supports an answer.
    """

    question: Question
    intent: Intent
    reading: Reading
    people: People
    zone: Zone
    found: Sequence[tuple[Search | Recall, list[Evidence]]]
    verdict: Verdict | None = None


class Policy(Protocol):
    def next(self, state: State) -> Search | Recall | Answer: ...


class RulePolicy:
    """Searches what the kind of question needs, then answers from what was found or says that it does not know."""

    def next(self, state: State) -> Search | Recall | Answer:
        intent = state.intent
        if intent.kind is Kind.OTHER:
            return self._other(state)
        if intent.kind is Kind.WHO:
            return self._who(state)
        persons = find_people(intent.who, state)
        if not persons:
            return abstain(f"I don't know anybody called {intent.who}.")
        if len(persons) > 1:
            return which_one(intent.who, [person.id for person in persons], state)
        return self._when(state, persons[0]) if intent.kind is Kind.WHEN else self._said(state, persons[0])

    def _other(self, state: State) -> Recall | Answer:
        """Questions of any other kind are looked into, and what bears on them is told, but they are not answered."""
        if state.reading.ambiguous:
            mention = state.reading.ambiguous[0]
            return which_one(mention.words, mention.persons, state)
        if not state.found:
            return Recall(state.reading.topic)
        assert state.verdict is not None
        if stranger := next(iter(strangers(state.reading)), ""):
            return replace(abstain(f"I don't know anybody called {stranger}."), confidence=state.verdict.supported)
        return phrasing.nearest(state.found[0][1], state.verdict, state.question, state.zone)

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


def strangers(reading: Reading) -> list[str]:
    """Names in the question that nobody known goes by."""
    named = [mention.words for mention in reading.mentions if mention.how == NAME and not mention.persons]
    return [*named, *reading.unknown_names]


def which_one(words: str, persons: Sequence[int], state: State) -> Answer:
    """The question asked back where a name means several people."""
    known = [person for id in persons if (person := state.people.get(id))]
    names = tuple(person.token for person in known)
    return Answer(
        f"I know {len(known)} people called {words}.",
        Outcome.AMBIGUOUS,
        f"Ask again with one of: {', '.join(names)}.",
        candidates=names,
    )


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
