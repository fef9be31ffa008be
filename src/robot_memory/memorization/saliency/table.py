"""The table of reasons (saliency.yaml): what each is, how much it adds to a sentence's log-odds, how it is noticed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

USUAL = "usual"  # what every sentence begins with
SURPRISE, CLAIM, QUESTION = "surprise", "claim", "question"
FIRST_MEETING, FIRST_PLACE = "first meeting", "first place"
NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Reason:
    """`adds` to the log-odds: of surprise by the bit. A sentence has it if any of the other three fits it."""

    name: str
    adds: float
    what: str
    attributes: frozenset[str]
    sources: frozenset[str]
    words: re.Pattern[str]


@cache
def usual() -> float:
    """The log-odds of a sentence that nothing speaks for or against."""
    return float(_table()[USUAL])


@cache
def reasons() -> tuple[Reason, ...]:
    """All reasons, in the order of the table."""
    return tuple(
        Reason(
            name,
            float(row["adds"]),
            row["what"],
            frozenset(row.get("attributes", ())),
            frozenset(row.get("sources", ())),
            re.compile("|".join(row["words"]), re.IGNORECASE) if "words" in row else NEVER,
        )
        for name, row in _table()["reasons"].items()
    )


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("saliency.yaml").read_text("utf-8"))
    return loaded
