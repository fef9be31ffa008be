"""The tables of this folder, read once when they are first needed: words, opposites, attributes, units, calendar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def table(name: str) -> Mapping[str, Any]:
    """The table NAME.yaml."""
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text("utf-8"))
    return loaded


@cache
def listed(name: str, key: str) -> frozenset[str]:
    """A list of words, as a set."""
    return frozenset(table(name)[key].split())


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Word -> the words it cannot hold together with."""
    found: dict[str, set[str]] = {}
    for line in table("opposites")["pairs"].splitlines():
        one, other = line.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
