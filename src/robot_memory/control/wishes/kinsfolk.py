"""What people are to one another: "Anna's best friend" is Anna's KIN, and so are her dentist and her lodger."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from robot_memory.control.understanding import tables as understanding
from robot_memory.control.wishes.tables import listed
from robot_memory.control.wishes.token import KIN, Token

OWNING = frozenset(("'s", "a", "an", "any", "the", "whose", "as"))  # after these a word of kin is somebody's
AGENTS = ("er", "or", "ist", "ian", "eer", "man", "woman", "smith", "mate")  # what people do for others
LONGEST = 3  # words: "old piano teacher"
SHORTEST = 5  # letters of a word that ends like an agent


def with_kin(tokens: Sequence[Token]) -> list[Token]:
    """With one token KIN for "sister" or "best friend", where that is somebody's or anybody's."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        length = _length(tokens, at, made[-1].text) if made else 0
        if length:
            made.append(Token(KIN, tokens[at].start, tokens[at + length - 1].end))
        else:
            made.append(tokens[at])
        at += length or 1
    return made


def is_agent(word: str) -> bool:
    """Whether a word ends like one for somebody who does something, and is not a thing ("hammer")."""
    known = listed("agents_not") | listed("appointments") | understanding.listed("rooms_and_furniture")
    return len(word) >= SHORTEST and word.endswith(AGENTS) and word not in known


def _length(tokens: Sequence[Token], at: int, before: str) -> int:
    """How many tokens the kin takes that begins here, 0 where there is none."""
    if before not in OWNING:
        return 0
    for length in range(1, LONGEST + 1):
        words = [token.text for token in tokens[at : at + length]]
        if len(words) < length or not all(word in _before() for word in words[:-1]):
            break
        following = tokens[at + length].text if at + length < len(tokens) else ""
        if following in listed("appointments"):  # "Anna's dentist appointment" is no dentist
            return 0
        if (words[-1] in _kin() and following not in _kin()) or (before == "'s" and is_agent(words[-1])):
            return length
    agent = tokens[at + 1].text if before == "'s" and at + 1 < len(tokens) else ""
    return 2 if agent in _kin() or is_agent(agent) else 0  # "tax adviser"


@cache
def _kin() -> frozenset[str]:
    return understanding.listed("kin") | listed("kin_more") | listed("jobs")


@cache
def _before() -> frozenset[str]:
    return understanding.listed("before_kin") | listed("kin_before")
