"""The tables of this folder, read once when they are first needed: word classes as sets, phrases as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

NEVER = re.compile(r"(?!)")


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table NAME.yaml as it is written."""
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text("utf-8"))
    return loaded


@cache
def listed(name: str, key: str) -> frozenset[str]:
    """A list of words, as a set."""
    return frozenset(table(name)[key].split())


@cache
def phrases(name: str, key: str) -> tuple[str, ...]:
    """A list of phrases between commas, the longest first, so that the first that fits is the whole of it."""
    found = (" ".join(phrase.split()) for phrase in table(name)[key].split(","))
    return tuple(sorted((phrase for phrase in found if phrase), key=lambda phrase: (-len(phrase), phrase)))


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """Any phrase of a list as whole words, in capitals or not."""
    return any_of(phrases(name, key))


@cache
def opening(name: str, key: str) -> re.Pattern[str]:
    """Any phrase of a list at the beginning of a text, with what parts it from the rest."""
    return re.compile(rf"^(?:{alternatives(phrases(name, key))})(?!\w)[,:]?\s*", re.IGNORECASE)


def any_of(found: Iterable[str]) -> re.Pattern[str]:
    """Any of these phrases as whole words; nothing at all where there are none."""
    return _whole_words(tuple(found))


@cache
def _whole_words(found: tuple[str, ...]) -> re.Pattern[str]:
    spelled = alternatives(found)
    return re.compile(rf"(?<![\w'])(?:{spelled})(?![\w'])", re.IGNORECASE) if spelled else NEVER


def alternatives(found: Iterable[str]) -> str:
    """The phrases as alternatives of a pattern; "*" in a phrase stands for a word."""
    spelled = (r"\s+".join(r"[\w'-]+" if word == "*" else re.escape(word) for word in one.split()) for one in found)
    return "|".join(spelled)
