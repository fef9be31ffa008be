"""One word of a question in its plain form, and what can be done with a row of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PERSON, ASKING, PRONOUN, ROBOT, KIN = "P", "I", "H", "R", "KIN"


@dataclass(frozen=True)
class Token:
    """A word in its plain form, and where it stands in the question; "," and "." stand for what separates clauses.
    `past`: it is a verb that tells of what was done; "was" alone does not.
    """

    text: str
    start: int
    end: int
    past: bool = False


def spelled(tokens: Sequence[Token]) -> str:
    """Tokens as one text in which every token is followed by a space."""
    return "".join(f"{token.text} " for token in tokens)


def tidied(tokens: Sequence[Token]) -> list[Token]:
    """Without the stops that separate nothing."""
    made: list[Token] = []
    for token in tokens:
        if token.text not in ",." or (made and made[-1].text not in ",."):
            made.append(token)
        elif made and token.text == ".":
            made[-1] = token
    return made[:-1] if made and made[-1].text in ",." else made


def position(tokens: Sequence[Token], phrase: Sequence[str], start: int = 0) -> int:
    """Where a phrase begins among tokens; -1 where it does not."""
    texts, wanted = [token.text for token in tokens], list(phrase)
    last = len(texts) - len(wanted) + 1
    return next((at for at in range(start, last) if texts[at : at + len(wanted)] == wanted), -1)
