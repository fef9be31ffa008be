"""People who say what they are called. Each way must leave no doubt that a name follows."""

from __future__ import annotations

from functools import lru_cache

from robot_memory.memorization.naming.phrases import find
from robot_memory.memorization.naming.written import as_spoken


def introduced(text: str) -> list[str]:
    """The names by which the speaker calls himself or herself, in order, each once: "I'm Grace.", never "I'm happy"."""
    return list(_introduced(text))


@lru_cache(maxsize=1024)
def _introduced(text: str) -> tuple[str, ...]:
    text = as_spoken(text)
    found = [*find("own", text), *find("own_first", text), *find("own_weak", text, sure=False)]
    return tuple(dict.fromkeys(one.name for one in sorted(found, key=lambda one: one.end)))
