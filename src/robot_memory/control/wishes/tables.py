"""The tables of this folder, read once when they are first needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def table(name: str) -> Mapping[str, Any]:
    """A table as it is written."""
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text("utf-8"))
    return loaded


@cache
def listed(key: str) -> frozenset[str]:
    """A list of words of the lexicon, as a set."""
    return frozenset(table("lexicon")[key].split())


@cache
def phrases(key: str) -> tuple[tuple[str, ...], ...]:
    """A list of phrases of the lexicon as words, the longest first."""
    found = (tuple(phrase.split()) for phrase in table("lexicon")[key].split(","))
    return tuple(sorted((phrase for phrase in found if phrase), key=lambda phrase: (-len(phrase), phrase)))


@cache
def lemmas() -> Mapping[str, str]:
    """Form -> verb, for the verbs that frames speak of."""
    forms: dict[str, str] = {}
    for verb in table("lexicon")["verbs"].split():
        for form in (verb, *_regular(verb)):
            forms[form] = verb
    return forms | dict(pair.split("=") for pair in table("lexicon")["irregular"].split())


def _regular(verb: str) -> tuple[str, ...]:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    stem = verb.removesuffix("e") if not verb.endswith("ee") else verb
    return third, f"{stem}ed" if verb.endswith("e") else f"{verb}ed", f"{stem}ing"
