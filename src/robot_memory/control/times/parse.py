"""From a question to the time it names and the question without it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.clock import Zone
from robot_memory.control.times import words
from robot_memory.control.times.anchors import anchor_in
from robot_memory.control.times.elements import Clip, Hours, Slice, Stretch
from robot_memory.control.times.grammar import Grammar, Phrase
from robot_memory.control.times.meaning import HINT, span_of
from robot_memory.control.times.patterns import plain
from robot_memory.control.times.span import Span, UnknownTime
from robot_memory.control.times.unknown import not_understood
from robot_memory.control.times.wall import Now
from robot_memory.control.times.windows import MONTHDAY, Ambiguous, Fixed

PROPER = frozenset(words.WEEKDAYS) | frozenset(words.MONTHS) | {"christmas", "easter", "halloween", "thanksgiving"}
ABOUT = re.compile(r"(?<!\bwhat)(?<!\bhow)\s+about\s+$")
TAKES_ABOUT = re.compile(rf"\b(?:{'|'.join(sorted(words.TAKE_ABOUT))})\b[^?!.;]{{0,120}}$")
# "What did they talk about yesterday" has its topic in front; "who talked about yesterday" has not.
ASKED_ABOUT = r"\b(?:(?:what|whom)\b|who\s+(?:did|does|do)\s+(?!not\b))[^?!.;]{0,120}"
STRANDED = re.compile(rf"{ASKED_ABOUT}\b(?:{'|'.join(sorted(words.ONLY_ABOUT))})$")
AND = re.compile(r"\s*,?\s*(?:and|or|but)\s+")
RELATIVE = re.compile(r"(?P<then>(?:(?:in|on|at)\s+)?(?:the\s+)?last\s.+?)\s+(?:on|before)\s+(?P<day>.*\d{4})$")
PREPOSITION = re.compile(r"(?:on|in|at|during|over|within|before|after|since|until|by|between|from)\b")
MASK = "\0"
Place = tuple[int, int]


def span_in(text: str, now_ns: int, zone: Zone) -> tuple[Span, str]:
    """The time a question names, and the question without it. A Span without words where it names none.

    Raises UnknownTime for a time phrase that is not understood, or that a clock without a calendar cannot know.
    """
    now, low = Now.at(now_ns, zone), plain(text)
    try:
        phrases = Grammar(low, now).phrases()
    except UnknownTime as error:
        start = low.index(str(error))
        raise UnknownTime(text[start : start + len(str(error))].strip()) from error
    masked = _masked(low, [(one.start, one.end) for one in phrases])
    phrases = [one for one in phrases if not _is_topic(low, one)]
    if unknown := not_understood(masked):
        raise UnknownTime(text[slice(*unknown)].strip())
    span, places = _chosen(phrases, text, low, now)
    if anchor := anchor_in(masked):
        places = _merged([*places, (anchor.start, anchor.end)])
        span = replace(span, words=_as_said(text, places), anchor=(anchor.relation, anchor.event))
    return span, _without(text, low, places)


def _is_topic(text: str, phrase: Phrase) -> bool:
    """True for "say about last Monday"; not for "what about last Monday", "what did they talk about on Monday"."""
    about = ABOUT.search(text[: phrase.start])
    if not about or PREPOSITION.match(text, phrase.start):
        return False
    before = text[max(0, about.start() - 250) : about.start()]
    return bool(TAKES_ABOUT.search(before)) and not STRANDED.search(before)


def _chosen(phrases: Sequence[Phrase], text: str, low: str, now: Now) -> tuple[Span, list[Place]]:
    """The phrase that says when; a day and an hour that stand apart belong together ("on Monday, who came at 9?")."""
    if not phrases:
        return Span(), []
    for one, two in zip(phrases, phrases[1:]):
        if AND.fullmatch(low[one.end : two.start]):  # two ranges cannot be told as one
            raise UnknownTime(text[one.start : two.end])
    if len(phrases) == 2 and (whole := _together(*phrases)):
        places = [(one.start, one.end) for one in phrases]
        try:
            return _span(whole, text, places, now), places
        except UnknownTime:
            pass  # two times of their own
    before_topic = [one for one in phrases if not re.search(r"\babout\b", low[: one.start])]
    phrase = before_topic[0] if before_topic else phrases[-1]
    places = [(phrase.start, phrase.end)]
    return _span(phrase, text, places, now), places


def _together(first: Phrase, second: Phrase) -> Phrase | None:
    if any(one.bound or one.to for one in (first, second)):
        return None
    timed = [any(isinstance(piece, (Hours, Stretch, Clip)) for piece in one.around) for one in (first, second)]
    if timed[0] == timed[1] or any(isinstance(p, (Stretch, Slice)) for one in (first, second) for p in one.around):
        return None
    return replace(first, around=(*first.around, *second.around))


def _span(phrase: Phrase, text: str, places: Sequence[Place], now: Now) -> Span:
    said = text[min(places)[0] : max(places)[1]]
    every = (*phrase.around, *phrase.at, *phrase.to)
    if not now.has_calendar and not all(isinstance(one, Stretch) for one in every):
        raise UnknownTime(said, HINT)
    try:
        return _asked_then(phrase, text, now) or span_of(phrase, _as_said(text, places), now)
    except (Ambiguous, ValueError, OverflowError) as error:
        raise UnknownTime(said) from error


def _asked_then(phrase: Phrase, text: str, now: Now) -> Span | None:
    """ "last weekend before 10 April 2023", "last Friday on 23 January 2022": as if it were asked on that day."""
    said = plain(text[phrase.start : phrase.end])
    relative = RELATIVE.match(said)
    if relative is None:
        return None
    days = Grammar(relative["day"], now).phrases()
    if len(days) != 1 or not all(isinstance(one, Fixed) and one.rank == MONTHDAY for one in days[0].around):
        return None
    day_ns = span_of(days[0], "", now).start_ns
    then = Now.at(day_ns if day_ns is not None else now.stamp_ns, now.zone)
    phrases = Grammar(relative["then"], then).phrases()
    return span_of(phrases[0], _as_said(text, [(phrase.start, phrase.end)]), then) if len(phrases) == 1 else None


def _masked(text: str, places: Sequence[Place]) -> str:
    for start, end in places:
        text = text[:start] + MASK * (end - start) + text[end:]
    return text


def _merged(places: Sequence[Place]) -> list[Place]:
    """Places in order, those that overlap made one."""
    merged: list[Place] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _as_said(text: str, places: Sequence[Place]) -> str:
    """The words of some places as they may stand within a sentence."""
    said = " ".join(" ".join(text[start:end].split()) for start, end in sorted(places)).strip(" ,")
    first = said.split(" ", 1)[0]
    return said if plain(first).strip(",") in PROPER else said[:1].lower() + said[1:]


def _without(text: str, low: str, places: Sequence[Place]) -> str:
    """The text without some places, the gaps closed."""
    if not places:
        return text
    for start, end in sorted(places, reverse=True):
        end += 2 if low[end : end + 2] == "'s" else 0
        text = text[:start] + " " + text[end:]
    text = re.sub(r"\s+([?!.,;:])", r"\1", " ".join(text.split()))
    return text.strip(" ,;:")
