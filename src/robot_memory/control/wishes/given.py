"""What a question gives, cut from it as it was written: "the dentist appointment" is "dentist appointment"."""

from __future__ import annotations

import re

from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.frames import Found
from robot_memory.control.wishes.tables import listed

ARTICLE = re.compile(r"^(?:the|a|an|some|any|this|that|these|those)\s+(?=\S)", re.IGNORECASE)
BARE_PLACE = re.compile(r"^(?:in|at)\s+(?=[^\W\d_a-z])")
EDGES = " \t\n.,;:!?\"“”'’‘„-–—"
AGENTS = ("er", "or", "ist", "ian", "eer", "man", "woman", "smith", "keeper", "wright", "monger", "hand")


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


def is_job(words: str) -> bool:
    """Whether words can be what somebody works as: "primary school teacher", not "good swimmer"."""
    last = words.lower().split()[-1:] or [""]
    stem = last[0].removesuffix("s")
    if stem in listed("not_jobs"):
        return False
    return last[0] in listed("jobs") or stem in listed("jobs") or (len(stem) > 4 and stem.endswith(AGENTS))
