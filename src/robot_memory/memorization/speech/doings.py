"""What somebody promises, plans or is in the habit of doing, in one sentence whose times are taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from robot_memory.memorization.speech.tables import listed, phrases, table
from robot_memory.memorization.speech.timed import MARK, Timed, denied, ended, taken_back, unreal
from robot_memory.memorization.speech.told import Told
from robot_memory.memorization.speech.verbs import plain
from robot_memory.memorization.speech.whole import compiled, group
from robot_memory.memorization.speech.whose import anybody, whose

ENDING = re.compile(r"(?:(?! - )[\w\s'’&/-])*")


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
        told = _told("plan", match, row, sentence)
        if told and (not row.get("big") or _is_big(told.value, row["big"])):
            return told
    return None


def _is_big(doing: str, least: str) -> bool:
    """Whether doing it is more than a matter of the next minutes, and said so that it can be known again."""
    verb, _, what = doing.partition(" ")
    if verb in listed("dated", "decided"):
        return True
    return least == "wished" and verb in listed("dated", "wished") and bool(what) and "something" not in what


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
    doing, tells = _doing(match), row.get("tells", "so")
    text = sentence.marked if MARK in row["say"] else sentence.bare
    clause = sentence.clause_at(text, match.start(), match.end())
    if not doing or (row.get("loose") and unreal(clause)):
        return None
    owner = _owner(match, row, text)
    polarity = -1 if tells == "not" or group(match, "not") else 1
    if owner is None or (tells == "so" and polarity > 0 and not ended(clause) and (denied(clause) or taken_back(text))):
        return None
    past = tells == "was" or (tells == "so" and ended(clause))
    when = sentence.when.words if sentence.when else ""
    return Told(owner[0], attribute, f"{doing} {when}".strip(), 1 if past else polarity, owner[1], past)


def _owner(match: re.Match[str], row: dict[str, str], text: str) -> tuple[str, str] | None:
    said = group(match, "who") or group(match, "whom") or row.get("of", "I")
    return anybody(text) if said == "anybody" else whose(said, text, match.start())


def _doing(match: re.Match[str]) -> str:
    """What is done, beginning with the plain verb; "" where it is nothing that one would remember."""
    if there := group(match, "there"):
        return f"go {_cut(there)}"
    said = group(match, "do") or group(match, "doing") or group(match, "does")
    inflected = not group(match, "do")
    words = _cut(said).split()
    if not words or words[0].lower() in listed("dated", "no_verbs"):
        return ""
    verb, rest = words[0].lower(), " ".join(words[1:])
    if inflected and verb == "going" and not _place(rest):
        return ""
    if inflected:
        rest = re.sub(r"\band (\w{3,}ing)\b", lambda found: f"and {plain(found[1])}", rest)
        verb = plain(verb)
    elif _past(verb):
        return ""
    if verb in ("have", "be") and re.match(r"(?:had|been|got|to|never|always|\w+ed)\b", rest):
        return ""
    vague = verb in listed("dated", "weightless") or (verb == "do" and not rest)
    return "" if vague or _nameless(rest) else f"{verb} {rest}".strip()


def _nameless(rest: str) -> bool:
    """Whether it is done to "it" or "that": nobody will know what."""
    words = [*rest.lower().split(), "", ""]
    return words[0] in listed("dated", "pronouns") and (not words[1] or words[1] in listed("dated", "after_pronoun"))


def _place(rest: str) -> bool:
    """Whether "going" is followed by where one goes or what for, not by what one is going to do."""
    word = re.match(r"to (\S+)", rest)
    if word is None:
        return True
    there = word[1] in listed("dated", "destinations") or word[1] in listed("grammar", "determiners")
    return there or not word[1][0].islower()


def _past(verb: str) -> bool:
    return verb in listed("dated", "past_forms") or (verb.endswith("ed") and not verb.endswith("eed") and len(verb) > 4)


def _cut(said: str) -> str:
    """The clause of doing without what follows it: "fix the gate because it squeaks" is "fix the gate"."""
    first = ENDING.match(said)
    body = first[0] if first else ""
    end = _ends().search(body)
    body = body[: end.start()] if end else body
    words = body.split()
    while words and words[-1].lower() in listed("dated", "dangling"):
        words.pop()
    return " ".join(words)


@cache
def _ends() -> re.Pattern[str]:
    alternatives = "|".join(re.escape(one) for one in phrases("dated", "ends"))
    return re.compile(rf"\s(?:{alternatives})(?![\w'])", re.IGNORECASE)


@cache
def _cue() -> re.Pattern[str]:
    return re.compile(table("dated")["cue"], re.IGNORECASE)
