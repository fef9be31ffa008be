"""What might be answered, best first: a time for "when", a number for "how many", else a phrase of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Evidence
from robot_memory.control.answering import open_words as words
from robot_memory.control.answering.open_asked import Wanted
from robot_memory.control.answering.open_sentences import Told, told
from robot_memory.control.answering.open_spans import phrases
from robot_memory.control.answering.open_times import Moment, moments, the_day
from robot_memory.control.steps import State
from robot_memory.control.understanding.reading import Reading
from robot_memory.control.verification import wording
from robot_memory.control.verification.attribution import own_part

LOOKED_AT = 6  # sentences
LOOKED_AT_TIMES = 12
OWN, FOR_SPEAKER = 0.8, 5.0  # how much of a sentence is of its speaker; what a phrase would score
ALL_HELD = 0.9  # of the question's words: what asks for a yes has them all
IN_SENTENCE, IN_LINE = 1.5, 0.7  # what a time phrase there adds to a sentence's score
IN_TIME, WRONG_WAY = 1.5, 1.0  # what a time as asked for adds, and one behind for a question that looks ahead costs
AHEAD = re.compile(r"\b(?:will|planning|plans?|(?:is|are|am) (?:\S+ )?(?:\w+ing))\b", re.IGNORECASE)
HOW_LONG_AGO = re.compile(r"\bhow long ago\b", re.IGNORECASE)
PATTERNS = {"how long": words.LENGTH, "how often": words.OFTEN, "how many": words.COUNTED, "how much": words.COUNTED}


@dataclass(frozen=True)
class Choice:
    """A possible answer and the sentence it is of. `fits`: it is of the kind asked for, as far as words tell."""

    text: str
    score: float
    told: Told
    fits: bool = True

    @property
    def evidence(self) -> Evidence:
        return self.told.evidence

    def says(self, other: Choice) -> bool:
        """Do both say the same, as far as their words go?"""
        one, two = (wording.stems(choice.text) for choice in (self, other))
        return bool(one & two) and (one <= two or two <= one)


def choices(state: State, hits: Sequence[Evidence], wanted: Wanted) -> list[Choice]:
    """Best first; empty if nothing of the kind that is asked for was said."""
    found = told(state, hits, wanted)
    of_kind: dict[str, Callable[[], Iterator[Choice]]] = {
        "when": lambda: _times(state, found[:LOOKED_AT_TIMES]),
        "yes/no": lambda: _yes_or_no(found[:1]),
        "who": lambda: _who(state, found[:LOOKED_AT], wanted),
    }
    if wanted.kind in PATTERNS:
        made = _matching(found[:LOOKED_AT], PATTERNS[wanted.kind])
    else:
        made = of_kind.get(wanted.kind, lambda: _phrases(found[:LOOKED_AT], wanted))()
    return sorted(made, key=lambda one: -one.score)


def _phrases(found: Sequence[Told], wanted: Wanted) -> Iterator[Choice]:
    for one in found:
        for phrase in phrases(one.text, wanted)[:1]:
            yield Choice(phrase.text, one.score + phrase.score, one, phrase.fits)


def _who(state: State, found: Sequence[Told], wanted: Wanted) -> Iterator[Choice]:
    """Whoever tells it of himself, where nobody is named; else a name in the sentence."""
    for one in found:
        if one.evidence.speaker and one.evidence.quote and not state.reading.persons and own_part(one.text) >= OWN:
            yield Choice(state.people.name_of(one.evidence.speaker), one.score + FOR_SPEAKER, one)
        else:
            yield from _phrases([one], wanted)


def _matching(found: Sequence[Told], pattern: re.Pattern[str]) -> Iterator[Choice]:
    for one in found:
        for match in pattern.finditer(one.text):
            yield Choice(match.group(), one.score, one)


def _yes_or_no(found: Sequence[Told]) -> Iterator[Choice]:
    """What is said is so. A "not" in it may deny something else, so it is no sure "no"."""
    for one in found:
        denied = wording.denies(one.text)
        yield Choice("No" if denied else "Yes", one.score, one, fits=not denied and one.held >= ALL_HELD)


def _times(state: State, found: Sequence[Told]) -> Iterator[Choice]:
    """The times told in sentences, or in their lines; else the day of saying, which is a guess."""
    for one in found:
        said_ns = one.evidence.start_ns
        here = list(moments(one.text, said_ns, state.zone))
        near = here or list(moments(one.evidence.quote or one.evidence.text, said_ns, state.zone))
        for moment in (near or [the_day(said_ns, state.zone)])[:1]:
            gain = IN_SENTENCE if here else IN_LINE if near else 0.0
            score = one.score + gain + _timely(state.reading, moment, said_ns)
            clear = moment.clear if here else not near and _as_it_happens(one.text)
            yield Choice(_worded(state, moment), score, one, fits=clear and bool(one.evidence.quote))


def _as_it_happens(text: str) -> bool:
    """Is it told of now, and not of every day?"""
    return bool(words.HAPPENING.search(text)) and not words.OFTEN.search(text)


def _timely(reading: Reading, moment: Moment, said_ns: int) -> float:
    """Is it of the time that the question names, and does it lie ahead where the question looks ahead?"""
    span, gain = reading.span, 0.0
    if span.start_ns is not None or span.end_ns is not None:
        begun = span.end_ns is None or moment.start_ns < span.end_ns
        gain += IN_TIME if begun and (span.start_ns is None or moment.end_ns > span.start_ns) else -IN_TIME
    if moment.at:
        gain -= WRONG_WAY * (bool(AHEAD.search(reading.words)) != (moment.start_ns > said_ns))
    return gain


def _worded(state: State, moment: Moment) -> str:
    """ "ten years ago" where that is asked and still holds; else the time by the calendar."""
    fresh = state.question.now_ns - moment.said_ns < (moment.end_ns - moment.start_ns) / 2
    ago = fresh and HOW_LONG_AGO.search(state.reading.words) and "ago" in moment.at
    return moment.at.lower() if ago else moment.words
