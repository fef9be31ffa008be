"""Entity tokens in remembered sentences: `<face_3>`, `<voice_7>`, `<person_2>`.

Sentences are stored with tokens and read with names, so a name learnt later is right in everything said before.
Tokens are parsed, never replaced as substrings: `<face_1>` and `<face_12>` are different faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable

TOKEN = re.compile(r"<((?:face|voice|person)_\d+)>")


def tokens_in(text: str) -> list[str]:
    """The tokens of a sentence in order, each once: ["face_3", "voice_7"]."""
    return list(dict.fromkeys(TOKEN.findall(text)))


def with_names(text: str, name_of: Callable[[str], str]) -> str:
    """The sentence with each token put through `name_of`; its first letter is made a capital."""
    named = with_tokens(text, name_of)
    return named[:1].upper() + named[1:]


def with_tokens(text: str, other: Callable[[str], str]) -> str:
    """The text with each token, brackets included, put through `other` (which is given it without them)."""
    return TOKEN.sub(lambda match: other(match.group(1)), text)


def sole_token(text: str) -> str | None:
    """The token, as face_3, that is all of the text, with or without its brackets; None for any other text."""
    bare = text.strip()
    found = TOKEN.fullmatch(bare) or TOKEN.fullmatch(f"<{bare}>")
    return found.group(1) if found else None


def split(token: str) -> tuple[str, int]:
    """("face", 3) of "face_3". Raises ValueError if it is no token."""
    kind, _, number = token.partition("_")
    if kind not in ("face", "voice", "person") or not number.isdigit():
        raise ValueError(f"{token!r} is not an entity: write face_3, voice_7 or person_2")
    return kind, int(number)
