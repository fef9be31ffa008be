"""Small words that change what a question wants: first and last, still and used to, not, more than.

They are looked for in the question without its time phrase and without what it quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.control.understanding.tables import any_of, listed, pattern

NOT = re.compile(r"n't\b", re.IGNORECASE)
POLAR = re.compile(r"^\W*(?:\w+n't)\b", re.IGNORECASE)  # "Didn't Anna say so?" asks whether she did
PERSON = "(?:i|you|he|she|it|we|they|there)"
TAG = re.compile(rf",\s*\w+(?:n't)?(?:\s+not)?\s+{PERSON}\s*\?", re.IGNORECASE)
USED_TO = re.compile(r"\bused\s+to\b", re.IGNORECASE)
SUBJECT = r"(?:\S+\s+){1,4}"
DID_USE = re.compile(
    rf"(\S+)\s+did(n't)?\s+{SUBJECT}use(d)?\s+to\s+\w+(?:\s+(\w+))?|did(?:n't)?\s+{SUBJECT}used?\s+to", re.IGNORECASE
)
OF_A_THING = re.compile(r"(?:\b(?:the|a|an|this|that|my|our|your|his|her|their|its)|'s)\s+(?:very\s+)?$", re.IGNORECASE)
WORD = re.compile(r"\W*([^\W\d_]+)")
THINGS = ("what", "which", "how many", "how much")
MADE_FOR = re.compile(
    r"\b(?:am|is|are|was|were|be|been|being|get|gets|got|getting)(?:n't)?\s+(?:\S+\s+){0,6}$|'(?:s|re)\s+$",
    re.IGNORECASE,
)
BEFORE = re.compile(r"\bbefore\s*(?:[?.!]|$)", re.IGNORECASE)
THAN = re.compile(r"\b(?:more|less|fewer|rather|\w{3,}er)\b[^?.!]*\bthan\b", re.IGNORECASE)
DENYING = any_of(sorted(listed("denying")))


@dataclass(frozen=True)
class Cues:
    """What the small words say, and the words themselves as they stand."""

    order: str = ""
    validity: str = ""
    negated: bool = False
    compares: bool = False
    words: tuple[str, ...] = ()


def cues(text: str, asks: str = "") -> Cues:
    """The cues of a question whose apostrophes are straight. `asks`: what it asks for, see Reading."""
    order, order_words = _order(text, asks)
    validity, validity_words = _validity(text, asks)
    compares = pattern("comparing").search(text) is not None or THAN.search(text) is not None
    return Cues(order, validity, _negated(text), compares, (*order_words, *validity_words))


def _order(text: str, asks: str) -> tuple[str, tuple[str, ...]]:
    """ "first" or "last", whichever is said first."""
    found = [
        (match.start(), order, match[0])
        for order in ("first", "last")
        for match in pattern(order).finditer(text)
        if _of_time(text[: match.start()], text[match.end() :], asks)
    ]
    return (min(found)[1], (min(found)[2],)) if found else ("", ())


def _of_time(before: str, after: str, asks: str) -> bool:
    """Whether a "first" or "last" between these puts things in order of time: not "first name", not the verb in "how
    long did it last".
    """
    noun = WORD.match(after)
    following = noun[1].lower() if noun else ""
    leading = before.split()[-1:] or [""]
    if following in listed("not_order_before") | listed("calendar") or leading[0].lower() == "at":
        return False
    if OF_A_THING.search(before):
        return not following or following in listed("in_order_of_time") | listed("empty") or asks == "when"
    return asks != "how long"


def _validity(text: str, asks: str) -> tuple[str, tuple[str, ...]]:
    """ "latest" for what holds now, "earlier" for what held once."""
    if _used_to(text, asks):
        return "earlier", ("used", "use")
    if match := pattern("earlier").search(pattern("not_earlier").sub(" ", text)):
        return "earlier", tuple(match[0].split())
    if BEFORE.search(text):
        return "earlier", ("before",)
    left = pattern("not_latest").sub(" ", text)
    match = pattern("latest").search(left)
    return ("latest", tuple(match[0].split())) if match else ("", ())


def _used_to(text: str, asks: str) -> bool:
    """Whether a habit of the past is meant, not a tool: "is used to cut", "what did he use to cut the bread"."""
    if match := DID_USE.search(text):
        bare = (match[1] or "").lower() in ("what", "which")
        habit = bare and (not match[4] or match[4].lower() in listed("closing"))
        return asks not in THINGS or habit or bool(match[2] or match[3])
    return any(not MADE_FOR.search(text[: match.start()]) for match in USED_TO.finditer(text))


def _negated(text: str) -> bool:
    left = pattern("not_denying").sub(" ", TAG.sub("?", text))
    left = pattern("latest").sub(" ", left)
    return NOT.search(POLAR.sub("", left)) is not None or DENYING.search(left) is not None
