""" "Not" belongs to the polarity of a claim, not to its value or attribute: ("diet", "not vegetarian") denies
("diet", "vegetarian").

Moved only where it governs the whole: at the beginning, or after the one "is" of a simple clause. In "tea but not
coffee" or "not only tea" it stays.
"""

from __future__ import annotations

import re

from robot_memory.memory.insertion.wording.tables import listed, table

APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})
LEADING = re.compile(r"(?:(?:is|are|do|does|has|have)(?:n't|\s+not)|not|never|no\s+longer|no)\s+(?=\S)", re.IGNORECASE)
INNER = re.compile(r"\b(is|are)(?:n't|\s+not)\s+(?=\S)", re.IGNORECASE)
TRAILING = re.compile(r"\s+(?:any\s*more|any\s+longer|at\s+all)[\s.!]*$", re.IGNORECASE)


def of_value(value: str) -> tuple[str, int]:
    """The value without what denies it as a whole, and the sign that this makes. "no" alone denies "yes"."""
    text, sign = value.translate(APOSTROPHES), 1
    while (shorter := _less_one_denial(text)) is not None:
        text, sign = shorter, -sign
    if text == value.translate(APOSTROPHES):
        return value, 1
    return TRAILING.sub("", text), sign


def _less_one_denial(text: str) -> str | None:
    """The text without its first denial; None if it has none that governs the whole."""
    if text.strip(" .!").casefold() == "no":
        return "yes"
    found = LEADING.match(text.lstrip())
    if found and not _only(text.lstrip()[found.end() :]):
        return text.lstrip()[found.end() :]
    found = INNER.search(text)
    if found and _simple(text) and not _only(text[found.end() :]):
        return f"{text[: found.start()]}{found[1]} {text[found.end() :]}"
    return None


def of_attribute(words: list[str]) -> tuple[list[str], int]:
    """The attribute's words without denials, and the sign. The "does" of "does not like" goes with its "not"."""
    sign, left = 1, list[str]()
    for word in words:
        if word in ("not", "never", "no"):
            sign = -sign
        elif not (word == "longer" and sign < 0):
            left.append(word)
    if sign < 0 and len(left) > 1 and left[0] in ("do", "does"):
        left = left[1:]
    return (left, sign) if left else (words, 1)


def _only(rest: str) -> bool:
    """Whether what follows makes a "not" no denial ("not only"), or a "no" a number ("No. 5")."""
    first = rest.lstrip(" .").split(maxsplit=1)[:1]
    return bool(first) and (first[0].casefold() in listed("words", "not_negating") or first[0][0].isdigit())


def _simple(text: str) -> bool:
    joining = table("words")["joining"].split()
    return "," not in text and ";" not in text and not any(word in joining for word in text.casefold().split())
