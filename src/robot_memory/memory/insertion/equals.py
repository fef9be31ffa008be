"""Tokens that stand for one person: <voice_3> and <face_1> say the same of whom if both are that person's."""

from __future__ import annotations

import logging
import sqlite3
from functools import cache
from itertools import product
from math import prod

from robot_memory.memory.tokens import split, tokens_in, with_tokens

LOG = logging.getLogger("robot_memory.memory")
MOST = 256  # wordings of one text


def tokens_like(db: sqlite3.Connection, token: str) -> list[str]:
    """All tokens of the person that this one stands for, itself first: faces, voices, and the ids it has had."""
    kind, number = split(token)
    if kind != "person":
        row = db.execute("SELECT person FROM entities WHERE id = ? AND kind = ?", (number, kind)).fetchone()
        if row is None:
            return [token]
        number = row["person"]
    person = _now(db, number)
    entities = db.execute("SELECT kind, id FROM entities WHERE person = ? ORDER BY id", (person,))
    found = [token, *(f"{row['kind']}_{row['id']}" for row in entities)]
    return list(dict.fromkeys(found + [f"person_{one}" for one in _ever(db, person)]))


def wordings(db: sqlite3.Connection, text: str) -> list[str]:
    """The text with every token put in every way that means the same person; the text itself first.

    A text that names people so many that this makes more than MOST wordings is looked for as it stands, which is
    logged once: the same said with other tokens of theirs is then kept as another claim.
    """
    tokens = tokens_in(text)
    choices = [tokens_like(db, token) for token in tokens]
    if prod(len(choice) for choice in choices) > MOST:
        tell_once_of_too_many()
        return [text]
    found = []
    for chosen in product(*choices):
        stands_for = dict(zip(tokens, chosen, strict=True))
        found.append(with_tokens(text, lambda token, as_=stands_for: f"<{as_[token]}>"))  # type: ignore[misc]
    return found


def first_wording(db: sqlite3.Connection, text: str) -> str:
    """The same for all wordings of one text, whichever of them it is."""
    return with_tokens(text, lambda token: f"<{min(tokens_like(db, token))}>")


@cache
def tell_once_of_too_many() -> None:
    """In this process."""
    LOG.warning(
        "a claim about several people who have many faces and voices is compared as it stands (more than %d wordings): "
        "said again with other tokens of theirs it is kept twice. Merge their faces and voices where they are the same",
        MOST,
    )


def _now(db: sqlite3.Connection, person: int) -> int:
    """The id a person has after all merges."""
    seen = {person}
    while row := db.execute(
        "SELECT merged_into FROM persons WHERE id = ? AND merged_into IS NOT NULL", (person,)
    ).fetchone():
        person = int(row["merged_into"])
        if person in seen:
            break
        seen.add(person)
    return person


def _ever(db: sqlite3.Connection, person: int) -> list[int]:
    """The id and all that were merged into it."""
    found = [person]
    for one in found:
        rows = db.execute("SELECT id FROM persons WHERE merged_into = ? ORDER BY id", (one,))
        found += [row["id"] for row in rows if row["id"] not in found]
    return found
