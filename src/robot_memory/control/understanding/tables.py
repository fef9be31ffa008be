"""The table words.yaml of this folder, read once when it is first needed: word classes as sets, phrases as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

import yaml

NEVER = re.compile(r"(?!)")


@cache
def table() -> Mapping[str, str]:
    """Every entry of the table as it is written."""
    loaded: Mapping[str, str] = yaml.safe_load(files(__package__).joinpath("words.yaml").read_text("utf-8"))
    return loaded


@cache
def listed(key: str) -> frozenset[str]:
    """A list of words, as a set."""
    return frozenset(table()[key].split())


@cache
def phrases(key: str) -> tuple[str, ...]:
    """A list of phrases, the longest first, so that the first that fits is the whole of it."""
    found = (" ".join(phrase.split()) for phrase in table()[key].split(","))
    return tuple(sorted((phrase for phrase in found if phrase), key=lambda phrase: (-len(phrase), phrase)))


@cache
def pattern(key: str) -> re.Pattern[str]:
    """Any phrase of a list as whole words, in capitals or not."""
    return any_of(phrases(key))


def any_of(found: Iterable[str]) -> re.Pattern[str]:
    """Any of these phrases as whole words; nothing at all where there are none."""
    spelled = [r"\s+".join(re.escape(word) for word in phrase.split()) for phrase in found]
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)", re.IGNORECASE) if spelled else NEVER
