"""Fills the slots of a phrase: "{subject} is {value_np}." becomes "Ben is a nurse."

Every sentence of the result begins with a capital, so a slot may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from robot_memory.errors import RobotMemoryError

SLOT = re.compile(r"\{([a-z0-9_]+)\}")
START = re.compile(r"(^|[.!?] )([a-zé])")


class SlotUnfilled(RobotMemoryError):
    """A phrase has a slot that nobody filled."""


def slots_of(template: str) -> frozenset[str]:
    """The names of a template's slots."""
    return frozenset(SLOT.findall(template))


def fill(template: str, *tables: Mapping[str, str], **more: str) -> str:
    """The phrase with its slots filled; slots it does not have may be given too. Raises SlotUnfilled."""
    given: dict[str, str] = {}
    for table in tables:
        given.update(table)
    return START.sub(lambda start: start[1] + start[2].upper(), put(template, given | more))


def put(template: str, given: Mapping[str, str]) -> str:
    """The same without capitals: what a fact records. Raises SlotUnfilled."""
    missing = sorted(slots_of(template) - given.keys())
    if missing:
        raise SlotUnfilled(f"{template!r} wants {', '.join(missing)} — give it by that name")
    return SLOT.sub(lambda slot: given[slot[1]], template)
