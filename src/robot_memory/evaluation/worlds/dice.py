"""Chance from a seed: every part of a world throws its own dice, so that a change of one part leaves the others be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def dice(*of: object) -> random.Random:
    """The same throws for the same words, on every machine and version of Python."""
    return random.Random("/".join(str(part) for part in of))


def some(throw: random.Random, of: Sequence[T], count: int) -> list[T]:
    """`count` different ones, or all in another order where there are fewer."""
    return throw.sample(list(of), min(count, len(of)))
