"""From a question's text to its Reading: by tables and rules, in about a millisecond, without a model.

A Reader belongs to one view of everyone and may be kept as long as that view is. Never raises for what anybody may
type, except UnknownTime for a time phrase that is not understood: "who was here at sunrise?" must not be answered with
everyone of all time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.clock import Zone
from robot_memory.control.times import Span, UnknownTime, span_in
from robot_memory.control.understanding.asking import Asking, asked
from robot_memory.control.understanding.carriers import carried
from robot_memory.control.understanding.cues import cues
from robot_memory.control.understanding.masks import Masks, taken_out
from robot_memory.control.understanding.mentions import TOKENS, Finder, Mentioned
from robot_memory.control.understanding.names import Names
from robot_memory.control.understanding.places import Places
from robot_memory.control.understanding.reading import ASKER, Reading
from robot_memory.control.understanding.tables import listed, pattern
from robot_memory.control.understanding.words import APOSTROPHES, Word, words_in
from robot_memory.memory.people.people import People

NOWHERE = Places()
UNSOUGHT = ("empty", "auxiliaries", "question_words", "telling", "denying")  # tables of words that no topic holds


class Reader:
    """Reads questions. `people`: everyone known; `places`: the places known by name."""

    def __init__(self, people: People, places: Places = NOWHERE) -> None:
        self._people = people
        self._names = Names(people)
        self._places = places

    def read(self, text: str, now_ns: int, zone: Zone, asker: str = "") -> Reading:
        """What a question asks. `asker`: the token of who asks, if that is known. Raises UnknownTime."""
        even = text.translate(APOSTROPHES)
        words = words_in(text)
        around = _numbers_within(words, carried(even))
        who = Finder(words, self._names, asker, around).find(even)
        masks = Masks(text, words, who.named)
        span, rest = _span(masks, now_ns, zone)
        timed = taken_out(*([word.text for word in words_in(each)] for each in (masks.text, rest)))
        asking = asked(words, around | timed, is_question="?" in text or "？" in text)
        core = _core(even, words, around | timed)
        small = cues(core, asking.asks)
        lasting = pattern("latest").fullmatch(span.words) is not None  # "now", "these days"
        momentary = any(word.plain in listed("momentary") for word in words)
        aside = set[int]() if _tells_whom(who, words, timed) else timed
        nobody = not any(mention.how != ASKER for mention in who.mentions) and not who.unknown
        return Reading(
            words=text,
            asks=asking.asks,
            mentions=tuple(replace(one, in_time=aside.issuperset(at)) for one, at in zip(who.mentions, who.places)),
            unknown_names=tuple(who.unknown),
            robot=who.robot,
            pronoun=_pronoun(words) if nobody else "",
            span=Span() if lasting and not momentary else span,
            order=small.order,
            validity="latest" if lasting else small.validity,
            counts=asking.counts,
            negated=small.negated,
            compares=small.compares,
            places=self._places.find(core),
            topic=_topic(words, around | who.used | (set() if span.anchor else timed), asking, small.words),
            wording=self._wording(text if span.anchor else masks.undone(rest)),
            zone=zone,
        )

    def _wording(self, text: str) -> str:
        """The question with names where it has tokens."""
        return " ".join(TOKENS.sub(self._name, text).split())

    def _name(self, token: re.Match[str]) -> str:
        known = self._names.by_token(f"{token[1].lower()}_{int(token[2])}")
        return token[0] if known is None else self._names.called(known)


def _span(masks: Masks, now_ns: int, zone: Zone) -> tuple[Span, str]:
    """The time range of a masked text and the text without it, still masked."""
    try:
        span, rest = span_in(masks.text, now_ns, zone)
    except UnknownTime as error:
        error.args = (masks.undone(str(error)), *error.args[1:])
        raise
    anchor = span.anchor and (span.anchor[0], masks.undone(span.anchor[1]))
    return replace(span, words=masks.undone(span.words), anchor=anchor), rest


def _tells_whom(who: Mentioned, words: Sequence[Word], timed: set[int]) -> bool:
    """Whether the time phrase alone tells whom the question is about: "when Anna sang, what did she wear?"."""
    if any(one.how != ASKER and not timed.issuperset(at) for one, at in zip(who.mentions, who.places)):
        return False
    return any(word.plain in listed("third_person") for number, word in enumerate(words) if number not in timed)


def _numbers_within(words: Sequence[Word], spans: Sequence[tuple[int, int]]) -> set[int]:
    """The numbers of the words that begin within these spans."""
    return {n for n, word in enumerate(words) if any(start <= word.start < end for start, end in spans)}


def _core(text: str, words: Sequence[Word], left: set[int]) -> str:
    """The text without these words and without what it quotes; what stands between words stays."""
    letters = list(text)
    for number, word in enumerate(words):
        if number in left or word.quoted:
            letters[word.start : word.end] = " " * (word.end - word.start)
    return "".join(letters)


def _pronoun(words: Sequence[Word]) -> str:
    return next((word.base for word in words if word.plain in listed("third_person") and not word.quoted), "")


def _topic(words: Sequence[Word], left: set[int], asking: Asking, small: tuple[str, ...]) -> str:
    """The content words as written, in order: neither empty ones nor those that other parts of a reading hold."""
    passed = {word for key in UNSOUGHT for word in listed(key)} | set(small)
    kept = [
        word.base
        for number, word in enumerate(words)
        if word.quoted or (number not in left | asking.used and word.plain not in passed)
    ]
    return " ".join(kept)
