"""Questions that need eyes: who was here, with whom, where, when, how often and for how long.

A pure function of what was asked and found. What was only heard is told apart, and nothing is said of a time in which
nothing was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from robot_memory.control.answer import Answer
from robot_memory.control.answering import seen_company, seen_event, seen_people, seen_when, seen_who, working
from robot_memory.control.answering.seen_answers import unknown
from robot_memory.control.answering.seen_people import Subject
from robot_memory.control.answering.seen_view import View, look_for, view_of
from robot_memory.control.steps import State, Step
from robot_memory.control.wishes.wish import Kind

Page = Callable[[View, list[Subject], State], Answer]

OF_ANYBODY: Mapping[Kind, Page] = {  # these look at everyone in view
    Kind.WHO_WAS_HERE: seen_who.who_was_here,
    Kind.HOW_MANY_PEOPLE: seen_who.how_many,
    Kind.COMPANY: seen_company.company,
    Kind.WAS_HERE: seen_when.was_here,
}
OF_SOMEBODY: Mapping[Kind, Page] = {  # these at somebody only
    Kind.WHERE_SEEN: seen_when.where,
    Kind.WHEN_SEEN: seen_when.when,
    Kind.HOW_OFTEN_SEEN: seen_when.how_often,
    Kind.HOW_LONG_SEEN: seen_when.how_long,
}
PAGES: Mapping[Kind, Page] = {**OF_ANYBODY, **OF_SOMEBODY}
# "Who was here with me?" is about the asker, "give me all who were here" is not.
WITH_ME = re.compile(
    r"\b(?:with|beside|alongside|than|besides|except|but|from) (?:me|us|myself)\b|\bi was\b", re.IGNORECASE
)
ELSE = re.compile(r"\belse\b", re.I)  # besides somebody
NEED_SOMEBODY = frozenset((*OF_SOMEBODY, Kind.COMPANY, Kind.WAS_HERE))


def next(state: State) -> Step | Answer:
    """What to look for, or the answer."""
    span, kind = state.reading.span, state.wish.kind
    if span.future:
        return unknown("That has not come yet", "I can tell what I have seen.")
    if span.routine:
        return unknown(f"I can't tell yet what is so {span.words}", "Ask with one day or one time.")
    if kind is Kind.WHO_WAS_HERE and working.is_of_now(state):
        return working.next(state)
    then = seen_event.then(state)
    if then is not None and not isinstance(then, seen_event.Then):
        return then
    some = _subjects(state, then)
    if not isinstance(some, list):
        return some
    if not some and then is None and _needs_somebody(state):
        return unknown("I don't know whom you mean", "Ask again with a name.")
    look = look_for(state, some if kind in OF_SOMEBODY else None)
    if (hits := state.hits(look)) is None:
        return look
    view = view_of(hits, state, then)
    return view if isinstance(view, Answer) else PAGES[_kind(kind, view, some)](view, some, state)


def _needs_somebody(state: State) -> bool:
    """Whether it cannot be told without knowing who is meant: "who else was here?"; a name nobody has may be denied."""
    if state.wish.kind is Kind.WAS_HERE and seen_people.strangers(state):
        return False
    besides = state.wish.kind is Kind.WHO_WAS_HERE and ELSE.search(state.reading.words) is not None
    return besides or state.wish.kind in NEED_SOMEBODY


def _kind(kind: Kind, view: View, some: list[Subject]) -> Kind:
    """To be here when somebody spoke is company as well; "who was here with Anna" asks for it by another name."""
    if kind is Kind.COMPANY and view.then:
        return Kind.WHO_WAS_HERE
    return Kind.COMPANY if kind is Kind.WHO_WAS_HERE and some and not view.then else kind


def _subjects(state: State, then: seen_event.Then | None) -> list[Subject] | Step | Answer:
    """Whom it is about. "Who else was here when Anna left?" is about Anna, who told the time."""
    if then is not None and then.but:
        return list(then.but)
    if state.wish.kind is Kind.WAS_HERE and seen_people.strangers(state):
        return []
    if state.wish.kind in NEED_SOMEBODY:
        return seen_people.subjects(state)
    some = seen_people.subjects(state, described=False)
    if not isinstance(some, list):
        some = []
    return [one for one in some if not one.asks or WITH_ME.search(state.reading.words)]
