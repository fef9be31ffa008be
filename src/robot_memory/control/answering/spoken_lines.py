"""Lines of talk in answers: quoted, told by who said them, when and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_people import Subject, all_nameless, called, known, of_persons
from robot_memory.control.answering.seen_places import somewhere
from robot_memory.control.answering.visits import rooms_of
from robot_memory.control.steps import State
from robot_memory.memory.people.people import Person

QUOTED = 2  # lines quoted at most; the rest are counted
LONGEST = 24  # words of a quotation
MOST = 3  # moments told one by one


@dataclass(frozen=True)
class Talk:
    """What was said on it, in order of time. `speakers`: whom it is asked of; `topic`: whether one is named."""

    lines: tuple[Evidence, ...]
    speakers: tuple[Subject, ...] = ()
    when: str = ""
    topic: bool = False

    @property
    def speaker(self) -> str:
        return self.speakers[0].name if self.speakers else "anybody"


def what(talk: Talk, state: State) -> Answer:
    """The words themselves: the first or last where that is asked, else the latest few, the newest first, since people
    change their minds.
    """
    lines = _ordered(talk.lines, state)
    if not lines:
        return _nothing(talk, state)
    shown = lines[:QUOTED] if state.reading.order == "first" else lines[: -QUOTED - 1 : -1]
    who = _named(shown, talk, state)
    quotes = " and before that ".join(f"“{_short(one.quote)}” ({_at(one, state)})" for one in shown)
    rest = len(lines) - len(shown)
    more = f", and {rest} more time{'s' if rest > 1 else ''} earlier" if rest else ""
    return answered(f"{who} said {quotes}{more}", lines, state, _grounds(talk, lines))


def who(talk: Talk, state: State) -> Answer:
    """Everyone who spoke of it, with the moment."""
    lines = _ordered(talk.lines, state)
    if not lines:
        return _nothing(talk, state)
    if all_nameless(speakers := _speakers(lines, state)):
        return unknown(f"Somebody whom I don't know by name did, {_at(lines[-1], state)}")
    lines = [one for one in lines if one.speaker]
    text = f"{times.joined(called(speakers))} did, {_moments(lines, state)}"
    return answered(text, lines, state, replace(of_persons(speakers), heard=_heard(lines)))


def when(talk: Talk, state: State) -> Answer:
    """The moments at which it was said."""
    lines = _ordered(talk.lines, state)
    if not lines:
        return _nothing(talk, state)
    name = talk.speaker if talk.speakers else times.joined(called(_speakers(lines, state))) or "somebody"
    about = " of it" if talk.topic else ""
    return answered(f"{name} spoke{about} {_moments(lines, state)}", lines, state, _grounds(talk, lines))


def where(talk: Talk, state: State) -> Answer:
    """The rooms in which it was said."""
    lines = _ordered(talk.lines, state)
    if not lines:
        return _nothing(talk, state)
    name = talk.speaker if talk.speakers else times.joined(called(_speakers(lines, state))) or "somebody"
    moments = _moments(lines, state)
    if not (rooms := rooms_of(lines, state.rooms)):
        return unknown(f"{name} spoke of it {moments}, but I don't know what that place is called")
    return answered(f"{name} spoke of it {somewhere(rooms)}, {moments}", lines, state, _grounds(talk, lines))


def _nothing(talk: Talk, state: State) -> Answer:
    about = " about that" if talk.topic else ""
    return unknown(f"I did not hear {talk.speaker} say anything{about}{talk.when}")


def _ordered(lines: Sequence[Evidence], state: State) -> list[Evidence]:
    """In order of time, each line once; one alone where the first or the last is asked for."""
    every = sorted({one.memory: one for one in lines}.values(), key=lambda one: one.start_ns)
    if every and state.reading.order:
        return every[:1] if state.reading.order == "first" else every[-1:]
    return every


def _speakers(lines: Sequence[Evidence], state: State) -> list[Person]:
    """Whose voices these are, in order of first speaking; voices that nobody is known by are left out."""
    by_token = {person.token: person for person in known(state.people, (p for one in lines for p in one.people))}
    return [by_token[token] for token in dict.fromkeys(one.speaker for one in lines) if token in by_token]


def _named(lines: Sequence[Evidence], talk: Talk, state: State) -> str:
    if talk.speakers:
        return talk.speaker
    return times.joined(called(_speakers(lines, state))) or "somebody"


def _moments(lines: Sequence[Evidence], state: State) -> str:
    """The moments, the last alone where there are many."""
    now_ns, zone = state.question.now_ns, state.zone
    if len(lines) == 1:
        return times.at(lines[0].start_ns, now_ns, zone)
    if len(lines) <= MOST:
        return times.moments([one.start_ns for one in lines], now_ns, zone)
    return f"{len(lines)} times, the last time {times.at(lines[-1].start_ns, now_ns, zone)}"


def _at(one: Evidence, state: State) -> str:
    return times.at(one.start_ns, state.question.now_ns, state.zone)


def _short(quote: str) -> str:
    """The words as they were said, cut where they go on for long."""
    words = quote.split()
    return quote if len(words) <= LONGEST else f"{' '.join(words[:LONGEST])} …"


def _heard(lines: Sequence[Evidence]) -> float:
    """How well some lines were heard."""
    return sum(one.confidence for one in lines) / len(lines)


def _grounds(talk: Talk, lines: Sequence[Evidence]) -> Grounds:
    return Grounds(named=talk.speakers[0].sure if talk.speakers else 1.0, heard=_heard(lines))
