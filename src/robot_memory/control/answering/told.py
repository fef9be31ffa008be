"""Answers from what was told: what somebody does, likes, has or plans, where a thing is, whether and since when.

Each answer rests on claims that were made, of whom it is asked; where there are none, on a line that surely says it
(open.py), else it is said what nobody told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Outcome, abstain
from robot_memory.control.answering import open as opened
from robot_memory.control.answering import told_holders, told_kin, told_lines
from robot_memory.control.answering.told_due import due
from robot_memory.control.answering.told_so import is_so
from robot_memory.control.answering.told_values import before, value
from robot_memory.control.answering.told_wording import speaker, whole
from robot_memory.control.facts.claimed import Claimed, one_human, standing, standing_then
from robot_memory.control.facts.times import TIMED
from robot_memory.control.steps import Claims, State, Step
from robot_memory.control.whom.persons import Whom, asker, persons, talked_of
from robot_memory.control.whom.someone import Someone, thing
from robot_memory.control.wishes.wish import Kind
from robot_memory.memorization.speech.stance import clauses

Page = Callable[[State, Someone, Sequence[Claimed]], Answer]
PAGES: Mapping[Kind, Page] = {Kind.VALUE: value, Kind.WHEN_DUE: due, Kind.IS_SO: is_so, Kind.BEFORE: before}
QUOTABLE = (Kind.VALUE, Kind.WHEN_DUE)  # a line as it was said answers these; to others it says neither yes nor who
UNCLAIMED = ("supposed", "reported", "mocked", "recited")  # a line with such a clause proves nothing
LONGEST_QUOTE = 30  # words
THINGS = ("place",)  # attributes of things
DOINGS = {  # attribute -> what the asker does who asks for their own: "What did I promise Ben?"
    "promise": "promise|promised|offer|offered|agree|agreed|commit|swear",
    "plan": "plan|planned|planning|intend|mean|want|hope|going to",
    "appointment": "have(?! to)|got",
    "likes": "like|love|hate|enjoy|dislike",
    "opinion": "think|say about|find|make of",
    "owns": "have(?! to)|own|possess|got",
}


def next(state: State) -> Step | Answer:
    """The next look-up, or the answer."""
    if state.wish.kind is Kind.WHO_HAS:
        return told_holders.next(state)
    if state.wish.attribute == "relation":
        return told_kin.next(state)
    if not state.wish.attribute and state.wish.kind is not Kind.WHEN_DUE:
        return opened.next(state)
    who = _whom(state)
    if not isinstance(who, list):
        return who
    if not who:
        who = talked_of(state)
        if not isinstance(who, list):
            return who
    if not who:
        return _last_resort(state, abstain(_unclear(state)))
    answers = list[Answer]()
    for someone in who:
        step = _claims(state, someone)
        hits = state.hits(step)
        if hits is None:
            return step
        by_ns = _time_asked(state)
        claims = standing(hits, who=one_human) if by_ns is None else standing_then(hits, by_ns, one_human)
        answer = told_lines.quoted(state, someone, hits, PAGES[state.wish.kind](state, someone, claims))
        if not isinstance(answer, Answer):
            return answer
        answers.append(answer)
    joined = _joined(answers)
    return joined if joined.outcome is Outcome.ANSWERED else _last_resort(state, joined)


def _whom(state: State) -> Whom | Step | Answer:
    """Whom or what it is asked of: several only where the question joins them."""
    wish, words = state.wish, state.reading.words.lower()
    if wish.subject and wish.attribute in THINGS:
        return [thing(wish.subject)]
    if (doing := DOINGS.get(wish.attribute)) and re.search(rf"\b(?:do|did|am|was|have|had) i (?:{doing})\b", words):
        return asker(state)
    who = persons(state)
    if isinstance(who, list) and len(who) > 1 and not _are_joined(who, state.reading.words):
        return who[:1]
    return who


def _are_joined(who: Sequence[Someone], text: str) -> bool:
    """ "Anna and Ben": what is asked of the one is asked of the other."""
    names = [re.escape(one.called) for one in who]
    return re.search(rf"{names[0]}(?:['’]s)?(?:, [\w ]+)*,? and {names[1]}", text, re.IGNORECASE) is not None


def _claims(state: State, someone: Someone) -> Claims:
    attribute = state.wish.attribute
    timed = state.wish.kind is Kind.WHEN_DUE and attribute in ("", *TIMED)
    attributes = tuple(dict.fromkeys((attribute, *TIMED))) if timed else (attribute,)
    attributes = tuple(one for one in attributes if one)
    return Claims(f"{state.wish.attribute or 'time'} of {someone.called}", someone.subjects, attributes)


def _time_asked(state: State) -> int | None:
    """The earlier time of which it is asked how things were; a time to come is when something is due."""
    end_ns = state.reading.span.end_ns
    past = end_ns is not None and end_ns <= state.question.now_ns and state.wish.attribute not in TIMED
    return end_ns if past else None


def _joined(answers: Sequence[Answer]) -> Answer:
    """Answers about several people as one, those that something is known of first."""
    good = [one for one in answers if one.outcome is Outcome.ANSWERED]
    if len(answers) < 2 or not good:
        return answers[0]
    silent = [one for one in answers if one.outcome is Outcome.ABSTAINED]
    return replace(
        good[0],
        text=" ".join(one.text for one in (*good, *silent)),
        confidence=min(one.confidence for one in good),
        evidence=tuple(dict.fromkeys(cited for one in good for cited in one.evidence)),
    )


def _last_resort(state: State, silence: Answer) -> Step | Answer:
    """A line that surely says it though no claim was read out of it, as it was said; else what nobody told."""
    if silence.outcome is not Outcome.ABSTAINED or state.wish.kind not in QUOTABLE:
        return silence
    found = opened.next(state)
    if not isinstance(found, Answer) or found.outcome is not Outcome.ANSWERED:
        return silence if isinstance(found, Answer) else found
    best, by_ns = found.evidence[0], _time_asked(state)
    if by_ns is not None and best.start_ns >= by_ns:  # how things were then, no later line tells
        return silence
    if not best.quote or best.facts or len(best.quote.split()) > LONGEST_QUOTE:
        return silence
    if any(clause.why in UNCLAIMED for clause in clauses(best.quote)):
        return silence
    return replace(found, text=whole(f"{speaker(best, state)} said: “{best.quote}”"), evidence=(best,))


def _unclear(state: State) -> str:
    if state.reading.pronoun:
        return f"I don't know whom you mean by “{state.reading.pronoun}”."
    return "I don't know whom or what you mean."
