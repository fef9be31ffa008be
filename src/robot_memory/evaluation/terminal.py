"""Text from data files on a terminal: what would move the cursor, hide or turn letters round is shown, not done."""

from __future__ import annotations

import unicodedata

ACTING = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control and format characters, halves of characters, other line ends


def shown(text: str) -> str:
    """The text with such characters written as \\x1b; line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        char if char == "\n" or unicodedata.category(char) not in ACTING else _written(char) for char in text
    )


def _written(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
