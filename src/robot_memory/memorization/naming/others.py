"""People who say who somebody else is: "this is Clara", "meet my brother Ben", "have you met Anna?" """

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.naming.phrases import find
from robot_memory.memorization.naming.written import as_spoken


@dataclass(frozen=True)
class Presented:
    """A name given to somebody else. `asked`: in words that are said of people who are not there as well."""

    name: str
    asked: bool = False


def presented(text: str) -> list[Presented]:
    """Whom the speaker introduces; the same words never introduce the speaker as well."""
    return list(_presented(text))


@lru_cache(maxsize=1024)
def _presented(text: str) -> tuple[Presented, ...]:
    own, text = introduced(text), as_spoken(text)
    found = [Presented(one.name) for one in find("other", text)]
    found += [Presented(one.name, asked=True) for one in find("asked", text)]
    return tuple(dict.fromkeys(one for one in found if one.name not in own))
