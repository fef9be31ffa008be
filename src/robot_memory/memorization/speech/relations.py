"""Who is what to whom: "my sister Anna", "Ben's wife is called Eva", "Anna and I are cousins".

These are told by the way, in questions and orders as well ("Have you met my sister, Anna?").
"""

from __future__ import annotations

import re

from robot_memory.memorization.speech.patterns import compiled
from robot_memory.memorization.speech.persons import Person, is_names, person
from robot_memory.memorization.speech.subjects import is_name
from robot_memory.memorization.speech.tables import phrases
from robot_memory.memorization.speech.told import HEARER, SPEAKER, Told

DENIED = re.compile(
    r"\b(?:not|never|no|neither|hardly|whoever|if|imagine|suppose|would|could|might|for my|mistake[ns]?)\b", re.I
)
ASKED = re.compile(r"^(?:is|are|was|were|am) ", re.I)
PAST = re.compile(r"\b(?:was|used to be|former|ex)\b(?!-)", re.I)


def relations(sentence: str, said: str, him: Person | None = None) -> list[Told]:
    """The relations of a sentence in plain spelling. `him`: whom "his" and "her" mean."""
    found: list[Told] = []
    sentence = _small(sentence)
    for pattern in compiled("relation", "anywhere"):
        for fit in pattern.finditer(sentence):
            told = _told(fit, sentence, said, him)
            if told and not any(_same(told, other) for other in found):
                found.append(told)
    return found


def _told(fit: re.Match[str], sentence: str, said: str, him: Person | None) -> Told | None:
    groups = fit.groupdict()
    if not is_names(groups["name"]):
        return None
    whose = _whose(groups, him)
    kin = _kin(groups)
    if whose is None or not kin or whose.name == groups["name"] or whose.of:
        return None
    polarity, past = 1, False
    around = sentence[max(0, fit.start() - 30) : fit.end() + 15]
    if re.search(r"\b(?:no longer|not my \w+ (?:any ?more|now))\b|any ?more", around):
        past = True
    elif re.search(r"\bused to be\b|\bwas\b", fit[0]) or kin.startswith(("former ", "ex ")):
        past = True
        kin = re.sub(r"^(?:former|ex) ", "", kin)
    elif DENIED.search(fit[0]):
        polarity = -1 if re.search(r"\bnot\b|\bnever\b", fit[0]) else 0
    if (
        polarity == 0
        or (ASKED.match(sentence) and sentence.endswith("?") and fit.start() <= 8)
        or _supposed(sentence, fit)
    ):
        return None
    return Told(whose.name, "relation", f"{kin} {groups['name']}", polarity, "", past, said)


def _supposed(sentence: str, fit: re.Match[str]) -> bool:
    before = sentence[: fit.start()]
    return bool(
        re.search(
            r"\b(?:if|imagine|suppose|whether|as if|not|never|told you|take|takes|think|thinks|"
            r"mix|no way|wish|pretend|were|would)\b(?:\W+\w+){0,3}\W*$",
            before,
            re.I,
        )
    ) or bool(re.match(r"\W*(?:were|would|could|might)\b", sentence[fit.end() :]))


def _whose(groups: dict[str, str | None], him: Person | None) -> Person | None:
    said = groups.get("whose") or groups.get("who")
    if said is None:
        return Person(SPEAKER)
    lower = said.lower()
    if lower in ("his", "her", "their", "hers", "he", "she"):
        return him
    whose = person(said)
    return None if whose is None or whose.name == HEARER else whose


def _kin(groups: dict[str, str | None]) -> str:
    if pair := groups.get("pair"):
        return re.sub(r"(?:ies)$", "y", pair).removesuffix("s") if pair.lower() in phrases("relation", "pairs") else ""
    said = groups.get("kin")
    if said is None:
        return "spouse" if "who" in groups else ""
    said = said.lower()
    return re.sub(
        r"^(?:good|best|dear|new|own|favourite|long-lost|better|poor) (?=\w)",
        lambda f: f[0] if f[0].startswith("best") else "",
        said,
    )


def _same(one: Told, other: Told) -> bool:
    return one.subject == other.subject and one.value.split()[-1] == other.value.split()[-1]


def _small(text: str) -> str:
    return (
        text if is_name(text.split(" ", 1)[0].strip(",.!?")) or text.startswith("I ") else text[:1].lower() + text[1:]
    )
