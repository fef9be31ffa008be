"""From evidence to plain words. Nothing is said that the evidence does not hold; without evidence, nothing is
claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Evidence, Outcome, Question, abstain
from robot_memory.control.clock import Zone, say, say_day, say_span
from robot_memory.control.intent import Intent
from robot_memory.control.understanding.tables import listed
from robot_memory.control.verification.asked import Support, Verdict
from robot_memory.memory.people.people import People, Person

MOST = 10
SURE, UNSURE = 0.9, 0.6  # uncalibrated: an unsure name or a moment not yet committed counts as UNSURE
WORTH_TELLING = 0.5  # the least support of what is told though it does not answer
HELP = "I can tell who was here, when I saw someone, and what someone said."
CITED = 50  # memories an answer cites at most: the first and the last of them
EMPTY_WORDS = listed("empty")


def who_was_here(
    seen: list[Evidence], heard: list[Evidence], people: People, question: Question, intent: Intent, zone: Zone
) -> Answer:
    """Those seen, then those only heard, each with the times."""
    times = _by_person(seen)
    voices = {person: spans for person, spans in _by_person(heard).items() if person not in times}
    unknown = [e for e in seen if e.provisional]
    days = Days([(e.start_ns, e.end_ns) for e in (*seen, *heard)], question.now_ns, zone)
    parts = [f"{_name(people, person)} ({days.times(spans)})" for person, spans in times.items()]
    parts += [f"{_name(people, person)}, heard but not seen ({days.times(spans)})" for person, spans in voices.items()]
    if unknown:
        parts.append(f"someone I have not recognised yet ({days.times([(e.start_ns, e.end_ns) for e in unknown])})")
    if not parts:
        return abstain(f"I saw and heard nobody{_when_words(intent)}.")
    sure = [_known(people, person) for person in (*times, *voices)] + [False] * bool(unknown)
    cited = [e for e in (*seen, *heard) if e.provisional or e.people]
    when = _when_words(intent) or days.all_on()
    return _answered(f"{_sentence(parts, now=intent.span.words == 'now')}{when}.", cited, sure)


def when_seen(seen: list[Evidence], person: Person, question: Question, intent: Intent, zone: Zone) -> Answer:
    """When the person was in view: all times, or the first or last."""
    if not seen:
        return abstain(f"I have no memory of seeing {person.describe()}{_when_words(intent)}.")
    spans = _joined([(e.start_ns, e.end_ns) for e in seen])
    days = Days(spans, question.now_ns, zone)
    if intent.order == "last":
        start_ns, end_ns = spans[-1]
        text = f"I last saw {person.describe()} {days.moment(end_ns)}."
    elif intent.order == "first":
        start_ns, end_ns = spans[0]
        text = f"I first saw {person.describe()} {days.moment(start_ns)}."
    else:
        start_ns, end_ns = spans[0][0], spans[-1][1]
        times = days.times(spans)
        text = f"I saw {person.describe()}{days.all_on()} at {times}."
    cited = sorted((e for e in seen if start_ns <= e.start_ns <= end_ns), key=lambda e: e.start_ns)
    return _answered(text, cited, [not person.doubtful])


def what_was_said(heard: list[Evidence], person: Person, question: Question, intent: Intent, zone: Zone) -> Answer:
    """The person's own words, about the topic if there is one."""
    mine = [e for e in heard if e.quote and e.speaker == person.token]
    if intent.topic:
        mine = [e for e in mine if _about(e.quote, intent.topic)]
    if not mine:
        about = f" about {intent.topic}" if intent.topic else ""
        return abstain(f"I did not hear {person.describe()} say anything{about}{_when_words(intent)}.")
    ordered = sorted({e.memory: e for e in mine}.values(), key=lambda e: e.start_ns)
    shown = ordered[:MOST]
    days = Days([(e.start_ns, e.end_ns) for e in shown], question.now_ns, zone)
    quotes = " ".join(f"“{e.quote}” ({days.times([(e.start_ns, e.end_ns)])})" for e in shown)
    more = f" And {len(ordered) - MOST} more times." if len(ordered) > MOST else ""
    text = f"{person.describe()} said{days.all_on()}: {quotes}{more}"
    return _answered(text, ordered, [not person.doubtful])


