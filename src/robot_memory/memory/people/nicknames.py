"""Which short names stand for which full ones: Kate for Catherine, Bill for William. The table is nicknames.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import yaml

from robot_memory.memory.people.sounds import same_sound, words


def is_short_for(one: str, other: str) -> bool:
    """Whether one of two first names is short for the other, or both for a third: Kate, Katherine, Katie."""
    ours, theirs = set(_meant(one)), set(_meant(other))
    return bool(ours and theirs) and any(a == b or same_sound(a, b) for a in ours for b in theirs)


def _meant(name: str) -> Iterator[str]:
    """The name and the full names that it stands for."""
    for word in words(name)[:1]:
        yield word
        yield from _table().get(word, ())


@cache
def _table() -> dict[str, tuple[str, ...]]:
    table: dict[str, str] = yaml.safe_load(files(__package__).joinpath("nicknames.yaml").read_text("utf-8"))
    return {short: tuple(full.split()) for short, full in table.items()}
