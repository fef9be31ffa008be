"""What is usual: when somebody is where, who comes, with whom; from rules that consolidation made of many days.

Answers are the rules' own sentences, with their counts. What no rule tells of is left to the other pages: no rule is
no proof that it is not so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.answer import Answer, Evidence, Outcome
from robot_memory.control.answering.grounds import Grounds
from robot_memory.control.answering.seen_answers import answered
from robot_memory.control.steps import Claims, State, Step
from robot_memory.control.whom.persons import persons
from robot_memory.control.whom.someone import Someone
from robot_memory.control.wishes.wish import Kind
from robot_memory.memorization.consolidation.bands import BANDS, BEGINS, WEEKDAYS, WEEKEND, WORKING
from robot_memory.memorization.consolidation.rule import DERIVED, ROUTINE, WITH, Told, told_in

USUALLY = re.compile(
    r"\b(?:usually|normally|typically|generally|mostly|as a rule|used? to|tends? to|routines?|habits?)\b", re.IGNORECASE
)
FORMERLY = re.compile(r"\bused? to\b|\bformerly\b", re.IGNORECASE)
HOUR = re.compile(r"\b(?:at|after|around|about|from|past|between) (\d{1,2})(?:[:.]\d\d)? ?(am|pm|a\.m\.|p\.m\.)?", re.I)
PARTS = {"early morning": (0,), "morning": (0, 1), "noon": (2,), "midday": (2,), "lunch": (2,), "afternoon": (3,)}
PARTS |= {"evening": (4,), "night": (5,)}
KINDS = (  # others ask for something that no rule tells of
    *(Kind.WHEN_SEEN, Kind.WHERE_SEEN, Kind.WHO_WAS_HERE, Kind.WAS_HERE, Kind.HOW_OFTEN_SEEN, Kind.COMPANY),
    *(Kind.WHEN_DUE, Kind.OTHER, Kind.VALUE, Kind.BEFORE, Kind.IS_SO),
)
DOINGS = ("", "job", "routine")  # of VALUE: "What does Anna do in the mornings?"
MOST = 4  # rules in an answer
NO_RULE = Answer("", Outcome.ABSTAINED, "Nothing of that is usual as far as I know.")


def is_asked(state: State) -> bool:
    """Whether a question is about what is usual, in words or by its time ("in the mornings")."""
    usual = USUALLY.search(state.reading.words) or state.reading.span.routine
    return bool(usual) and state.wish.kind in KINDS and state.wish.attribute in DOINGS


def next(state: State) -> Step | Answer:
    """The rules that fit, or nothing."""
    who: list[Someone] = []
    if state.reading.asks not in ("who", "whose") or state.wish.kind is Kind.COMPANY:
        found = persons(state)
        if not isinstance(found, list):
            return found if not isinstance(found, Answer) else NO_RULE
        who = found[:1]
        if not who:
            return NO_RULE
    step = Claims(
        f"what is usual of {who[0].called if who else 'anybody'}", who[0].subjects if who else None, (ROUTINE,)
    )
    hits = state.hits(step)
    if hits is None:
        return step
    past = state.reading.validity == "earlier" or FORMERLY.search(state.reading.words) is not None
    rules = [one for one in hits if one.source == DERIVED and (one.valid_until_ns is not None) is past]
    if state.wish.kind is Kind.COMPANY:
        return _answer([one for one in rules if _value(one).startswith(WITH)], who, state)
    return _of_places([(told, one) for one in rules if (told := told_in(_value(one)))], who, state)


def _of_places(rules: Sequence[tuple[Told, Evidence]], who: Sequence[Someone], state: State) -> Answer:
    """By the place, the part of the day and the weekday that the question names."""
    words = state.reading.words.lower()
    named = [place.name.lower() for place in state.reading.places if place.known]
    there = [pair for pair in rules if not named or any(_ends(pair[0].where, name) for name in named)]
    bands, weekdays = _bands(words), _weekdays(words)
    if state.wish.kind in (Kind.WHEN_DUE, Kind.IS_SO) and not named:
        return NO_RULE
    then = [(told, one) for told, one in there if not bands or told.band in bands]
    fitting = [one for told, one in then if not weekdays or weekdays & told.weekdays]
    if state.reading.asks == "yes/no":
        if not named and not bands:
            return NO_RULE
        if fitting:
            return _answer(fitting, who, state, "Yes: ")
        return _answer([one for _, one in then or there], who, state, "No, not as a rule: ")
    return _answer(fitting, who, state)


def _answer(rules: Sequence[Evidence], who: Sequence[Someone], state: State, lead: str = "") -> Answer:
    if not rules:
        return NO_RULE
    told = sorted(rules, key=lambda one: (-one.count, one.memory))[:MOST]
    text = lead + " ".join(one.text for one in told)
    return answered(text, told, state, Grounds(named=who[0].sure if who else 1.0))


def _value(rule: Evidence) -> str:
    return rule.facts[0].value if rule.facts else ""


def _ends(where: str, name: str) -> bool:
    """Whether "in the kitchen" is "kitchen"."""
    return re.search(rf"\b{re.escape(name.removeprefix('the '))}$", where.lower()) is not None


def _bands(words: str) -> frozenset[int]:
    """The bands of a part of the day or an hour; empty where none is named."""
    if (hour := HOUR.search(words)) and int(hour[1]) < 25:
        number = int(hour[1]) % 24
        if (hour[2] or "").startswith("p") and number < 12:
            number += 12
        number += 24 * (number < BEGINS)
        return frozenset(n for n, band in enumerate(BANDS) if band.first_hour <= number < band.end_hour)
    named = [bands for part, bands in PARTS.items() if re.search(rf"\b{part}s?\b", words)]
    return frozenset(named[0]) if named else frozenset()


def _weekdays(words: str) -> frozenset[int]:
    """The weekdays that are named; empty where none is."""
    found = frozenset(n for n, name in enumerate(WEEKDAYS) if re.search(rf"\b{name.lower()}s?\b", words))
    if re.search(r"\bweekends?\b", words):
        found |= WEEKEND
    return found | WORKING if re.search(r"\bweekdays?\b", words) else found
