"""Names from speech, first form: people who say what they are called.

A self-introduction binds a name to the voice that spoke it. Patterns are a table; each must leave no doubt that a name
follows, so "I'm Grace." counts at a sentence's end only, and "I'm happy" never does.
"""

from __future__ import annotations

import re

NAME = r"(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
OPENING = r"(?:^|[.,!?] |\b(?:[Yy]es|[Yy]eah|[Hh]ello|[Hh]i|[Hh]ey) )"

PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b[Mm]y name(?: is|['’]s) {NAME}",
        rf"\b(?:[Yy]ou can|[Pp]lease|[Jj]ust) call me {NAME}",
        rf"{OPENING}(?:[Ii]t['’]s me, |I am |I['’]m ){NAME}(?=[.,!?]| and I\b| from\b|$)",
    )
)


def introduced(text: str) -> list[str]:
    """The names by which the speaker calls himself or herself, in order, each once."""
    found = sorted((match.start(), match["name"]) for pattern in PATTERNS for match in pattern.finditer(text))
    return list(dict.fromkeys(name for _, name in found))
