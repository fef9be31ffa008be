"""A claim as a sentence: "Anna works as a nurse", "Ben does not like olives". The forms are in saying.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


def sentence(subject: str, attribute: str, value: str, polarity: int = 1, past: bool = False) -> str:
    """The claim in words, without a full stop. `past`: it was so and is no longer."""
    forms = _table().get(attribute, _table()["*"])
    form: str = forms["was" if past else "so" if polarity > 0 else "not"]
    plural = is_plural(subject)
    kin, who = kin_of(value)
    said: str = form.format_map(
        {
            "s": subject,
            "attribute": attribute,
            "v": value,
            "a": with_article(value),
            "in": placed(value),
            "kin": kin,
            "who": who or "somebody",
            "is": "are" if plural else "is",
            "were": "were" if plural else "was",
        }
    )
    return said


def with_article(value: str) -> str:
    """ "a nurse", "an old boat"; as it is where something determines it already, or it is plural or a name."""
    first = value.split(" ", 1)[0].lower()
    if not first or first in _words("determined") or first.isdigit() or not value[0].islower() or is_plural(value):
        return value
    hard = first.startswith(tuple(_words("consonant_vowels")))
    return f"{'an' if first[0] in _words('vowels') and not hard else 'a'} {value}"


def placed(value: str) -> str:
    """ "in Leeds"; as it is where a preposition leads it."""
    return value if value.split(" ", 1)[0].lower() in _words("placed") else f"in {value}"


def kin_of(value: str) -> tuple[str, str]:
    """ "big sister Anna" as what somebody is and who: (big sister, Anna). A name begins with a capital or a token."""
    words = value.split()
    at = next((n for n, word in enumerate(words) if word[0].isupper() or word[0] == "<"), len(words))
    return " ".join(words[:at]), " ".join(words[at:])


def is_plural(words: str) -> bool:
    """Whether the head of a noun phrase looks plural: the word before its first "of", "with" or the like."""
    head = words.split(" of ")[0].split(" with ")[0].split(" on ")[0].split(" at ")[0].rsplit(" ", 1)[-1].lower()
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "'s", "’s"))


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("saying.yaml").read_text("utf-8"))
    return loaded


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(_table()[key].split())
