"""What was to be seen and heard in the time and the place that a question speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering.seen_event import Then, unbounded
from robot_memory.control.answering.seen_people import Subject
from robot_memory.control.answering.seen_places import own_place, room_asked, somewhere
from robot_memory.control.answering.visits import in_room, touches
from robot_memory.control.steps import Search, State


@dataclass(frozen=True)
class View:
    """`seen` and `heard` in that time and place, `fresh` what is seen just now and nobody is recognised in. `time`:
    " yesterday", as the question has it; `room`: its name. `recorded`: whether anything was taken down then and there.
    `but`: those by whom the time is told, `then`: whether it hangs on an event.
    """

    seen: tuple[Evidence, ...]
    heard: tuple[Evidence, ...]
    fresh: tuple[Evidence, ...] = ()
    time: str = ""
    room: str = ""
    recorded: bool = True
    but: tuple[Subject, ...] = ()
    then: bool = False

    @property
    def place(self) -> str:
        """ " in the kitchen"."""
        return f" {somewhere([self.room])}" if self.room else ""

    @property
    def when(self) -> str:
        """ " in the kitchen yesterday"."""
        return self.place + self.time


def look_for(state: State, some: Sequence[Subject] | None) -> Search:
    """The search for all that was seen and heard of some people, or of everyone."""
    people = None if some is None else tuple(one.person for one in some)
    whom = "anybody" if people is None else ", ".join(person.describe() for person in people)
    return Search(f"{whom} seen or heard", people, ("seen", "heard"), any_time=unbounded(state))


def view_of(hits: Sequence[Evidence], state: State, then: Then | None) -> View | Answer:
    """What was found of it. An answer where the place is not known."""
    if isinstance(room := room_asked(state), Answer):
        return room
    some = [one for one in hits if then is None or touches(one, then.stretches)]
    some = in_room(some, state.rooms, room) if room else some
    return View(
        seen=tuple(one for one in some if one.source == "seen" and not one.provisional),
        heard=tuple(one for one in some if one.source == "heard" and one.quote),
        fresh=tuple(one for one in some if one.source == "seen" and one.provisional),
        time=_time(state),
        room=room,
        recorded=bool(some),
        but=() if then is None else then.but,
        then=then is not None,
    )


def _time(state: State) -> str:
    """The time as the question has it; "then" where it hangs on an event told in words of its own."""
    span = state.reading.span
    if span.anchor:
        return "" if own_place(state) else " then"
    return f" {span.words}" if span.words else ""