def nearest(found: list[Evidence], verdict: Verdict, question: Question, zone: Zone) -> Answer:
    """That the answer is not known, what bears most on the question in its own words, and why it may not be enough. The
    confidence is that of an answer held back.
    """
    unknown = replace(abstain("I don't know.", HELP), confidence=verdict.supported)
    holds = verdict.attribute.memory if verdict.attribute.standing is Support.SUPPORTED else None
    best = next((one for one in found if one.memory == holds), None)
    if best is None or verdict.supported < WORTH_TELLING:
        return unknown
    days = Days([(best.start_ns, best.end_ns)], question.now_ns, zone)
    when = f"{days.all_on()} at {days.times([(best.start_ns, best.end_ns)])}".strip()
    told = f"The nearest that I remember: {best.text.removesuffix('.')} ({when})."
    return replace(unknown, message=told)


class Days:
    """Says times with their days: once where all are of one day, else before each time where the day changes."""

    def __init__(self, spans: Iterable[tuple[int, int]], now_ns: int, zone: Zone) -> None:
        self._now_ns, self._zone = now_ns, zone
        self._days = {self._day(stamp_ns) for span in spans for stamp_ns in span}

    def all_on(self) -> str:
        """ " today" where all times are of that day; nothing where the days stand with the times."""
        (day,) = self._days if len(self._days) == 1 else ("",)
        return f" {day}" if day else ""

    def times(self, spans: Sequence[tuple[int, int]]) -> str:
        """ "09:30:02 to 09:30:40, 10:15:00" or "yesterday 09:30:02 to 09:30:40, today 10:15:00"."""
        said, listed = "" if len(self._days) > 1 else self._day(spans[0][0]), []
        for start_ns, end_ns in spans:
            first, last = self._day(start_ns), self._day(end_ns)
            lead = f"{first} " if first != said else ""
            if first == last:
                listed.append(lead + say_span(start_ns, end_ns, self._zone))
            else:
                listed.append(f"{lead}{say(start_ns, self._zone)} to {last} {say(end_ns, self._zone)}")
            said = last
        return ", ".join(listed)

    def moment(self, stamp_ns: int) -> str:
        """ "today at 09:30:02"."""
        return f"{self._day(stamp_ns)} at {say(stamp_ns, self._zone)}".strip()

    def _day(self, stamp_ns: int) -> str:
        return say_day(stamp_ns, self._now_ns, self._zone)


def _answered(text: str, evidence: Sequence[Evidence], sure: Sequence[bool]) -> Answer:
    confidence = sum(SURE if one else UNSURE for one in sure) / len(sure)
    cited, message = tuple(evidence), ""
    if len(cited) > CITED:
        message = f"{len(cited)} memories say so; the first and the last {CITED // 2} are cited."
        cited = (*cited[: CITED // 2], *cited[-CITED // 2 :])
    return Answer(text[:1].upper() + text[1:], Outcome.ANSWERED, message, confidence, cited)


def _by_person(evidence: Iterable[Evidence]) -> dict[int, list[tuple[int, int]]]:
    """Person -> spans of time, in order of first appearance."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for one in sorted(evidence, key=lambda e: e.start_ns):
        for person in one.people:
            spans.setdefault(person, []).append((one.start_ns, one.end_ns))
    return {person: _joined(own) for person, own in spans.items()}


def _joined(spans: list[tuple[int, int]], gap_ns: int = 10_000_000_000) -> list[tuple[int, int]]:
    """Spans in order, those less than `gap_ns` apart made one: a clip's border is not a departure."""
    joined: list[tuple[int, int]] = []
    for start_ns, end_ns in sorted(spans):
        if joined and start_ns - joined[-1][1] <= gap_ns:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end_ns))
        else:
            joined.append((start_ns, end_ns))
    return joined


def _name(people: People, person: int) -> str:
    known = people.get(person)
    return known.describe() if known else f"person {person}"


def _known(people: People, person: int) -> bool:
    known = people.get(person)
    return known is not None and not known.doubtful


def _sentence(parts: Sequence[str], now: bool) -> str:
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    verb = ("is" if now else "was") if len(parts) == 1 else ("are" if now else "were")
    return f"{listed} {verb} here"


def _when_words(intent: Intent) -> str:
    return f" {intent.span.words}" if intent.span.words else ""


def _about(quote: str, topic: str) -> bool:
    """True if the words share a content word with the topic, up to an ending."""
    return bool({_stem(w) for w in _content(topic)} & {_stem(w) for w in _content(quote)})


def _content(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in EMPTY_WORDS]


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word.removesuffix("e")
