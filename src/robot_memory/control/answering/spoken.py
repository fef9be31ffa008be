"""Questions about what was said: what, by whom, when, where and to whom. Quotes are the speaker's own words.

Only what was heard in the room counts; questions put to the robot are no evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import spoken_lines, spoken_topic, spoken_with
from robot_memory.control.answering.seen_answers import unknown
from robot_memory.control.answering.seen_event import unbounded, without
from robot_memory.control.answering.seen_people import Subject, met_of, then_meant
from robot_memory.control.answering.seen_places import own_place, place_phrases, room_asked, somewhere
from robot_memory.control.answering.seen_vocabulary import TALKS
from robot_memory.control.answering.spoken_lines import Talk
from robot_memory.control.answering.visits import in_room
from robot_memory.control.steps import Search, State, Step
from robot_memory.control.understanding.reading import ASKER
from robot_memory.control.understanding.words import words_in
from robot_memory.control.whom.persons import persons
from robot_memory.control.wishes.wish import Kind

PAGES: Mapping[Kind, Callable[[Talk, State], Answer]] = {
    Kind.WHAT_SAID: spoken_lines.what,
    Kind.WHO_SAID: spoken_lines.who,
    Kind.WHEN_SAID: spoken_lines.when,
    Kind.WHERE_SAID: spoken_lines.where,
}


@dataclass(frozen=True)
class Asked:
    """Who is to have spoken, and of what: its stems, and the words to look for."""

    speakers: tuple[Subject, ...]
    topic: tuple[str, ...]
    words: str


def next(state: State) -> Step | Answer:
    """What to look for, or the answer."""
    if state.reading.span.future:
        return unknown("Nobody has said that yet")
    asked = asked_of(state)
    if not isinstance(asked, Asked):
        return asked
    if state.wish.kind is Kind.TALKED_TO:
        return spoken_with.next(asked.speakers, state)
    if not asked.speakers and not asked.topic:
        return unknown("I don't know which words you mean", "Ask again with a name or a topic.")
    people = tuple(one.person for one in asked.speakers) or None
    look = Search(_shown(asked), people, ("heard",), asked.words, any_time=unbounded(state))
    if (hits := state.hits(look)) is None:
        return look
    if isinstance(room := room_asked(state), Answer):
        return room
    own = _own([one for one in hits if one.quote and not one.provisional], asked.speakers)
    own = in_room(own, state.rooms, room) if room else own
    lines = spoken_topic.about(own, asked.topic)
    talk = Talk(tuple(lines), asked.speakers, _when(state, room), bool(asked.topic))
    return PAGES[state.wish.kind](talk, state)


def asked_of(state: State) -> Asked | Step | Answer:
    """Who is asked about and which topic, from the question or from a talk that its time hangs on."""
    anchor = None if own_place(state) else state.reading.span.anchor
    if anchor and not state.wish.value and not {word.plain for word in words_in(anchor[1])} & TALKS:
        return unknown(f"I can't tell when that was: {anchor[1]}", "Ask with a day or a time of day.")
    some = then_meant(state, anchor[1]) if anchor else _speakers(state)
    if not isinstance(some, list):
        return some
    words = anchor[1] if anchor and not state.wish.value else _topic(state, some)
    words = without(words, [*(one.person.name for one in some), *place_phrases(state)])
    return Asked(tuple(some), spoken_topic.topic_words(words), words)


def _speakers(state: State) -> list[Subject] | Step | Answer:
    """Who is to have spoken: of several it is who stands before the verb, else the first. Whose name is part of the
    topic was spoken of.
    """
    if state.wish.kind is Kind.WHO_SAID:
        return []
    found = persons(state)
    if not isinstance(found, list):
        return found
    value = {word.plain for word in words_in(state.wish.value)}
    own = [one for one in found if not {word.plain for word in words_in(one.called)} <= value]
    speaking = {id for mention in state.reading.mentions if mention.speaks for id in mention.persons}
    first = [one for one in own if one.person in speaking][:1] or own[:1]
    return met_of(first, state.people)


def _topic(state: State, speakers: Sequence[Subject]) -> str:
    """What was spoken of, with the names of others that the question mentions."""
    if state.wish.value:
        return state.wish.value
    but = {one.person.id for one in speakers}
    others = [one.words for one in state.reading.mentions if one.how != ASKER and not but & set(one.persons)]
    unheard = [name for name in state.reading.unknown_names if name not in others]
    return " ".join((state.reading.topic, *others, *unheard))


def _own(lines: Sequence[Evidence], speakers: Sequence[Subject]) -> list[Evidence]:
    tokens = {one.person.token for one in speakers}
    return [one for one in lines if not tokens or one.speaker in tokens]


def _when(state: State, room: str) -> str:
    span = state.reading.span
    place = f" {somewhere([room])}" if room else ""
    return place + ("" if span.anchor or not span.words else f" {span.words}")


def _shown(asked: Asked) -> str:
    who = asked.speakers[0].person.describe() if asked.speakers else "anybody"
    return f"{who} said {asked.words}".strip()
