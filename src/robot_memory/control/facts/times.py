"""What is to be done, and when, parted: "fix the gate" and "on Friday"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

TIMED = ("appointment", "promise", "plan", "routine")  # attributes whose values tell when


@lru_cache(maxsize=10_000)
def parted(value: str) -> tuple[str, str]:
    """The doing and its time, empty where none is told."""
    words = value.split()
    for at in range(1, len(words)):
        if _begins_a_time(words[at:]):
            return " ".join(words[:at]), " ".join(words[at:])
    return value, ""


def falls_on(when: str, weekday: str, date: str) -> bool:
    """Whether a time in words is on a day: "on Friday at 15:30", "on 6 March"."""
    return any(re.search(rf"\b{day}\b", when, re.IGNORECASE) for day in (weekday, f"{weekday}s", date))


def _begins_a_time(words: Sequence[str]) -> bool:
    plain = [re.sub(r"[^\w':-]", "", word.lower()) for word in words]
    text = " ".join(plain)
    if plain[0] in _words("always") or any(text.startswith(f"{pair} ") or text == pair for pair in _pairs()):
        return True
    if plain[0] not in _words("leads"):
        return False
    following = [word for word in plain[1 : int(_table()["reach"])] if word not in _words("fill")]
    return bool(following) and (_is_moment(following[0]) or bool(_words("strong") & set(following[1:2])))


def _is_moment(word: str) -> bool:
    """A weekday, a month, a clock time, a date."""
    return word in _words("moments") or re.fullmatch(r"\d{1,2}(?::\d\d|st|nd|rd|th|am|pm)?|\d{4}", word) is not None


@cache
def _pairs() -> tuple[str, ...]:
    return tuple(pair.strip() for pair in _table()["pairs"].split(","))


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(_table()[key].split())


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("times.yaml").read_text("utf-8"))
    return loaded
