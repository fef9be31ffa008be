"""Was the question answered rightly? One protocol, so that a model may judge as well; the first judge compares words.

It asks more than that the truth be somewhere in the answer: an answer that says everything, leaves a choice, names a
trap, or puts what is no longer so first, is wrong. To say in words that one does not know is to abstain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from robot_memory.control.clock import Zone
from robot_memory.evaluation.scoring.abstaining import abstains, leaves_out
from robot_memory.evaluation.scoring.moments import MINUTE, MONTHS, moments
from robot_memory.evaluation.scoring.wording import NEGATIONS, NEGATIVE, Words, phrase, plain, words_of
from robot_memory.evaluation.subject import Reply
from robot_memory.evaluation.trial import Question
from robot_memory.evaluation.truth import Truth

RIGHT, WRONG, ABSTAINED, ERROR = "right", "wrong", "abstained", "error"
VERDICTS = (RIGHT, WRONG, ABSTAINED, ERROR)
SILENT = frozenset({"ABSTAINED", "AMBIGUOUS"})  # asking back claims nothing
LONGEST = 60  # words of an answer; more is a recital, not an answer
LISTED = 4  # things listed one after the other; more, where one is asked for, is a recital as well
NUMERALS = {"once": "1", "twice": "2", "thrice": "3", "none": "0", "nobody": "0", "never": "0", "pair": "2"}
NUMERALS |= {"couple": "2", "both": "2", "dozen": "12"}
_MONTH = rf"(?:{'|'.join(MONTHS)})"
TIMES = re.compile(
    r"\d{1,2}:\d\d(?::\d\d)?|\b\d{4}-\d\d-\d\d\b|\b(?:person|face|voice)[ _]\d+"
    r"|\b\w+ (?:[ap]\.?m\b|o'?clock)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}})?|\b{_MONTH} \d{{1,2}}\b(?:,? \d{{4}})?"
)
O_CLOCK = re.compile(r"\b(\w+) o'?clock\b")
HOW_MANY = re.compile(r"\bhow (?:many|much|often)\b")
BOUNDS = frozenset({"over", "under", "above", "below", "than"})  # "more than two" says no number
YES = frozenset(phrase("yes yeah yep correct true indeed sure certainly definitely absolutely"))
NO = frozenset(phrase("no nope false never not"))
SHORT = re.compile(  # "She is.", "I think so", "They were not"
    r"(?:i (?:think|believe) )?(?:so|(?:\w+ ){1,2}(?:is|are|was|were|do|does|did|has|have|had|will|would|can)(?: not)?)"
)
SIGHTING = re.compile(
    r"\b(?:i|we) (?:(?P<no>(?:did|have) not|never) )?(?:see|seen|saw|have seen)(?P<nobody> nobody)?\b"
)
WHEN = "today yesterday this morning afternoon evening on monday tuesday wednesday thursday friday saturday sunday"
SMALL = f"do does did is are was were has have had be been will would can could i you it there {WHEN}"
SMALL_WORDS = frozenset(phrase(SMALL))
CANT_GET_ENOUGH = re.compile(r"\b(?:can['’]?t|cannot|never) get enough\b", re.IGNORECASE)
HE_OR_SHE = frozenset({"he", "she", "they", "him", "her", "them"})


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
            silent = abstains(reply.text, absence=True)
            return Verdict(ABSTAINED, "in words") if silent else Verdict(WRONG, "answered what nobody can know")
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
        said = question.sight and against in ("says yes", "says no")  # "I did not see her" says no
        if against and not said and abstains(reply.text, absence=False):
            return Verdict(ABSTAINED, "in words")
        if against.startswith("does not name") and leaves_out(reply.text):
            return Verdict(ABSTAINED, "in part: it says that it cannot name somebody")
        return Verdict(WRONG, against) if against else Verdict(RIGHT)


def _text(question: Question, answer: str, truth: Truth) -> str:
    """What is wrong with it; empty if nothing is."""
    expected, said, asked = question.expected, words_of(answer), words_of(question.text)
    traps = tuple(one for one in expected.traps if not any(asked.find(phrase(one))))  # to echo the question is no claim
    phrases = {"value": expected.values, "trap": traps, "earlier": expected.earlier}
    found = _asserted(said, phrases, _is_negative(question, truth))
    if found["trap"]:
        return f"asserts what is not so: {_at(said, found['trap'][0])}"
    if not found["value"]:
        return "does not say what is so"
    if hedge := _choice(plain(answer), [phrase(text) for text in expected.values]):
        return hedge
    if found["earlier"] and found["earlier"][0] < found["value"][0]:
        return f"says first what is no longer so: {_at(said, found['earlier'][0])}"
    return ""


def _choice(answer: str, right: Sequence[tuple[str, ...]]) -> str:
    """What is wrong with an answer that leaves open which of several things it means; empty if nothing is."""
    for sentence in re.split(r"[.;:!?\n]", answer):
        parts = re.split(r"(,? ?\bor\b(?! (?:so|something|rather)\b)|,)", sentence)
        fits = [any(list(words_of(part).find(one)) for one in right) for part in parts[::2]]
        either = [n for n, between in enumerate(parts[1::2]) if "or" in between]
        if any(fits[n] != fits[n + 1] and parts[2 * n].strip() and parts[2 * n + 2].strip() for n in either):
            return "leaves a choice: or"
        short = "".join("x" if fit else "o" if len(phrase(part)) <= 3 else " " for fit, part in zip(fits, parts[::2]))
        if any("x" in run and run.count("o") >= LISTED for run in short.split()):
            return "lists many things where one is asked for"
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
    for name, forms in others.items():
        echo = name not in expected.traps and any(list(asked.find(form)) for form in forms)
        if named & set(forms) and not echo:
            return f"names {name}, who is not meant"
    missing = [name for name, forms in wanted.items() if not named & set(forms)]
    return f"does not name {', '.join(missing)}" if missing else ""


def _number(question: Question, answer: str, truth: Truth) -> str:
    expected = {_numeral(value) for value in question.expected.values}
    asked = {number for _, number in _numbers(words_of(question.text))} - expected
    answer = answer.lower().replace("’", "'")

    def told(text: str) -> tuple[Words, list[tuple[int, str]]]:
        words = words_of(TIMES.sub(" ", text))
        return words, [(n, one) for n, one in _numbers(words) if one not in asked and not words.denied(n)]

    words, said = told(answer)
    if not said and not HOW_MANY.search(question.text.lower()):  # "at 3 o'clock": an hour is a number, not a count
        words, said = told(O_CLOCK.sub(r"\1", answer))
    if not said:
        return "says no number"
    (first, number), *others = said
    if number not in expected:
        return f"says {number}"
    before = words.words[:first][-1:]
    if BOUNDS & set(before):
        return f"says {before[0]} {number}"
    for n, other in others[:1]:
        between = words.words[first + 1 : n]
        if other != number and (len(between) == 0 or "or" in between[:4] or between in (("to",), ("and",))):
            return f"leaves a choice: {number} or {other}"
    return ""


def _yesno(question: Question, answer: str, truth: Truth) -> str:
    said, wanted = words_of(answer), question.expected.values[0].strip().lower()
    first = set(said.words[:1])
    begun = "yes" if first & YES else "no" if first & NO else ""
    repeated = _by_repeating(question, said, truth) or _in_short(question, plain(answer))
    both = begun == "yes" and bool({"yes", "no"} <= set(said.words[:3]))
    if both or (begun and repeated and begun != repeated):
        return "says yes and no"
    if not (heard := begun or repeated):
        return "says neither yes nor no"
    return "" if heard == wanted else f"says {heard}"


def _by_repeating(question: Question, said: Words, truth: Truth) -> str:
    """ "Anna does not like tea" says no to "Does Anna like tea?"; empty if it repeats less than the question. A pronoun
    may stand for whom it asks about.
    """
    asked = {word for word in phrase(question.text) if word not in SMALL_WORDS | NEGATIONS}
    if HE_OR_SHE & set(said.words):
        asked -= {word for name in truth.people for word in phrase(name)}
    if not asked or not asked <= set(said.words):
        return ""
    return "no" if any(said.denied(n) for n, word in enumerate(said.words) if word in asked) else "yes"


def _in_short(question: Question, answer: str) -> str:
    """ "She is not", "I think so"; and where eyes are asked, "I did not see her"."""
    clause = re.split(r"[.,;:!?]", answer)[0].strip()
    if SHORT.fullmatch(clause):
        return "no" if clause.endswith(" not") else "yes"
    if question.sight and (sighting := SIGHTING.search(clause)):
        return "no" if sighting["no"] or sighting["nobody"] else "yes"
    return ""


def _time(question: Question, answer: str, truth: Truth) -> str:
    assert question.expected.span_ns is not None
    start_ns, end_ns = question.expected.span_ns
    said = moments(answer, question.at_ns, Zone(truth.zone), question.text)
    exact = False
    for moment in said:
        near = [(a, b) for a, b in moment.readings if a < max(end_ns, start_ns + 1) and b > start_ns]
        if not near:
            return f"says {moment.words!r}, which is another time"
        exact |= min(b - a for a, b in near) <= max(2 * (end_ns - start_ns), MINUTE)
    vague = " and ".join(repr(moment.words) for moment in said)
    return "" if exact else f"says {vague}, which is too vague" if said else "says no time"


def _is_negative(question: Question, truth: Truth) -> bool:
    """Is it asked for what is not so, or not liked? By its words, or by what is true of the value expected."""
    if CANT_GET_ENOUGH.search(question.text):
        return False
    if any(word in NEGATIVE for word in phrase(question.text)):
        return True
    wanted = {phrase(value) for value in question.expected.values}
    likings = {fact.polarity for fact in truth.facts if fact.attribute == "likes" and phrase(fact.value) in wanted}
    return likings == {-1}


def _asserted(said: Words, phrases: dict[str, tuple[str, ...]], negative: bool) -> dict[str, list[tuple[int, int]]]:
    """Kind -> where its phrases stand in an answer and are meant. Of phrases within each other the longest counts;
    what a negative question ("What does she not like?") asks for may be denied, but not be liked.
    """
    kinds = {phrase(text): kind for kind in ("trap", "earlier", "value") for text in phrases[kind]}
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in phrases}
    for start, end in _longest(said, list(kinds)):
        denied = said.denied(start)
        if (denied or not said.likes(start)) if negative else not (denied or said.dislikes(start)):
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


def _numbers(words: Words) -> list[tuple[int, str]]:
    """Where numbers stand among words, and which."""
    found = ((n, _numeral(word)) for n, word in enumerate(words.words))
    return [(n, number) for n, number in found if number.replace(".", "", 1).isdigit()]


def _numeral(word: str) -> str:
    said = phrase(NUMERALS.get(word.strip().lower(), word))
    return said[0] if said else ""


def _at(said: Words, span: tuple[int, int]) -> str:
    return " ".join(said.words[slice(*span)])
