"""Answers in the words of a line that, by its meaning, states what is asked, though no claim was read out of it: where
nothing is known otherwise, and where the line is newer than the claim that would be told.

A line answers what is so and when something is; to a yes-or-no question only with the very words asked for. It is
quoted, so that who asks can judge it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from robot_memory.control.answer import Answer, Evidence, Outcome
from robot_memory.control.answering import times
from robot_memory.control.answering.grounds import Grounds, resting
from robot_memory.control.answering.told_wording import speaker, whole
from robot_memory.control.facts.matching import contents
from robot_memory.control.facts.times import TIMED
from robot_memory.control.steps import Lines, State, Step
from robot_memory.control.verification.wording import stems
from robot_memory.control.whom.someone import Someone
from robot_memory.control.wishes.wish import Kind
from robot_memory.memorization.speech.dates import times_in
from robot_memory.memorization.speech.told import Line

STATED, REPLACES = 0.8, 0.9  # how likely a line must be to answer, and to stand against an older claim
LONGEST = 40  # words of a line
KINDS = (Kind.VALUE, Kind.WHEN_DUE, Kind.IS_SO)
ATTRIBUTES = ("job", "home", "age", "likes", "owns", "opinion", "name", "place", *TIMED)
CHANGING = ("job", "home", "age", "place")  # of these there is one: a newer line stands against a claim
PROMISING = re.compile(r"\bpromis|\bmy word\b|\bcount on me\b|\bleave (?:it|that) to me\b", re.IGNORECASE)
TOPICAL = ("opinion", *TIMED)  # of these where it is about the same


@dataclass(frozen=True)
class Quoted:
    """A line that states it, and how likely it does."""

    line: Evidence
    p: float

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Of two lines, the higher one is quoted: the newest."""
        return bool(self.line.speaker), self.line.start_ns, self.line.memory


def quoted(state: State, someone: Someone, claims: Sequence[Evidence], answer: Answer) -> Step | Answer:
    """The answer made of `claims`, or the line that is better than it; a step that has to be made first."""
    wish = state.wish
    if wish.kind not in KINDS or wish.attribute not in ATTRIBUTES or state.reading.validity == "earlier":
        return answer
    if answer.outcome not in (Outcome.ANSWERED, Outcome.ABSTAINED):
        return answer
    if answer.outcome is Outcome.ANSWERED and not answer.evidence:
        return answer  # what an operator said is in no line
    known = answer.evidence[0] if answer.outcome is Outcome.ANSWERED else None
    if known is not None and wish.attribute not in (*CHANGING, *TOPICAL):
        return answer
    step = _step(state, someone)
    found = state.hits(step)
    if found is None:
        return step
    lines = [one for one in _stated(found, state) if not _is_read(one.line, claims)]
    if known is not None:
        lines = [one for one in lines if _stands_against(one, known, state)]
    if not lines:
        return answer
    best = max(lines, key=lambda one: one.rank)
    return _answer(best, state, someone, known)


def _step(state: State, someone: Someone) -> Lines:
    wish = state.wish
    attribute = "dislikes" if wish.attribute == "likes" and wish.polarity < 0 else wish.attribute
    query = f"lines that state the {attribute} of {someone.called}"
    if someone.thing:
        return Lines(query, (), someone.subjects[-1:], attribute, thing=True)
    person = state.people.get(someone.person) if someone.person is not None else None
    names = [one for one in someone.subjects if not one.startswith("<")]
    return Lines(query, person.entities if person else (), tuple(dict.fromkeys(names)), attribute)


def _stated(found: Sequence[Evidence], state: State) -> list[Quoted]:
    """The lines that surely state it, of what the question names, and with a time where that is asked."""
    lines = [Quoted(one, dict(one.channels).get("states", 0.0)) for one in found]
    return [one for one in lines if one.p >= STATED and _short(one.line) and _fits(one.line, state)]


def _short(line: Evidence) -> bool:
    return 0 < len(line.quote.split()) <= LONGEST


def _fits(line: Evidence, state: State) -> bool:
    wish, said = state.wish, stems(line.quote)
    if not set(contents(wish.value)) <= said:
        return False
    if wish.kind is Kind.IS_SO and not contents(wish.value):
        return False
    if wish.attribute == "promise" and wish.kind is Kind.VALUE and not PROMISING.search(line.quote):
        return False  # "I'll leave you to it" is as like a promise as most promises are
    span = state.reading.span
    if span.end_ns is not None and span.end_ns <= state.question.now_ns:  # how it was then, no later line tells
        return span.start_ns is not None and span.start_ns <= line.start_ns < span.end_ns
    return wish.kind is not Kind.WHEN_DUE or _tells_a_time(line.quote)


def _tells_a_time(text: str) -> bool:
    return any(one.kind not in ("past", "part") for one in times_in(text, Line(text)))


def _is_read(line: Evidence, claims: Sequence[Evidence]) -> bool:
    """Whether a claim of the same was read out of the line."""
    return any(one.clip == line.clip and one.quote == line.quote for one in claims)


def _stands_against(one: Quoted, known: Evidence, state: State) -> bool:
    """Whether a line is newer than what is known, and of the same matter."""
    if one.p < REPLACES or one.line.start_ns <= known.start_ns or (known.speaker and not one.line.speaker):
        return False
    if state.wish.attribute in CHANGING:
        return True
    told = {word for fact in known.facts for word in contents(fact.value)}
    return len(told & stems(one.line.quote)) >= min(2, len(told)) > 0


def _answer(best: Quoted, state: State, someone: Someone, known: Evidence | None) -> Answer:
    """What was said, by whom and when."""
    line = best.line
    when = times.at(line.start_ns, state.question.now_ns, state.zone)
    text = whole(f"{speaker(line, state)} said {when}: “{line.quote}”")
    own = someone.thing or (someone.person is not None and line.speaker == f"person_{someone.person}")
    grounds = Grounds(
        named=someone.sure,
        asked=state.wish.sure,
        own=float(own),
        heard=line.confidence or 1.0,
        supported=best.p,
        rivals=0.0 if known is None else 0.5,
    )
    cited = tuple({one.memory: one for one in (line, *someone.because, *((known,) if known else ()))}.values())
    return resting(replace(Answer(text, Outcome.ANSWERED), evidence=cited), grounds)
