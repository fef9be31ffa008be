"""What a question gives, cut from it as it was written: "the dentist appointment" is "dentist appointment"."""

from __future__ import annotations

import re

from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.frames import Found
from robot_memory.control.wishes.kinsfolk import is_agent
from robot_memory.control.wishes.tables import listed

ARTICLE = re.compile(r"^(?:the|a|an|some|any|this|that|these|those)\s+(?=\S)", re.IGNORECASE)
BARE_PLACE = re.compile(r"^(?:in|at)\s+(?=[^\W\d_a-z])")
EDGES = " \t\n.,;:!?\"“”'’‘„-–—"
SUPERLATIVE = re.compile(r"^(?:\w{3,}est|worst|best|most|least|better|worse|more|less)\b", re.IGNORECASE)
FAVOURITE = re.compile(r"favou?rite\b", re.IGNORECASE)
CHOICE = re.compile(r"\bor\b", re.IGNORECASE)  # which of two is not worked out


def given(reading: Reading, found: Found, name: str) -> str:
    """The words of a slot, empty where it has none."""
    span = found.given.get(name)
    if span is None:
        return ""
    tokens = [token for token in found.clause.tokens[span[0] : span[1]] if token.end > token.start]
    if not tokens:
        return ""
    words = reading.words[min(token.start for token in tokens) : max(token.end for token in tokens)].strip(EDGES)
    return BARE_PLACE.sub("", words) if name == "homeplace" else without_article(words)


def without_article(words: str) -> str:
    """ "the cycle lanes" as "cycle lanes"."""
    return ARTICLE.sub("", words)


def suits(name: str, words: str, reading: Reading) -> bool:
    """Whether words can be what a slot takes."""
    if name == "jobvalue":
        return is_job(words)
    if name == "thing":
        return not SUPERLATIVE.search(words) and words.lower().split()[-1:] != [] and not _abstract(words)
    if name == "appointment":
        return words.lower().split()[-1:][0] in listed("appointments")
    if name == "place":
        known = any(place.known and place.name in words for place in reading.places)
        return known or not words[:1].isupper()
    if name == "relation":
        return not FAVOURITE.match(words)
    return name not in ("value", "doing") or not CHOICE.search(words)


def is_job(words: str) -> bool:
    """Whether words can be what somebody works as: "primary school teacher", not "good swimmer"."""
    last = words.lower().split()[-1:] or [""]
    if last[0] in listed("not_jobs"):
        return False
    return is_agent(last[0]) or any(last[0].endswith(job) for job in listed("jobs") if len(job) > 3 or last[0] == job)


def _abstract(words: str) -> bool:
    """Whether it is nothing that can be owned: "a good memory", "a habit of reading"."""
    first = re.split(r"\s(?:of|to|in|for|with|on)\s", words.lower())[0]
    return first.split()[-1] in listed("abstract")
