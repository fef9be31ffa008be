"""Corrections inside a turn: "I live in Leeds, no, sorry, in York" tells York alone.

What was told before the correction is told again with each candidate for the right words in the place of the wrong
ones; the first that makes a claim of the same attribute is what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from robot_memory.memorization.speech import dated, things
from robot_memory.memorization.speech.sentences import Sentence
from robot_memory.memorization.speech.tables import alternatives, opening, pattern, phrases, table
from robot_memory.memorization.speech.told import Line, Told

INSIDE = re.compile(
    r"[,;]?\s+(?:-+\s+)?(?=(?:no,? (?:sorry|wait|I mean|make that|actually|not)|sorry,|"
    r"sorry, I mean|I mean,?|or rather|wait, no|scratch that|correction|make that|"
    r"no, in|no, at|no, on|no, a|no, the|no, it)\b)",
    re.I,
)
NEGATED = re.compile(
    r"(?:(?:^|,? )(?:and )?not|(?:^|,? )rather than|(?:^|,? )instead of|scratch|did "
    r"i say|did you say|no more|i keep thinking|what am i saying,?) (?P<old>[^,.?!]+)",
    re.I,
)
Read = Callable[[list[Sentence]], list[Told]]


def broken_up(plain: str) -> str:
    """With a stop before a correction inside a sentence, so that it is a sentence of its own."""
    return INSIDE.sub(". ", plain)


def is_correction(sentence: Sentence) -> bool:
    return bool(opening("asked", "taken_back").match(sentence.text.replace(",", "") + " ")) or bool(
        re.search(r"\b(?:i meant|i said|slip of the tongue|i misspoke|misheard|i mean)\b|, not \w", sentence.text, re.I)
    )


def mended(
    told: list[Told], before: list[Sentence], after: list[Sentence], read: Read, line: Line
) -> list[Told] | None:
    """What was meant instead of `told`, the claims of `before`; None where `after` corrects nothing."""
    words = " ".join(sentence.text + (sentence.mark or ".") for sentence in after)
    target = _target(told, words)
    if target is None or not before:
        return None
    kept = [one for one in told if one.attribute != target.attribute or not _same(one.value, target.value)]
    if (better := _better(target, words, line)) is not None:
        return [*kept, better]
    direct = [one for one in read(after) if one.attribute == target.attribute and one.polarity > 0]
    direct = [one for one in direct if not _same(one.value, target.value)]
    if direct:
        return kept + direct
    said = next((one.text for one in reversed(before) if _in(target.value, one.text.lower())), "")
    for candidate in _candidates(words, target.value):
        for changed in _with(said, target.value, candidate):
            again = [one for one in read([Sentence(changed, ".")]) if one.attribute == target.attribute]
            right = [one for one in again if not _same(one.value, target.value)]
            if right:
                return kept + right[:1]
    named = _in(target.value, words.lower())
    sure = opening("asked", "surely_wrong").match(words.replace(",", "")) is not None
    return kept if named or sure else None  # what was meant is not clear, but what was said is not it


def _better(target: Told, words: str, line: Line) -> Told | None:
    """A place or a time put right: those know best themselves which part of it is meant."""
    if target.attribute == "place":
        return things.corrected(words, target, line)
    return dated.corrected(words, target, line) if target.attribute in dated.READ else None


def _target(told: list[Told], words: str) -> Told | None:
    """The claim that is taken back: the one whose value is named again, else the last."""
    lower = words.lower()
    named = [one for one in told if _in(one.value, lower)]
    return named[-1] if named else (told[-1] if told else None)


def _in(value: str, lower: str) -> bool:
    return any(form.lower() in lower for form in _forms(value))


@cache
def _forms(value: str) -> tuple[str, ...]:
    bare = re.sub(r"^(?:in|at|on|near|the|a|an) ", "", value)
    forms = [value, bare]
    if judged := re.search(r" (?:is|are) (.+)", value):
        forms = [judged[1]]
    if whom := re.fullmatch(r"([a-z' -]+) [A-Z][^ ]*(?: [A-Z][^ ]*)*", value):
        forms.append(whom[1])  # "grandmother Eva": what she is may be wrong
    if value.isdigit():
        forms.append(_spelled_number(int(value)))
    return tuple(dict.fromkeys(forms))


def _spelled_number(number: int) -> str:
    ones, tens = table("values")["ones"].split(), table("values")["tens"].split()
    if number < 20:
        return str(ones[number])
    rest = f"-{ones[number % 10]}" if number % 10 else ""
    return f"{tens[number // 10 - 2]}{rest}" if number < 100 else str(number)


def _same(one: str, other: str) -> bool:
    return bool({form.lower() for form in _forms(one)} & {form.lower() for form in _forms(other)})


@cache
def _empty() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{alternatives(phrases('asked', 'carrying_nothing'))})(?!\w)[,:]?\s*)+", re.I)


def _candidates(words: str, old: str) -> Iterator[str]:
    """Stretches of a correction that may be what was meant."""
    without = NEGATED.sub(lambda found: " " if _in(old, found["old"].lower()) else found[0], words)
    for part in re.split(r"[.?!:;]\s*|,\s+|\s+-+\s+", without):
        bare = _empty().sub("", part.strip()).strip()
        for ending in (
            bare,
            re.sub(r"^.*\b(?:is|was|meant|said|are|to|i am|that) ", "", bare, flags=re.I),
            re.sub(r" (?:is|are|was|I said|I meant|I mean|I like|I love|it is)\b.*$", "", bare),
        ):
            if (
                ending
                and not ending.lower().startswith("not ")
                and not _same(ending, old)
                and not pattern("asked", "carrying_nothing").fullmatch(ending)
                and len(ending.split()) <= 9
            ):
                yield re.sub(r"^(?:it is|that is|I am|I have|I meant) ", "", ending)


def _with(text: str, old: str, new: str) -> Iterator[str]:
    """The text with the new words in the place of the old; prepositions and articles that both have, once."""
    for form in _forms(old):
        at = text.lower().find(form.lower())
        if at < 0:
            continue
        head, tail = text[:at], text[at + len(form) :]
        small = new[:1].lower() + new[1:]
        lead = re.search(r"(?P<word>\b(?:in|on|at|near|a|an|the|my)) $", head, re.I)
        first = small.split(" ", 1)[0].lower()
        if lead and first in ("in", "on", "at", "near", "a", "an", "the", "my", "by", "above"):
            yield head[: lead.start()] + small + tail
        for word in dict.fromkeys((new, small)):
            yield head + word + tail
