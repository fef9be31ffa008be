"""Appointments: an arranged event with a day or an hour, and whose it is, in one sentence whose times are taken out."""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.tables import alternatives, listed, phrases, table
from robot_memory.memorization.speech.timed import Timed
from robot_memory.memorization.speech.told import HEARER, SPEAKER, Told
from robot_memory.memorization.speech.whole import filled, group
from robot_memory.memorization.speech.whose import persons, whose

HAD = re.compile(r"\bhad (?:a|an|my|his|her|our|the) ", re.IGNORECASE)
POSSESSIVE = "'s"
FIRST = re.compile(r"\b(?:I|me|my|we|us|our)\b")


def appointed(sentence: Timed) -> Told | None:
    """The appointment of a sentence, None where it tells of none or the time is not known."""
    when = sentence.when
    if when is None or when.kind == "recurring" or (when.kind == "span" and not when.clock):
        return None
    event = _event(sentence.bare) or (_had(sentence.bare) if when.clock and when.kind == "day" else "")
    owner = _owner(sentence.bare, event)
    if not event or owner is None or _happened(sentence, event):
        return None
    ended = bool(_matching("cancelled").search(sentence.marked))
    denied = not ended and bool(_matching("denied").search(sentence.marked))
    return Told(owner[0], "appointment", f"{event} {when.words}", -1 if denied else 1, owner[1], ended)


def _event(text: str) -> str:
    """What is arranged, without its article: "check-up", "meeting with the landlord", "dentist appointment"."""
    for found in _arranged().finditer(text):
        words = [*_modified(text[: found.start()]), found[0]]
        event = " ".join(words)
        before = text[: found.end() - len(event)].split()
        if not before or before[-1].lower() not in listed("dated", "makes"):
            return event
    seen = _seen().search(text)
    return f"{group(seen, 'with').lower().removesuffix(POSSESSIVE)} appointment" if seen else ""


def _happened(sentence: Timed, event: str) -> bool:
    """Whether its clause tells what happened then."""
    at = max(0, sentence.bare.find(event))
    clause = sentence.clause_at(sentence.bare, at, at + len(event))
    if HAD.search(clause):
        return True
    return not listed("dated", "happened").isdisjoint(re.findall(r"\w+", clause.lower()))


def _had(text: str) -> str:
    """What somebody has at an hour: "I've got a kiln firing on Friday at three"."""
    found = _having().search(text)
    return found["what"] if found else ""


def _modified(before: str) -> list[str]:
    """The words before a noun that belong to it: "parents'" of "a parents' evening"."""
    found: list[str] = []
    for word in reversed(re.findall(r"[\w'-]+|[^\w\s]", before)):
        possessive = word.endswith("'s") and word[0].isupper()
        if len(found) == 3 or possessive or not word[0].isalnum() or word.lower() in listed("dated", "event_words"):
            break
        found.insert(0, word)
    return found


def _owner(text: str, event: str) -> tuple[str, str] | None:
    """Whose appointment it is: who possesses it in so many words, has it, or is the only one named."""
    at = text.find(event) if event else -1
    for pattern in _owners():
        near = list(pattern.finditer(text))
        before = [one for one in near if at < 0 or one.start() <= at]
        for match in (*reversed(before), *near):
            owner = whose(match["who"], text, match.start())
            if owner and not (owner[0] == HEARER and persons(text)):
                return owner
    named = list(persons(text))
    if len(named) == 1:
        return whose(named[0], text, len(text))
    if not named:
        return (HEARER, "") if re.search(r"\byou(?:r)?\b", text, re.I) and not FIRST.search(text) else (SPEAKER, "")
    return None


@cache
def _arranged() -> re.Pattern[str]:
    """A noun of an event, with whom or what it is about."""
    with_whom = r"(?: with {event_np}| (?:at|with) the (?:WHOM))?"
    return re.compile(_of_events(rf"(?<![\w'-]){{event}}(?![\w'-]){with_whom}"), re.IGNORECASE)


@cache
def _seen() -> re.Pattern[str]:
    """Somebody whom one sees by appointment."""
    return re.compile(_of_events(table("dated")["seeing"]), re.IGNORECASE)


@cache
def _having() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{filled('dated', table('dated')['having'])})", re.IGNORECASE)


@cache
def _owners() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<![\w'-]){_of_events(row)}", re.IGNORECASE) for row in table("dated")["owners"])


@cache
def _matching(key: str) -> re.Pattern[str]:
    return re.compile("|".join(_of_events(row) for row in table("dated")[key]), re.IGNORECASE)


def _of_events(pattern: str) -> str:
    """A pattern filled, with the nouns of events and of those whom one sees by appointment."""
    return filled("dated", pattern).replace("EVENTS", _either("events")).replace("WHOM", _either("with"))


@cache
def _either(key: str) -> str:
    return alternatives(phrases("dated", key))
