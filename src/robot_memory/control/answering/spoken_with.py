"""Whom somebody talked to: who else spoke within a minute of their words, those in view before those only heard."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_event import unbounded
from robot_memory.control.answering.seen_people import Subject, called, known
from robot_memory.control.answering.seen_places import room_asked, somewhere
from robot_memory.control.answering.visits import in_room, joined, touches
from robot_memory.control.steps import Search, State, Step
from robot_memory.streams.media import SECOND

REPLY_NS = 60 * SECOND  # who speaks within this time takes part in the talk
UNSEEN = 0.6  # how well a voice alone shows that it took part


def next(speakers: Sequence[Subject], state: State) -> Step | Answer:
    """Who took part in the talks of somebody; whether two talked where both are named."""
    if not speakers:
        return unknown("I don't know whom you mean", "Ask again with a name.")
    look = Search("who spoke and was in view", None, ("seen", "heard"), any_time=unbounded(state))
    if (hits := state.hits(look)) is None:
        return look
    if isinstance(room := room_asked(state), Answer):
        return room
    found = [one for one in hits if not one.provisional]
    when = f" {somewhere([room])}" if room else ""
    when += f" {state.reading.span.words}" if state.reading.span.words else ""
    return _partners(in_room(found, state.rooms, room) if room else found, speakers[0], when, state)


def _partners(found: Sequence[Evidence], who: Subject, when: str, state: State) -> Answer:
    lines = [one for one in found if one.quote]
    own = [one for one in lines if one.speaker == who.person.token]
    if not own:
        return unknown(f"I did not hear {who.name} say anything{when}")
    talk = joined(((one.start_ns - REPLY_NS, one.end_ns + REPLY_NS) for one in own), 0)
    replies = [one for one in lines if one.speaker not in ("", who.person.token) and touches(one, talk)]
    others = known(state.people, (person for one in replies for person in one.people))
    if not others:
        return unknown(f"I heard nobody talk with {who.name}{when}")
    seen = {person for one in found if one.source == "seen" and touches(one, talk) for person in one.people}
    text = f"{who.name} talked with {times.joined(called(others))}{when}"
    if state.reading.asks == "yes/no" and (asked := set(state.reading.persons) - {who.person.id}):
        text = f"{'Yes' if asked <= {one.id for one in others} else 'No'}, {text}"
    named = min(who.sure, sum(one.sure for one in others) / len(others))
    whole = all(one.id in seen for one in others)
    grounds = Grounds(named=named, supported=1.0 if whole else UNSEEN)
    return answered(text, replies, state, grounds)
