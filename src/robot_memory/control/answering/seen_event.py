"""Times that hang on what was seen or said: "when Anna spoke of the boat", "after Ben left", found before the rest.

A talk is found by its words, a coming and going by the visits. What hangs on anything else is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import seen_people, spoken_topic
from robot_memory.control.answering.seen_answers import unknown
from robot_memory.control.answering.seen_people import Subject
from robot_memory.control.answering.seen_places import own_place
from robot_memory.control.answering.seen_vocabulary import COMES, GOES, STAYS, TALKS
from robot_memory.control.answering.visits import Stretch, joined, visits
from robot_memory.control.clock import CALENDAR_NS, Zone
from robot_memory.control.steps import Search, State, Step
from robot_memory.control.understanding.words import words_in
from robot_memory.streams.media import SECOND

DAY_NS = 86_400 * SECOND
# "where was I when you last saw me" asks for the last time, not for what was so then
ROBOT_SAW = re.compile(r"(?:you|the robot)(?:'ve| have)? (?:first |last )?(?:saw|seen|met|noticed)\b", re.I)
DURING = frozenset(("when", "while", "during"))


@dataclass(frozen=True)
class Event:
    """`talk`: of what somebody spoke; None: somebody came (`starts`), left (`ends`) or was here (both)."""

    relation: str
    who: tuple[Subject, ...]
    talk: tuple[str, ...] | None = None
    starts: bool = True
    ends: bool = True


@dataclass(frozen=True)
class Then:
    """When it was that the question speaks of; `but`: whose doing the time is told by; `lines`: what was said then."""

    stretches: list[Stretch]
    but: tuple[Subject, ...] = ()
    lines: tuple[Evidence, ...] = ()


def then(state: State) -> Then | Step | Answer | None:
    """The time that hangs on an event; None where the question tells none."""
    event = event_of(state)
    if not isinstance(event, Event):
        return event
    look = Search(
        "what the time hangs on",
        tuple(one.person for one in event.who) or None,
        ("seen",) if event.talk is None else ("heard",),
        " ".join(event.talk or ()),
        any_time=unbounded(state),
    )
    hits = state.hits(look)
    if hits is None:
        return look
    return _of_talk(event, hits, state) if event.talk is not None else _of_visits(event, hits, state)


def event_of(state: State) -> Event | Step | Answer | None:
    """The event that a question's time hangs on, as far as its words are understood."""
    anchor = state.reading.span.anchor
    if anchor is None or own_place(state):
        return _talk_asked(state)
    relation, event = anchor
    who = seen_people.then_meant(state, event)
    if isinstance(who, Answer):
        return who
    plain = {word.plain for word in words_in(event)}
    if ROBOT_SAW.match(event):
        return _talk_asked(state)
    if plain & TALKS:
        topic = spoken_topic.topic_words(without(event, [one.person.name for one in who]))
        return Event(relation, tuple(who), tuple(topic)) if topic or who else _unclear(event)
    if who and plain & (COMES | GOES | STAYS):
        return Event(relation, tuple(who), None, not plain & GOES, not plain & COMES)
    return _unclear(event)


def without(text: str, names: Iterable[str]) -> str:
    """A text without the words of some names."""
    away = {word.plain for name in names for word in words_in(name)}
    return " ".join(word.text for word in words_in(text) if word.plain not in away)


def unbounded(state: State) -> bool:
    """Whether the question, as it is read now, names no time by itself."""
    return state.reading.span.start_ns is None and state.reading.span.end_ns is None


def _talk_asked(state: State) -> Event | Step | Answer | None:
    """ "In whose presence did Anna bring up olives?": the wish holds what was spoken of."""
    if not state.wish.value:
        return None
    who = seen_people.subjects(state)
    return Event("while", tuple(who), spoken_topic.topic_words(state.wish.value)) if isinstance(who, list) else who


def _of_talk(event: Event, hits: list[Evidence], state: State) -> Then | Answer:
    tokens = {one.person.token for one in event.who}
    lines = [one for one in hits if not tokens or one.speaker in tokens]
    lines = spoken_topic.about(lines, event.talk or ())
    if not lines:
        who = event.who[0].name if event.who else "anybody"
        return unknown(f"I did not hear {who} say anything about that")
    return _then(event, [(one.start_ns, one.end_ns) for one in lines], state, tuple(lines))


def _of_visits(event: Event, hits: list[Evidence], state: State) -> Then | Answer:
    ids = {one.person.id for one in event.who}
    own = [visit for visit in visits(hits) if visit.person in ids]
    if not own:
        return unknown(f"I did not see {event.who[0].name}")
    moments = [
        (visit.start_ns if event.starts else visit.end_ns, visit.end_ns if event.ends else visit.start_ns)
        for visit in own
    ]
    return _then(event, moments, state)


def _then(event: Event, moments: list[Stretch], state: State, lines: tuple[Evidence, ...] = ()) -> Then | Answer:
    """The time as it is related to the event: before and after it, that is on its day."""
    moments = sorted(moments)
    if event.relation in DURING:
        return Then(joined(moments, 0), event.who, lines)
    if event.relation in ("before", "until"):
        first = moments[-1][0] if event.talk is None and unbounded(state) else moments[0][0]
        return Then([(_midnight(first, state.zone), first)], event.who, lines)
    if event.relation in ("after", "since"):
        last = moments[-1][1]
        return Then([(last, _midnight(last, state.zone) + DAY_NS)], event.who, lines)
    return _unclear(state.reading.span.words)


def _midnight(stamp_ns: int, zone: Zone) -> int:
    """When the day of a moment began."""
    if stamp_ns < CALENDAR_NS:
        return 0
    then = zone.at(stamp_ns)
    return int(datetime.combine(then.date(), time(), then.tzinfo).timestamp()) * SECOND


def _unclear(words: str) -> Answer:
    return unknown(f"I can't tell when that was: {words}", "Ask with a day or a time of day.")
