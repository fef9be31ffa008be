"""Whether a question asks for what was so once, and what it asks without the words that say so.

"Where did Anna live before she moved?" asks what "where did Anna live" asks, of an earlier time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.tables import listed
from robot_memory.control.wishes.token import Token, position, tidied
from robot_memory.control.wishes.tokens import as_tokens

STARTS = ("before", "until", "till", "prior")
CLAUSE = re.compile(r"\b(?:before|until|till|prior to)\b([^,.?!]*)", re.IGNORECASE)
ONCE = ("earlier", "before", "previously")  # time phrases that say no more
HABIT = (("use", "to"), ("used", "to"))


def earlier(reading: Reading, tokens: Sequence[Token]) -> tuple[bool, list[Token]]:
    """Whether such words are there, and the tokens without them."""
    left = list(tokens)
    said = _until_a_change(reading.words) or reading.span.words.lower() in ONCE
    for habit in HABIT:
        at = position(left, habit)
        if at >= 0 and (at == 0 or left[at - 1].text != "be") and at + len(habit) < len(left):
            left[at : at + len(habit)], said = [], True
    for phrase in as_tokens("earlier"):
        if (at := position(left, phrase)) >= 0:
            left[at : at + len(phrase)], said = [], True
    return _without_clauses(left, said)


def _without_clauses(tokens: list[Token], said: bool) -> tuple[bool, list[Token]]:
    """Without "before" at the end of a clause, and without clauses of a change."""
    left: list[Token] = []
    at = 0
    while at < len(tokens):
        end = next((n for n in range(at, len(tokens)) if tokens[n].text in ",."), len(tokens))
        within = {token.text for token in tokens[at + 1 : end]}
        if tokens[at].text in STARTS and (not within or within & listed("changing")):
            at, said = end, True
            continue
        left.append(tokens[at])
        at += 1
    return said, tidied(left)


def _until_a_change(words: str) -> bool:
    """Whether they hold "before they moved it" or the like, not only "before the party"."""
    clauses = (set(found[1].lower().split()) for found in CLAUSE.finditer(words))
    return any(clause & listed("changing") for clause in clauses)
