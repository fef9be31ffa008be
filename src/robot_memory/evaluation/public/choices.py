"""Multiple-choice questions as Video-MME prints them: the question and its options in one line.

"What is it about? Options: A. Planes. B. Trains." Letters also end initials ("John B. Smith"), so the split taken is
the one whose options all begin after a sentence's end, if there is one.
"""

from __future__ import annotations

import re

OPTIONS = re.compile(r"\s*\bOptions:\s*(?=A\. )")
LETTERS = "ABCDEFGH"
LETTER_ALONE = re.compile(r"\W*(?:option |answer is |answer: )?\(?([A-H])(?:[.):]|\W*$)", re.IGNORECASE)


def split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The question without its options, and the options without their letters; the text and () if it has none."""
    parts = OPTIONS.split(text, maxsplit=1)
    if len(parts) == 1:
        return text, ()
    stem, listed = parts
    for border in (r"(?<=[.!?\"'”)]) +", r"(?:^| )+"):
        if len(options := _split(listed, border)) >= 2:
            return stem, options
    return text, ()


def _split(listed: str, border: str) -> tuple[str, ...]:
    """Options after one another: each letter at its first place behind the one before it."""
    starts, at = [0], 3
    for letter in LETTERS[1:]:
        found = re.compile(rf"{border}{letter}\. ").search(listed, at)
        if found is None:
            break
        starts.append(found.end() - 3)
        at = found.end()
    ends = [*starts[1:], len(listed)]
    return tuple(listed[start + 3 : end].strip() for start, end in zip(starts, ends, strict=True))


def chosen(reply: str, options: tuple[str, ...]) -> int | None:
    """The option that a reply names, by letter or by its words; None if by neither, or by several."""
    said = _plain(reply)
    by_words = [n for n, option in enumerate(options) if _plain(option) and f" {_plain(option)} " in f" {said} "]
    longest = [n for n in by_words if not any(_within(options[n], options[m]) for m in by_words if m != n)]
    if len(longest) == 1:
        return longest[0]
    match = LETTER_ALONE.match(reply)
    if match and (number := LETTERS.index(match.group(1).upper())) < len(options):
        return number
    return None


def _within(one: str, other: str) -> bool:
    return _plain(one) != _plain(other) and _plain(one) in _plain(other)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
