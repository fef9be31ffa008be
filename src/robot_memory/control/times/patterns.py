"""Patterns written with names in braces: "{count} {unit} ago". Each name is a word class, defined once, here.

Patterns are matched on lower-case text of the same length as the original, with plain apostrophes and hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from robot_memory.control.times import words

STRAIGHT = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-"})


def _any(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace("\\ ", " ") for name in sorted(names, key=len, reverse=True))


_SMALL = _any(words.NUMBERS)
_TENS = rf"(?:{_any(words.TENS)})(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
_NUMBER = rf"\d+(?:\.\d+)?|{_TENS}|{_SMALL}"
_FRACTION = "half an?|(?:a )?quarter of an?"
_UNIT = rf"(?:{_any(words.UNITS)})s?|(?:{_any(words.SHORT_UNITS)})s?\b\.?"
_DAYS = _any((*words.WEEKDAYS, *words.SHORT_WEEKDAYS))
_MONTH = _any((*words.MONTHS, *words.SHORT_MONTHS))
_ORDINAL = rf"(?:twenty|thirty)[- ](?:{_any(words.ORDINALS)})|{_any(words.ORDINALS)}"
_HOUR_WORDS = _any(list(words.NUMBERS)[1:13])

NAMES = {
    "count": rf"(?:{_FRACTION}|an?|(?:a |one )?dozen|a hundred|{_any(words.LOOSE_COUNTS)}|{_NUMBER})(?: of)?",
    "unit": _UNIT,
    "weekday": rf"(?:{_DAYS})(?!\w)\.?",
    "month": rf"(?:{_MONTH})(?!\w)\.?",
    "fullmonth": _any(words.MONTHS),
    "dayth": r"\d{1,2}(?:st|nd|rd|th)?(?!\d)",
    "ordinal": rf"{_ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)",
    "year": r"(?:1[89]|2[01])\d\d(?!\d|:|\s?(?:am|pm)\b)",
    "part": "morning|afternoon|evening|night",
    "meal": _any(words.MEALS),
    "season": _any(words.SEASONS),
    "feast": _any((*words.FEASTS, *words.EASTER_FEASTS, "thanksgiving")),
    "hour": rf"[01]?\d|2[0-3]|{_HOUR_WORDS}",
    "minute": r"[0-5]\d",
    "half": r"a\.?m\b\.?|p\.?m\b\.?",
    "named": _any(words.NAMED_HOURS),
    "numberword": _SMALL,
}


def pattern(text: str) -> re.Pattern[str]:
    """A pattern with {name} or {name:group} filled in, spaces meaning any, ending where a word ends."""

    def fill(match: re.Match[str]) -> str:
        return f"(?P<{match['group'] or match['name']}>{NAMES[match['name']]})"

    filled = re.sub(r"\{(?P<name>[a-z]+)(?::(?P<group>\w+))?\}", fill, text)
    spaced = filled.replace(" ?", r"\s*").replace(" *", r"\s*").replace(" ", r"\s+")
    return re.compile(spaced + r"(?!\w)")


def plain(text: str) -> str:
    """The text in lower case, letter for letter, with typewriter apostrophes and hyphens."""
    return "".join(low if len(low := c.lower()) == 1 else c for c in text).translate(STRAIGHT)


def count_of(said: str) -> tuple[float, float]:
    """A count in words or digits: at least, at most."""
    said = " ".join(said.split()).removesuffix(" of").strip()
    if said in words.LOOSE_COUNTS:
        return words.LOOSE_COUNTS[said]
    number = _exact(said)
    return number, number


def _exact(said: str) -> float:
    if said.startswith("half"):
        return 0.5
    if "quarter" in said:
        return 0.25
    if said.endswith("dozen"):
        return 12
    if said in ("a", "an"):
        return 1
    if said == "a hundred":
        return 100
    if said in words.NUMBERS:
        return words.NUMBERS[said]
    tens, _, ones = said.replace("-", " ").partition(" ")
    if tens in words.TENS:
        return words.TENS[tens] + words.NUMBERS.get(ones, 0)
    return float(said)


def unit_of(said: str) -> str:
    """ "mins" -> "minute"."""
    said = said.rstrip(".")
    for name in (said, said.removesuffix("s")):
        if name in words.UNITS:
            return name
        if name in words.SHORT_UNITS:
            return words.SHORT_UNITS[name]
    raise KeyError(said)


def weekday_of(said: str) -> int:
    """Monday is 0."""
    said = said.rstrip(".")
    return words.SHORT_WEEKDAYS[said] if said in words.SHORT_WEEKDAYS else words.WEEKDAYS.index(said)


def month_of(said: str) -> int:
    said = said.rstrip(".")
    return words.SHORT_MONTHS[said] if said in words.SHORT_MONTHS else words.MONTHS.index(said) + 1


def ordinal_of(said: str) -> int:
    """ "3", "3rd" or "third" -> 3."""
    if said[0].isdigit():
        return int(re.sub(r"\D", "", said))
    if said in words.ORDINALS:
        return words.ORDINALS[said]
    tens, _, ones = said.replace("-", " ").partition(" ")
    return words.TENS[tens] + words.ORDINALS[ones]
