"""The whole sentence of a clause, for readers whose matter is spread over it: what, whose and when often stand in
different clauses ("On Friday I can't come, there's my haircut at three").

Each sentence is read once, at its first clause that tells anything; a question that the speaker answers at
once is joined to its answer ("The torch? Under the sink").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.tables import table

GROUP = re.compile(r"\(\?P<(\w+)>")
ASKED = re.compile(r"\?$|^guess (?:where|when|what|who)\b", re.IGNORECASE)
SLOT = re.compile(r"\{(\w+)\}")


def whole(clause: Clause, before: Sequence[Clause]) -> str:
    """The sentence to read with this clause, its answered question before it; "" where it was read already."""
    earlier = list(before)
    while earlier and earlier[-1].said == clause.said:
        if earlier.pop().asserts:
            return ""
    said = clause.said or clause.text
    if earlier and ASKED.search(earlier[-1].said):
        said = f"{earlier[-1].said} {said}"
    return said


def referents(text: str, clause: Clause) -> str:
    """The text with the pronoun that a clause begins with replaced by what it was found to mean."""
    first = clause.text.split(" ", 1)[0]
    unknown = clause.subject.lower() in ("", first.lower())
    if unknown or first.lower() not in ("he", "she", "it", "they"):
        return text
    return re.sub(rf"\b{first}\b", lambda found: clause.subject, text, flags=re.IGNORECASE)


@cache
def compiled(name: str, key: str) -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    """The rows of a list in NAME.yaml, each with its `say` as a pattern whose braces are filled from `patterns`."""
    rows = ((_numbered(filled(name, row["say"])), row) for row in table(name)[key])
    return tuple((re.compile(rf"(?<![\w'-]){pattern}", re.IGNORECASE), row) for pattern, row in rows)


def group(match: re.Match[str], name: str) -> str:
    """What a group of this name took, in whichever of its places; "" for nothing."""
    return next((said for key, said in match.groupdict().items() if said and key.rstrip("_") == name), "")


def _numbered(pattern: str) -> str:
    """A pattern in which a group may stand in several places: each further one gets another underscore."""
    seen: dict[str, int] = {}

    def named(start: re.Match[str]) -> str:
        seen[start[1]] = seen.get(start[1], 0) + 1
        return f"(?P<{start[1]}{'_' * (seen[start[1]] - 1)}>"

    return GROUP.sub(named, pattern)


def filled(name: str, pattern: str) -> str:
    """A pattern with its braces filled from `patterns` of NAME.yaml, as deep as it goes."""
    pieces = table(name)["patterns"]
    while (more := SLOT.sub(lambda slot: pieces[slot[1]] if slot[1] in pieces else slot[0], pattern)) != pattern:
        pattern = more
    return pattern
