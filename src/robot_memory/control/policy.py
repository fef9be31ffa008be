"""What to do next with a question: search again, or answer. Rules here; a language model is another policy.

A policy sees what the question wants and everything found so far and yields one step at a time, so that each step can
be shown, cancelled and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from robot_memory.control.answer import Answer, Outcome
from robot_memory.control.answering import open as opened
from robot_memory.control.answering import seen, seen_described, spoken, told, told_described, usual, working
from robot_memory.control.answering.open_asked import asks_when_it_was
from robot_memory.control.steps import State, Step
from robot_memory.control.wishes.wish import Kind

Page = Callable[[State], Step | Answer]


class Policy(Protocol):
    def next(self, state: State) -> Step | Answer: ...


class ReflexPolicy:
    """Answers at once, without a language model: each kind of wish has its page, which looks for what it needs, checks
    it and puts it into words, or says that it does not know.
    """

    def next(self, state: State) -> Step | Answer:
        known = state
        for resolved in (seen_described.resolved, told_described.resolved):
            found = resolved(known)
            if not isinstance(found, State):
                return found
            known = found
        if usual.is_asked(known):
            return _either(known, usual.next, self._answered)
        return self._answered(known)

    def _answered(self, known: State) -> Step | Answer:
        page = PAGES[known.wish.kind]
        if known.wish.kind is Kind.WHEN_DUE and asks_when_it_was(known.reading):
            return _either(known, opened.next, page)  # what happened is told in a line, and claimed by nobody
        if known.force or known.wish.kind is Kind.WHEN_DUE:
            return _either(known, page, opened.next)
        return page(known)


def _either(state: State, page: Page, other: Page) -> Step | Answer:
    """What one page says, or where that does not know, the other; where neither does, what the first says of it."""
    said = page(state)
    if not isinstance(said, Answer) or said.outcome is not Outcome.ABSTAINED:
        return said
    second = other(state)
    silent = isinstance(second, Answer) and second.outcome is Outcome.ABSTAINED
    return said if silent and said.text else second


SEEN = (
    *(Kind.WHO_WAS_HERE, Kind.COMPANY, Kind.WHERE_SEEN, Kind.WHEN_SEEN, Kind.WAS_HERE),
    *(Kind.HOW_OFTEN_SEEN, Kind.HOW_LONG_SEEN, Kind.HOW_MANY_PEOPLE),
)
SPOKEN = (Kind.WHAT_SAID, Kind.WHO_SAID, Kind.WHEN_SAID, Kind.WHERE_SAID, Kind.TALKED_TO)
TOLD = (Kind.VALUE, Kind.WHEN_DUE, Kind.IS_SO, Kind.WHO_HAS, Kind.BEFORE)
PAGES: Mapping[Kind, Page] = {
    **dict.fromkeys(SEEN, seen.next),
    **dict.fromkeys(SPOKEN, spoken.next),
    **dict.fromkeys(TOLD, told.next),
    Kind.WORKING: working.next,
    Kind.OTHER: opened.next,
}
