"""From evidence to plain words. Nothing is said that the evidence does not hold; without evidence, nothing is
claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from robot_memory.control.answer import Answer, Evidence, Outcome, Question, abstain
from robot_memory.control.clock import Zone, say, say_day, say_span
from robot_memory.control.intent import Intent
from robot_memory.memory.people import People, Person

MOST = 10
SURE, UNSURE = 0.9, 0.6  # uncalibrated: an unsure name or a moment not yet committed counts as UNSURE
EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "be",
        "by",
        "did",
        "do",
        "for",
        "from",
        "he",
        "her",
        "his",
        "i",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "so",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "who",
        "will",
        "with",
        "you",
        "your",
    ]
)


def who_was_here(
    seen: list[Evidence], heard: list[Evidence], people: People, question: Question, intent: Intent, zone: Zone
) -> Answer:
    """Those seen, then those only heard, each with the times."""
    times = _by_person(seen)
    voices = {person: spans for person, spans in _by_person(heard).items() if person not in times}
    unknown = [e for e in seen if e.provisional]
    parts = [f"{_name(people, person)} ({_times(spans, zone)})" for person, spans in times.items()]
    parts += [
        f"{_name(people, person)}, heard but not seen ({_times(spans, zone)})" for person, spans in voices.items()
    ]
    if unknown:
        parts.append(
            "someone I have not recognised yet (" + _times([(e.start_ns, e.end_ns) for e in unknown], zone) + ")"
        )
    if not parts:
        return abstain(f"I saw and heard nobody{_when_words(intent)}.")
    first = min(e.start_ns for e in (*seen, *heard))
    sure = [_known(people, person) for person in (*times, *voices)] + [False] * bool(unknown)
    text = f"{_sentence(parts)}{_day_words(first, question, zone)}."
    cited = [e for e in (*seen, *heard) if e.provisional or e.people]
    return _answered(text, cited, sure)


def when_seen(seen: list[Evidence], person: Person, question: Question, intent: Intent, zone: Zone) -> Answer:
    """When the person was in view: all times, or the first or last."""
    if not seen:
        return abstain(f"I have no memory of seeing {person.describe()}{_when_words(intent)}.")
    spans = _joined([(e.start_ns, e.end_ns) for e in seen])
    if intent.order == "last":
        start_ns, end_ns = spans[-1]
        text = f"I last saw {person.describe()}{_day_words(end_ns, question, zone)} at {say(end_ns, zone)}."
    elif intent.order == "first":
        start_ns, end_ns = spans[0]
        text = f"I first saw {person.describe()}{_day_words(start_ns, question, zone)} at {say(start_ns, zone)}."
    else:
        start_ns, end_ns = spans[0][0], spans[-1][1]
        text = f"I saw {person.describe()}{_day_words(start_ns, question, zone)} at {_times(spans, zone)}."
    cited = sorted((e for e in seen if start_ns <= e.start_ns <= end_ns), key=lambda e: e.start_ns)
    return _answered(text, cited, [person.sure or not person.name])


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
    quotes = " ".join(f"“{e.quote}” ({_times([(e.start_ns, e.end_ns)], zone)})" for e in shown)
    more = f" And {len(ordered) - MOST} more times." if len(ordered) > MOST else ""
    day = _day_words(shown[0].start_ns, question, zone)
    return _answered(f"{person.describe()} said{day}: {quotes}{more}", shown, [person.sure or not person.name])


def _answered(text: str, evidence: Sequence[Evidence], sure: Sequence[bool]) -> Answer:
    confidence = sum(SURE if one else UNSURE for one in sure) / len(sure)
    return Answer(text[:1].upper() + text[1:], Outcome.ANSWERED, confidence=confidence, evidence=tuple(evidence))


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


def _times(spans: Sequence[tuple[int, int]], zone: Zone) -> str:
    return ", ".join(say_span(start_ns, end_ns, zone) for start_ns, end_ns in spans)


def _name(people: People, person: int) -> str:
    known = people.get(person)
    return known.describe() if known else f"person {person}"


def _known(people: People, person: int) -> bool:
    """False only where a name rests on one hearing: a person without a name is not doubtful, just nameless."""
    known = people.get(person)
    return known is not None and (known.sure or not known.name)


def _sentence(parts: Sequence[str]) -> str:
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{listed} {'was' if len(parts) == 1 else 'were'} here"


def _day_words(stamp_ns: int, question: Question, zone: Zone) -> str:
    day = say_day(stamp_ns, question.now_ns, zone)
    return f" {day}" if day else ""


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
