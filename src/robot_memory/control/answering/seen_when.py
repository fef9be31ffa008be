"""Somebody's visits: when, where, how often, how long, and whether there were any."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered, unknown
from robot_memory.control.answering.seen_people import Subject, called, known, strangers, sure_of
from robot_memory.control.answering.seen_places import somewhere
from robot_memory.control.answering.seen_view import View
from robot_memory.control.answering.seen_who import nobody
from robot_memory.control.answering.visits import Visit, by_person, joined, rooms_of, visits
from robot_memory.control.steps import State
from robot_memory.memory.people.people import Person

MOST = 3  # visits told one by one
VOICE = 0.5  # how far a voice alone shows that somebody was here
LATER_NS = 120_000_000_000  # a voice heard so long after the last sight is told


def when(view: View, some: list[Subject], state: State) -> Answer:
    """All times, or the first or the last."""
    who, own = some[0], _own(view, some[0])
    if not own:
        return _unseen(view, who, state)
    if _order(state) == "last":
        text = f"I last saw {who.name}{view.place} {_at(own[-1].end_ns, state)}{_heard_later(view, own[-1], state)}"
        return _answered(text, own[-1].seen, who, state)
    if _order(state) == "first":
        return _answered(f"I first saw {who.name}{view.place} {_at(own[0].start_ns, state)}", own[0].seen, who, state)
    return _answered(f"I saw {who.name}{view.place} {_all(own, state)}", _seen(own), who, state)


def where(view: View, some: list[Subject], state: State) -> Answer:
    """The rooms, in their order; of the last sight alone where that is asked or no time is."""
    who, own = some[0], _own(view, some[0])
    if not own:
        return _unseen(view, who, state)
    last = _order(state) == "last" or not (view.when or _order(state))
    if last or _order(state) == "first":
        return _place(own[-1 if last else 0], last, who, view, state)
    seen = _seen(own)
    if not (rooms := rooms_of(seen, state.rooms)):
        return unknown(f"I saw {who.name} {_all(own, state)}, but don't know what that place is called")
    known_there = [one for one in seen if state.rooms.at(one.pose)]
    begun = times.moments([visit.start_ns for visit in own[:MOST]], state.question.now_ns, state.zone)
    return _answered(f"{who.was} {somewhere(rooms)}, {begun}", known_there, who, state)


def how_often(view: View, some: list[Subject], state: State) -> Answer:
    """The number of visits, with their times where there are few."""
    who, own = some[0], _own(view, some[0])
    if not own:
        return _unseen(view, who, state)
    starts, count = [visit.start_ns for visit in own], times.times(len(own))
    if len(own) <= MOST:
        told = f"{count}, {times.moments(starts, state.question.now_ns, state.zone)}"
    else:
        told = f"{count}{view.time}, the last time {_at(starts[-1], state)}"
    text = f"I saw {who.name}{view.place} {told}"
    return _answered(text, _seen(own), who, state)


def how_long(view: View, some: list[Subject], state: State) -> Answer:
    """For how long in all; short absences count as stay."""
    who, own = some[0], _own(view, some[0])
    if not own:
        return _unseen(view, who, state)
    length = times.lasting(sum(visit.length_ns for visit in own), state.reading.counts)
    if len(own) == 1:
        stay = times.between(own[0].start_ns, own[0].end_ns, state.question.now_ns, state.zone)
        return _answered(f"{who.was} {_here(view)} for {length}, {stay}", _seen(own), who, state)
    text = f"{who.was} {_here(view)} for {length} in all{view.time}, in {len(own)} visits"
    return _answered(text, _seen(own), who, state)


def was_here(view: View, some: list[Subject], state: State) -> Answer:
    """Yes with the time, or no: only where something was recorded in that time."""
    if not some:
        return _stranger(view, strangers(state)[0], state)
    there = [(who, _own(view, who)) for who in some]
    if missing := [who for who, own in there if not own]:
        return _missing(view, missing, state)
    seen = [one for _, own in there for one in _seen(own)]
    names = times.joined([who.name for who in some])
    be = "was" if len(some) == 1 and not some[0].asks else "were"
    told = f" {_all(there[0][1], state)}" if len(some) == 1 else view.time
    return _answered(f"Yes, {names} {be} {_here(view)}{told}", seen, some[0], state)


def _stranger(view: View, name: str, state: State) -> Answer:
    """Somebody of a name that nobody met goes by: not here, where everyone seen is surely somebody else."""
    seen = known(state.people, by_person(view.seen))
    if not seen or not all(person.sure for person in seen):
        return unknown(f"I don't know anybody called {name}")
    text = f"No, I did not see anybody called {name}{view.when}{_only(seen)}"
    return answered(text, view.seen, state, Grounds(supported=VOICE))


def _missing(view: View, missing: list[Subject], state: State) -> Answer:
    names = " or ".join(who.name for who in missing)
    heard = [one for one in view.heard if one.people and {who.person.id for who in missing} & set(one.people)]
    if heard:
        text = f"Yes, I heard {names} {_at(heard[0].start_ns, state)}, but did not see them"
        return answered(text, heard, state, Grounds(named=missing[0].sure, supported=VOICE))
    if not view.recorded or not (view.seen or view.heard):
        return nobody(view)
    seen = known(state.people, by_person(view.seen))
    if not all(who.person.faces for who in missing) and not all(person.sure for person in seen):
        return unknown(f"I don't know what {names} looks like")  # somebody seen may have been just that
    text = f"No, I did not see {names}{view.when}{_only(seen)}"
    grounds = Grounds(named=missing[0].sure, supported=sure_of(seen))
    return answered(text, view.seen or view.heard, state, grounds)


def _only(seen: Sequence[Person]) -> str:
    return f", only {times.joined(called(seen))}" if 0 < len(called(seen)) <= MOST else ""


def _unseen(view: View, who: Subject, state: State) -> Answer:
    """Somebody was not seen; when their voice was heard is told, though it is not what was asked."""
    heard = [one for one in view.heard if who.person.id in one.people]
    if not heard:
        return unknown(f"{_not_seen(who)}{view.when}" if who.person.faces else _not_seen(who))
    voices = joined((one.start_ns, one.end_ns) for one in heard)
    moments = [start for start, _ in (voices[-1:] if state.reading.order == "last" else voices[:MOST])]
    told = times.moments(moments, state.question.now_ns, state.zone)
    return unknown(f"{_not_seen(who)}, but heard {'you' if who.asks else 'them'} {told}")


def _order(state: State) -> str:
    """First or last; "recently" and "when you last saw me" are the last as well."""
    span = state.reading.span
    told = {"first", "last"} & set(span.anchor[1].split()) if span.anchor else set[str]()
    return state.reading.order or next(iter(told), "last" if span.vague else "")


def _place(visit: Visit, last: bool, who: Subject, view: View, state: State) -> Answer:
    """Where a visit ended or began."""
    seen = visit.seen[::-1] if last else visit.seen
    moment = _at(visit.end_ns if last else visit.start_ns, state)
    at, order = seen[0], "last" if last else "first"
    if not (room := state.rooms.at(at.pose)):
        return unknown(f"I {order} saw {who.name} {moment}, but don't know what that place is called")
    later = _heard_later(view, visit, state) if last else ""
    return _answered(f"I {order} saw {who.name} {somewhere([room])}, {moment}{later}", [at], who, state)


def _own(view: View, who: Subject) -> list[Visit]:
    return [visit for visit in visits(view.seen) if visit.person == who.person.id]


def _seen(own: Sequence[Visit]) -> list[Evidence]:
    return [one for visit in own for one in visit.seen]


def _answered(text: str, seen: Sequence[Evidence], who: Subject, state: State) -> Answer:
    return answered(text, seen, state, Grounds(named=who.sure))


def _all(own: Sequence[Visit], state: State) -> str:
    """One visit from its beginning to its end, a few by their beginnings, many as a number and the last."""
    now_ns, zone = state.question.now_ns, state.zone
    if len(own) == 1:
        return times.between(own[0].start_ns, own[0].end_ns, now_ns, zone)
    if len(own) <= MOST:
        return times.moments([visit.start_ns for visit in own], now_ns, zone)
    return f"{times.times(len(own))}, the last time {times.at(own[-1].start_ns, now_ns, zone)}"


def _at(stamp_ns: int, state: State) -> str:
    return times.at(stamp_ns, state.question.now_ns, state.zone)


def _heard_later(view: View, last: Visit, state: State) -> str:
    """That the voice was heard when the face was no longer seen."""
    after = [one for one in view.heard if last.person in one.people and one.start_ns > last.end_ns + LATER_NS]
    return f", and heard them {_at(after[-1].start_ns, state)}" if after else ""


def _here(view: View) -> str:
    return view.place.strip() or "here"


def _not_seen(who: Subject) -> str:
    """That somebody was not seen, or could not have been recognised."""
    if who.person.faces:
        return f"I did not see {who.name}"
    return f"I don't know what {who.name} look{'' if who.asks else 's'} like"
