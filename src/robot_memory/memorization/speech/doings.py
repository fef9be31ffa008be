"""What somebody promises, plans or is in the habit of doing, in one sentence whose times are taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from robot_memory.memorization.speech.tables import listed, phrases, table
from robot_memory.memorization.speech.timed import MARK, Timed
from robot_memory.memorization.speech.told import Told
from robot_memory.memorization.speech.whole import compiled, group
from robot_memory.memorization.speech.whose import whose
from robot_memory.memory.insertion.wording.inflection import plain_verb

ENDING = re.compile(r"[^,.;:?!]*")
EMPTY = re.compile(r"^(?:do|doing|does)? ?(?:it|that|so|this|them|something|anything|nothing|the same)?$", re.IGNORECASE)


def promised(sentence: Timed, sure: bool = False) -> Told | None:
    """A promise; `sure`: only one with a word of promise, which no other reading can be."""
    cued = bool(_cue().search(sentence.marked))
    for match, row in _found("promises", sentence):
        if row.get("cue") and not cued:
            continue
        plain = row["say"].endswith("will {do}") and not cued
        if sure and (plain or not (cued or row["needs"] == "any")):
            continue
        told = _told("promise", match, row, sentence)
        verb = told.value.split(" ", 1)[0] if told else ""
        if told and not (plain and verb in listed("dated", "unpromised")):
            return told
    return None


def planned(sentence: Timed) -> Told | None:
    for match, row in _found("plans", sentence):
        if told := _told("plan", match, row, sentence):
            return told
    return None


def habitual(sentence: Timed) -> Told | None:
    if sentence.when is None or sentence.when.kind != "recurring":
        return None
    for match, row in _found("routines", sentence):
        if told := _told("routine", match, row, sentence):
            return told
    return None


def _found(kind: str, sentence: Timed) -> Iterator[tuple[re.Match[str], dict[str, str]]]:
    """Where the rows of a kind fit: what ends or denies it goes before what tells it."""
    rows = sorted(compiled("dated", kind), key=lambda one: ("was", "not", "so").index(one[1].get("tells", "so")))
    for pattern, row in rows:
        if sentence.needs(row["needs"]):
            for match in pattern.finditer(sentence.marked if MARK in row["say"] else sentence.bare):
                yield match, dict(row)


def _told(attribute: str, match: re.Match[str], row: dict[str, str], sentence: Timed) -> Told | None:
    doing = _doing(match)
    owner = whose(group(match, "who") or group(match, "whom") or row.get("of", "I"), sentence.bare, match.start())
    if not doing or owner is None:
        return None
    when = sentence.when.words if sentence.when else ""
    tells = row.get("tells", "so")
    denied = tells == "not" or bool(group(match, "not"))
    subject, of = owner
    return Told(subject, attribute, f"{doing} {when}".strip(), -1 if denied else 1, of, tells == "was")


def _doing(match: re.Match[str]) -> str:
    """What is done, beginning with the plain verb; "" where it is nothing that one would remember."""
    said = group(match, "do") or group(match, "doing") or group(match, "does")
    inflected = not group(match, "do")
    words = _cut(said).split()
    if not words or words[0].lower() in listed("dated", "no_verbs"):
        return ""
    verb = words[0].lower()
    if inflected:
        verb = plain_verb(verb)
    elif verb in listed("dated", "past_forms") or verb.endswith("ed") and verb not in ("need", "feed", "weed", "embed", "shed", "wed"):
        return ""
    rest = " ".join(words[1:])
    if verb in listed("dated", "weightless") or EMPTY.match(f"{verb} {rest}".strip() if rest in ("", "it", "that", "so") and verb == "do" else ""):
        return "" if verb in listed("dated", "weightless") or verb == "do" else f"{verb} {rest}".strip()
    if rest.split(" ")[0] in ("it", "that", "this", "them", "so") and len(words) <= 3:
        return ""
    return f"{verb} {rest}".strip()


def _cut(said: str) -> str:
    """The clause of doing without what follows it: "fix the gate because it squeaks" is "fix the gate"."""
    first = ENDING.match(said)
    body = first[0] if first else ""
    end = _ends().search(body)
    body = body[: end.start()] if end else body
    return re.sub(r"\s+(?:and|or|on|at|by|to|in|for|with|instead|of|from|the|until|till|come|every|this|then|there)$", "", body.strip())


@cache
def _ends() -> re.Pattern[str]:
    alternatives = "|".join(re.escape(one) for one in phrases("dated", "ends"))
    return re.compile(rf"\s(?:{alternatives})(?![\w'])", re.IGNORECASE)


@cache
def _cue() -> re.Pattern[str]:
    return re.compile(table("dated")["cue"], re.IGNORECASE)
