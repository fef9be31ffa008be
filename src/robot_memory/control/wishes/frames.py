"""Frames: the forms that questions take, from the table frames.yaml, as patterns over plain tokens.

A frame is written as it is said: words, (one|other), (perhaps)?, <macro>, {what is given}. P is a person, whoever asks
included; Q another one, whose name is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from typing import Any

from robot_memory.control.wishes.clause import Clause
from robot_memory.control.wishes.tables import table
from robot_memory.control.wishes.tokens import as_token
from robot_memory.control.wishes.wish import Kind

PART = re.compile(r"[()|?]|\{\w+\}|<\w+>|[^\s()|?{}<>]+")
QUESTION = "who|what|where|when|how|why|which|whose"
VERBAL = "be|have|will|can|should|must|not"
NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
)
NOT_IN_EVENTS = "go|keep|move|down|due|off|put|postpone|reschedule|book|schedule"
SLOTS = {
    "": rf"(?:(?!(?:{QUESTION}) )[^\s,.]+ )+?",  # words of one clause that asks nothing
    "subject": rf"(?:(?:(?:of|for|to|with|from|in|on) (?:(?:the|a|an|[PIH] 's) )?)?"
    rf"(?!(?:{QUESTION}|{VERBAL}|P|I|H|R|it|there|the|a|an|that|and|to|before|after) )[^\s,.]+ ){{1,5}}?",  # a thing
    "thing": rf"(?:(?!(?:{QUESTION}|{VERBAL}|P|I|H|R|it|there) )[^\s,.]+ ){{1,5}}?",
    "sort": rf"(?:(?!(?:{QUESTION}|{VERBAL}|P|I|H|R|it|there|to|in|on|at|of|thing|things) )[^\s,.]+ ){{1,3}}?",
    "jobvalue": rf"(?:(?!(?:{QUESTION}|{VERBAL}|P|I|H|R|it|there|of|in|to|at|for|with) )[^\s,.]+ ){{1,4}}?",
    "event": rf"(?:(?!(?:{QUESTION}|{VERBAL}|R|I|H|it|there|{NOT_IN_EVENTS}) )[^\s,.]+ ){{1,6}}?",
    "doing": rf"(?!(?:{VERBAL}|P|I|H|R|it|there|the|a|an|to|in|on|at|by|for|from|with|about|go off|keep free|say|"
    r"mention|tell|expect|count) )"
    rf"(?:(?!(?:{QUESTION}) )[^\s,.]+ )+?",
    "place": rf"(?:(?!(?:{QUESTION}|{VERBAL}|P|I|H|R|it|without|and|but|while|together|with|say|"
    rf"never) )[^\s,.]+ ){{1,4}}?",
    "x": r"(?:\S+ )+?",
    "homeplace": rf"(?:in|at|on|near|by|outside|above|over|next to|close to|behind|"
    rf"opposite) (?:(?!(?:{QUESTION}|P|R) )[^\s,.]+ )+?",
    "where": rf"(?:in|on|under|behind|beside|near|next to|at|inside|above|below) "
    rf"(?:the|a|an|[PIH] 's|R 's) (?:(?!(?:{QUESTION}|{VERBAL}) )[^\s,.]+ ){{1,5}}?",
    "age": rf"(?:(?:over|under|about|around|almost|nearly) )?(?:\d+|(?:{NUMBERS})(?:-(?:{NUMBERS}))?) ",
}
CLOSED = ("other", "relation", "age")  # slots that take few words only
OWNER = "[PIH] "
PERSON_PHRASE = (
    r"(?:the KIN (?:of |that |who )?[PIH] (?:(?:talk|speak|mention|have) (?:about |of )?)?|"
    r"[PIH] 's KIN (?!'s )|[PIH] (?!'s ))"
)


@dataclass
class Frame:
    """A form of question and what it wants: the fields of a Wish by name. `needs`: cues that must be there."""

    form: str
    wants: Mapping[str, Any]
    anchors: frozenset[str] = frozenset()  # words of which the question must have one

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        numbers = count()  # a name may be given to one group of a pattern only
        form = compiled(self.form)
        return re.compile(re.sub(r"\(\?P<(\w+)>", lambda found: f"(?P<{found[1]}_{next(numbers)}>", form))


@dataclass(frozen=True)
class Found:
    """A frame that a clause fits: what it wants, and what the question gives, as [first, last) tokens. `loose`: how
    many tokens the frame takes whatever they are.
    """

    clause: Clause
    wants: Mapping[str, Any]
    given: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    loose: int = 0


def found_in(clause: Clause) -> Iterator[Found]:
    """Every frame that a clause fits, in the order of the table."""
    text = clause.text
    words = set(text.split())
    for frame in frames():
        if frame.anchors and not frame.anchors & words:
            continue
        if match := frame.pattern.fullmatch(text):
            spans = _spans(match, text)
            loose = sum(last - first for name, (first, last) in spans.items() if name not in CLOSED)
            yield Found(clause, frame.wants, {name: span for name, span in spans.items() if name != "x"}, loose)


def _spans(match: re.Match[str], text: str) -> dict[str, tuple[int, int]]:
    spans = {}
    for name, value in match.groupdict().items():
        if value:
            first = len(text[: match.start(name)].split())
            spans[name.rpartition("_")[0]] = (first, first + len(value.split()))
    return spans


@cache
def frames() -> tuple[Frame, ...]:
    """The frames of the table, in its order."""
    made = []
    for group in table("frames")["frames"]:
        wants = {key: value for key, value in group.items() if key != "forms"}
        Kind[wants["kind"]]  # a wrong name is told at once
        for form in group["forms"].splitlines():
            made.append(Frame(form, wants, _anchors(form)))
    return tuple(made)


def _anchors(form: str) -> frozenset[str]:
    """A word that the form cannot do without: the first plain one outside of brackets."""
    depth, parts = 0, PART.findall(form)
    for at, part in enumerate(parts):
        depth += (part == "(") - (part == ")")
        optional = parts[at + 1 : at + 2] == ["?"]
        if depth == 0 and part[0] not in "()|?{<" and part not in ("P", "Q") and not optional:
            return frozenset(_token(part).split())
    return frozenset()


def compiled(form: str) -> str:
    """A form as a regular expression over tokens that are each followed by a space."""
    made, parts = "", PART.findall(form)
    for part, after in zip(parts, [*parts[1:], ""]):
        name = part[1:-1]
        if part == "(":
            made += "(?:"
        elif part in ")|?":
            made += part
        elif part[0] == "{":
            made += f"(?P<{name}>{SLOTS.get(name, SLOTS[''])})"
        elif part[0] == "<":
            made += f"(?:{_macro(name)})"
        elif part in "PQ":
            person = PERSON_PHRASE if after != "'s" else f"(?:{OWNER}'s KIN |{OWNER})"
            made += person if part == "P" else f"(?P<other>{person})"
        elif part == "KIN":
            made += "(?P<relation>KIN )"
        else:
            made += f"(?:{re.escape(_token(part))} )".replace("\\ ", " ")
    return made


def _token(word: str) -> str:
    """A word of a form as it stands among tokens; P, R and the like stay."""
    return word if word.isupper() else as_token(word)


@cache
def _macro(name: str) -> str:
    entry = table("frames")["macros"][name]
    forms = entry if isinstance(entry, list) else [one.strip() for one in entry.split(",")]
    return "|".join(compiled(form) for form in forms)
