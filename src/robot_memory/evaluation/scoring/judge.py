"""Was the question answered rightly? One protocol, so that a model may judge as well; the first judge compares words.

It asks more than that the truth be somewhere in the answer: an answer that says everything, names a trap, or puts what
is no longer so first, is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from robot_memory.control.clock import Zone
from robot_memory.evaluation.scoring.moments import MINUTE, Moment, moments
from robot_memory.evaluation.scoring.wording import NEGATIONS, NEGATIVE, Words, phrase, words_of
from robot_memory.evaluation.subject import Reply
from robot_memory.evaluation.trial import Question
from robot_memory.evaluation.truth import Truth

RIGHT, WRONG, ABSTAINED, ERROR = "right", "wrong", "abstained", "error"
VERDICTS = (RIGHT, WRONG, ABSTAINED, ERROR)
SILENT = frozenset({"ABSTAINED", "AMBIGUOUS"})  # asking back claims nothing
LONGEST = 60  # words of an answer; more is a recital, not an answer
NUMERALS = {"once": "1", "twice": "2", "thrice": "3", "none": "0", "nobody": "0", "never": "0", "pair": "2"}
TIMES = re.compile(r"\d{1,2}:\d\d(?::\d\d)?|\b\d{4}-\d\d-\d\d\b|\b(?:person|face|voice)[ _]\d+")
YES, NO = frozenset({"yes", "yeah", "yep", "correct", "true"}), frozenset({"no", "nope", "false"})
SMALL = "do does did is are was were has have had be been will would can could i you it there"
SMALL_WORDS = frozenset(phrase(SMALL))


@dataclass(frozen=True)
class Verdict:
    """One of VERDICTS, and why."""

    kind: str
    why: str = ""


class Judge(Protocol):
    """Anything that can grade a reply: word rules here, a language model where one runs."""

    @property
    def name(self) -> str: ...

    def judge(self, question: Question, reply: Reply, truth: Truth) -> Verdict: ...


class NormalisedJudge:
    """Compares words after normalisation (wording.py). The rules are those of trial.Expected."""

    name = "normalised"

    def judge(self, question: Question, reply: Reply, truth: Truth) -> Verdict:
        if reply.outcome in SILENT:
            return Verdict(ABSTAINED)
        if not reply.answered:
            return Verdict(ERROR, f"ended as {reply.outcome}")
        if not question.answerable:
            return Verdict(WRONG, "answered what nobody can know")
        if (length := len(reply.text.split())) > LONGEST:
            return Verdict(WRONG, f"{length} words: more than {LONGEST} are a recital, not an answer")
        forms: dict[str, Callable[[Question, str, Truth], str]] = {
            "text": _text,
            "names": _names,
            "number": _number,
            "yesno": _yesno,
            "time": _time,
        }
        if question.expected.form not in forms:
            return Verdict(ERROR, f"the truth expects an unknown form of answer: {question.expected.form}")
        against = forms[question.expected.form](question, reply.text, truth)
        return Verdict(WRONG, against) if against else Verdict(RIGHT)


def _text(question: Question, answer: str, truth: Truth) -> str:
    """What is wrong with it; empty if nothing is."""
    expected, said = question.expected, words_of(answer)
    found = _asserted(question, said, {"value": expected.values, "trap": expected.traps, "earlier": expected.earlier})
    if found["trap"]:
        return f"asserts what is not so: {_at(said, found['trap'][0])}"
    if not found["value"]:
        return "does not say what is so"
    if found["earlier"] and found["earlier"][0] < found["value"][0]:
        return f"says first what is no longer so: {_at(said, found['earlier'][0])}"
    return ""


def _names(question: Question, answer: str, truth: Truth) -> str:
    """People, or things; a thing may stand in the singular or the plural, a name may not: Luca is not Lucas."""
    expected = question.expected
    things = [value for value in expected.values if value not in truth.people]
    said, asked = (words_of(text, stemmed=bool(things)) for text in (answer, question.text))
    forms_of = partial(_forms_of, people=truth.people, stemmed=bool(things))
    wanted = {value: forms_of(value) for value in expected.values}
    others = {name: forms_of(name) for name in (*truth.people, *expected.traps)}
    others = {name: forms for name, forms in others.items() if not set(forms) & {f for w in wanted.values() for f in w}}
    spans = _longest(said, [form for forms in (*wanted.values(), *others.values()) for form in forms])
    named = {said.words[a:b] for a, b in spans if not said.denied(a)}
    if missing := [name for name, forms in wanted.items() if not named & set(forms)]:
        return f"does not name {', '.join(missing)}"
    for name, forms in others.items():
        echo = name not in expected.traps and any(list(asked.find(form)) for form in forms)
        if named & set(forms) and not echo:
            return f"names {name}, who is not meant"
    return ""


def _number(question: Question, answer: str, truth: Truth) -> str:
    expected = {_numeral(value) for value in question.expected.values}
    asked = set(_numbers(question.text)) - expected
    said = [number for number in _numbers(answer) if number not in asked]
    if not said:
        return "says no number"
    if said[0] not in expected:
        return f"says {said[0]}"
    if len(said) > 1 and (hedge := re.search(r"\b(?:or|to)\b|[-–]\s*\d", TIMES.sub(" ", answer.lower()))):
        return f"hedges between numbers: {hedge.group(0)!r}"
    return ""


def _yesno(question: Question, answer: str, truth: Truth) -> str:
    said, wanted = words_of(answer), question.expected.values[0].strip().lower()
    heard = "yes" if set(said.words[:1]) & YES else "no" if set(said.words[:1]) & NO else _by_repeating(question, said)
    if not heard:
        return "says neither yes nor no"
    return "" if heard == wanted else f"says {heard}"


def _by_repeating(question: Question, said: Words) -> str:
    """ "Anna does not like tea" says no to "Does Anna like tea?"; empty if it repeats less than the question."""
    asked = [word for word in phrase(question.text) if word not in SMALL_WORDS | NEGATIONS]
    if not asked or not set(asked) <= set(said.words):
        return ""
    return "no" if any(word in NEGATIONS for word in said.words) else "yes"


def _time(question: Question, answer: str, truth: Truth) -> str:
    assert question.expected.span_ns is not None
    said = moments(answer, question.at_ns, Zone(truth.zone), question.text)
    if not said:
        return "says no time"
    return next((against for moment in said if (against := _off(moment, *question.expected.span_ns))), "")


def _off(moment: Moment, start_ns: int, end_ns: int) -> str:
    """What is wrong with a moment: none of its readings is in the span, or it says so much that it says nothing."""
    near = [(a, b) for a, b in moment.readings if a < max(end_ns, start_ns + 1) and b > start_ns]
    if not near:
        return f"says {moment.words!r}, which is another time"
    if min(b - a for a, b in near) > max(2 * (end_ns - start_ns), MINUTE):
        return f"says {moment.words!r}, which is too vague"
    return ""


def _asserted(question: Question, said: Words, phrases: dict[str, tuple[str, ...]]) -> dict[str, list[tuple[int, int]]]:
    """Kind -> where its phrases stand in an answer and are not denied. Of phrases within each other the longest
    counts; what a negative question ("What does she not like?") asks for may be denied.
    """
    kinds = {phrase(text): kind for kind in ("trap", "earlier", "value") for text in phrases[kind]}
    negative = any(word in NEGATIVE for word in phrase(question.text))
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in phrases}
    for start, end in _longest(said, list(kinds)):
        if negative or not said.denied(start):
            found[kinds[said.words[start:end]]].append((start, end))
    return found


def _longest(said: Words, phrases: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Where any of the phrases stands, without those that stand inside a longer one."""
    spans = sorted({span for one in phrases for span in said.find(one)})
    return [(a, b) for a, b in spans if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in spans)]


def _forms_of(name: str, people: Sequence[str], stemmed: bool) -> list[tuple[str, ...]]:
    """How something may be named: in full, or a person by the first name where nobody shares it."""
    full = phrase(name, stemmed)
    alone = name in people and sum(phrase(other, stemmed)[:1] == full[:1] for other in people) == 1
    return [full, full[:1]] if alone and len(full) > 1 else [full]


def _numbers(text: str) -> list[str]:
    """The numbers a text says, times of day and ids left out."""
    words = words_of(TIMES.sub(" ", text.lower())).words
    return [number for word in words if (number := _numeral(word)).replace(".", "", 1).isdigit()]


def _numeral(word: str) -> str:
    said = phrase(NUMERALS.get(word.strip().lower(), word))
    return said[0] if said else ""


def _at(said: Words, span: tuple[int, int]) -> str:
    return " ".join(said.words[slice(*span)])
