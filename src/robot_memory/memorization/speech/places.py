"""Words for a place: what is one, and how it reads once a thing has come to rest there."""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.tables import listed, table
from robot_memory.memorization.speech.whole import filled

FAR = re.compile(r"^(?:up|down|out|over|away|right|through) ", re.IGNORECASE)
INTO = re.compile(r"^((?:up|down|out|over|away|through|right) )?(into|in to|onto|on to|to)\b ?", re.IGNORECASE)


def place(said: str) -> str:
    """A place as it reads later; "" for what is none."""
    words = " ".join(said.strip(" ,.:;").split())
    words = _to_the_noun(words[:1].lower() + words[1:])
    if not words or _pattern("{bare}(?![\\w'])").match(words):
        return words
    head = _head(words)
    if head in listed("things", "no_places") and not is_place(head):
        return ""
    return words if is_place(head) or _any("certain").match(FAR.sub("", words)) else ""


def _to_the_noun(words: str) -> str:
    """Without what follows the last noun of a place, where that noun is known: "on the shelf same as ever"."""
    parts = words.split()
    last = max((n for n, part in enumerate(parts) if is_place(part.removesuffix("'s"))), default=-1)
    rest = parts[last + 1 :]
    return words if last < 0 or any(_any("joining").fullmatch(part) for part in rest) else " ".join(parts[: last + 1])


def is_place(noun: str) -> bool:
    """Whether things are kept in, on or at what the noun names."""
    lower = noun.lower()
    single = lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower
    return lower in listed("things", "places") or single in listed("things", "places")


def arrived(moved: str) -> str:
    """Where a thing is that was moved "into the drawer" or "to the shelf"."""
    return INTO.sub(lambda found: f"{found[1] or ''}{_at_rest(found[2], moved[found.end() :])}", moved, count=1)


def on_or_in(words: str) -> str:
    """ "on" for a surface, "in" for all else."""
    return "on" if _head(words) in listed("things", "surfaces") else "in"


def leads_to(before: str) -> bool:
    """Whether what follows these words is a place or belongs to another noun."""
    return bool(_any("leading_to_place").search(before))


def _at_rest(preposition: str, rest: str) -> str:
    if _any("at_rest").match(rest):
        return ""
    word = preposition.lower()
    return f"{'in' if word.startswith('in') else 'on' if word.startswith('on') else on_or_in(rest)} "


def _head(words: str) -> str:
    """The noun of a place: the last word before its second preposition."""
    bare = _pattern("^(?:{updown})?(?:{prep} )?").sub("", words)
    first = _any("joining").split(bare)[0].split()
    return first[-1].lower().removesuffix("'s") if first else ""


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(filled("things", pattern), re.IGNORECASE)


@cache
def _any(key: str) -> re.Pattern[str]:
    return re.compile(table("things")[key], re.IGNORECASE)
