"""Answers to questions of no known kind: the words of a memory that answer it, or that nothing known does.

No language model: the sentence that fits best is chosen by tables of weights (open_sentences.py), then its part that
answers (open_spans.py), or the time that it tells (open_times.py). It is said where what was found supports the
person, the matter and the time that are asked (open_trust.py), and always where a guess is better than silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Evidence, Outcome, abstain
from robot_memory.control.answering.grounds import Grounds, resting
from robot_memory.control.answering.open_asked import wanted
from robot_memory.control.answering.open_choices import Choice, choices
from robot_memory.control.answering.open_times import date
from robot_memory.control.answering.open_trust import borne_out, strangers, trusted
from robot_memory.control.clock import CALENDAR_NS
from robot_memory.control.steps import Recall, State, Step

LONGEST = 40  # words of a line
CITED = 5
MOST_LISTED, NEAR_BEST = 4, 2.0  # things listed; how far below the best one the others may be
UNKNOWN = "I don't know."


def next(state: State) -> Step | Answer:
    """Look for whatever bears on the question, then answer from it or say that it is not known.

    One look is enough: of real conversations' questions 3 % have no evidence among its first hundred memories.
    """
    step = Recall(state.reading.topic)
    hits = state.hits(step)
    if hits is None:
        return step
    want = wanted(state)
    found = choices(state, hits, want)
    if state.force and not found:
        found = choices(state, hits, replace(want, kind=""))
    if not found or not (state.force or trusted(state, found[0])):
        return _silence(state, found)
    return _answer(state, _listed(found) if want.several else found[:1])


def _silence(state: State, found: Sequence[Choice]) -> Answer:
    """That it is not known, with the confidence of the answer held back; and what comes nearest, where that is true of
    the person and the matter asked about.
    """
    unknown = strangers(state.reading)
    text = f"I don't know anybody called {unknown[0]}." if unknown else UNKNOWN
    near = f"The nearest that I remember: {_quoted(state, found[0])}" if found and borne_out(state, found[0]) else ""
    return replace(abstain(text, near), confidence=_support(state))


def _answer(state: State, told: Sequence[Choice]) -> Answer:
    text, best = ", ".join(one.text for one in told), told[0].told
    supported = _support(state) * (1 + best.held) / 2
    grounds = Grounds(asked=state.wish.sure, own=best.about, supported=supported, rivals=0.0 if told[0].fits else 1.0)
    said = text[:1].upper() + text[1:] + "." * (text[-1:] not in ".!?")
    cited = tuple(dict.fromkeys(one.evidence for one in told))[:CITED]
    return resting(Answer(said, Outcome.ANSWERED, evidence=cited), grounds)


def _support(state: State) -> float:
    return state.verdict.supported if state.verdict else 0.0


def _listed(found: Sequence[Choice]) -> list[Choice]:
    """The best, and what stands beside it in other memories with hardly less right."""
    kept: list[Choice] = []
    for one in found:
        new = all(one.evidence.memory != other.evidence.memory and not one.says(other) for other in kept)
        if new and one.score >= found[0].score - NEAR_BEST and one.fits >= found[0].fits:
            kept.append(one)
    return kept[:MOST_LISTED]


def _quoted(state: State, one: Choice) -> str:
    """All of the line, by whom and when: who asks may see what it answers, and the next sentence may take it back."""
    evidence: Evidence = one.evidence
    if not evidence.quote or not evidence.speaker:
        return evidence.text
    when = f" on {date(evidence.start_ns, state.zone)}" if evidence.start_ns >= CALENDAR_NS else ""
    words = evidence.quote.split()
    line = " ".join(words[:LONGEST]) + " …" * (len(words) > LONGEST)
    return f"{state.people.name_of(evidence.speaker)} said{when}: “{line}”"
