"""Times in speech, in words that mean the same on any later day: "tomorrow at three" said on a Monday becomes
"on Tuesday 3 March at three". What already means the same ("on Friday", "in spring", "every Monday") stays as it was
said, but tidy: the day before the hour, with its preposition.

A week, month or year counted from now keeps its words and says which it was: "next month (April 2026)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, cast

from robot_memory.memorization.speech import date_rules
from robot_memory.memorization.speech.tables import table
from robot_memory.memorization.speech.told import Line

Kind = Literal["recurring", "day", "span", "clock", "part", "past"]
DATED: tuple[Kind, ...] = ("recurring", "day", "span")
BETWEEN = re.compile(r"(?:,? ?(?:and )?(?:at |on )?|,? )$")
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Time:
    """A time phrase at [start, end) of a text. `date`, `clock` and `part`: its pieces in words, empty where not said;
    `kind` is that of the date, or of what there is.
    """

    start: int
    end: int
    kind: Kind
    date: str = ""
    clock: str = ""
    part: str = ""

    @property
    def words(self) -> str:
        """ "on Friday at three", "every Monday at six"."""
        return " ".join(filter(None, (self.date, self.clock, self.part)))


def times_in(text: str, line: Line) -> list[Time]:
    """The times of a text in order, as said on the line's day."""
    pieces = list(_pieces(text, line))
    joined: list[Time] = []
    for piece in pieces:
        if joined and (one := _one(joined[-1], piece, text)):
            joined[-1] = one
        else:
            joined.append(piece)
    return joined


def together(times: Sequence[Time]) -> Time | None:
    """One time of several that stand apart ("On Friday I am out, it is at three"); None where two days or two hours
    are meant.
    """
    dates = {one.date for one in times if one.date}
    clocks = {one.clock for one in times if one.clock}
    parts = {one.part for one in times if one.part}
    if not times or max(len(dates), len(clocks), len(parts)) > 1:
        return None
    kinds = [one.kind for one in times if one.kind in DATED] or [times[0].kind]
    date, clock, part = (next(iter(said), "") for said in (dates, clocks, parts))
    return Time(times[0].start, times[-1].end, kinds[0], date, clock, part)


def _one(first: Time, second: Time, text: str) -> Time | None:
    """Two pieces as one time, where nothing but a comma stands between and each adds what the other lacks."""
    between = text[first.end : second.start]
    if "past" in (first.kind, second.kind) or not BETWEEN.match(between):
        return None
    if any(a and b for a, b in ((first.date, second.date), (first.clock, second.clock), (first.part, second.part))):
        return None
    kind = first.kind if first.kind in DATED else second.kind if second.kind in DATED else first.kind
    joined = replace(first, end=second.end, kind=kind)
    return replace(
        joined,
        date=first.date or second.date,
        clock=first.clock or second.clock,
        part=first.part or second.part,
    )


def _pieces(text: str, line: Line) -> Iterator[Time]:
    at = 0
    while (found := _next(text, at)) is not None:
        match, kind, rule = found
        words = date_rules.reads(rule, match, line) if rule else tidy(match[0], kind)
        piece = _piece(match.start(), match.end(), kind, words)
        yield piece
        at = match.end()
        if kind in ("day", "recurring") and (hour := _bare_hour().match(text, at)):
            yield Time(at, hour.end(), "clock", clock=tidy("at " + hour["hour"], "clock"))
            at = hour.end()


def _piece(start: int, end: int, kind: Kind, words: str) -> Time:
    if kind == "clock":
        return Time(start, end, kind, clock=words)
    if kind == "part":
        return Time(start, end, kind, part=words)
    return Time(start, end, kind, date=words)


def _next(text: str, at: int) -> tuple[re.Match[str], Kind, str] | None:
    """The first piece from `at` on; of several that begin there the first of the table, of equal ones the longest."""
    best: tuple[re.Match[str], Kind, str] | None = None
    for pattern, kind, rule in _elements():
        match = pattern.search(text, at)
        if match and (best is None or (match.start(), -match.end()) < (best[0].start(), -best[0].end())):
            best = (match, kind, rule)
    return best


CAPITALS = re.compile(
    r"\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august|september|"
    r"october|november|december|christmas|easter|whitsun|halloween|thanksgiving|hanukkah|ramadan|eid|diwali)(s?)\b",
    re.IGNORECASE,
)
ON = re.compile(r"[A-Z]\w+days?\b|weekdays|the |first |second |third |fourth |last ")
MAY_OR_MARCH = re.compile(
    r"\b(in|of|by|until|till|from|during|before|after|next|this|late|early|\d|\dth|\dst|\dnd|\drd) (may|march)\b|"
    r"\b(may|march)(?= \d| the\b)"
)


def tidy(words: str, kind: Kind) -> str:
    """A piece of time with small letters where they belong, and with the preposition it lacks."""
    words = " ".join(words.strip(" ,:").lower().split())
    words = CAPITALS.sub(lambda found: found[1].capitalize() + found[2], words)
    words = MAY_OR_MARCH.sub(_capital, words)
    words = re.sub(r"^come ", "in " if kind == "span" else "", words)
    words = re.sub(r" (?:sharp|on the dot)$|\bexactly ", "", words)
    words = re.sub(r"(?<=\d) ?([ap])\.?m\b\.?", r" \1m", words).replace("new year", "New Year")
    if kind == "clock" and not re.match(r"(?:at|by|around|about|from|for|until|till|before|after)\b", words):
        return f"at {words}"
    if kind == "day" and re.match(r"(?:the|\d|[A-Z])", words):
        return f"on {words}"
    if kind == "recurring" and ON.match(words):
        return f"on {words}"
    if kind == "recurring" and words.startswith("weekends"):
        return f"at {words}"
    return words


def _capital(found: re.Match[str]) -> str:
    return f"{found[1]} {found[2].capitalize()}" if found[1] else found[3].capitalize()


@cache
def _elements() -> tuple[tuple[re.Pattern[str], Kind, str], ...]:
    return tuple(
        (
            re.compile(rf"(?<![\w'-])(?:{_filled(row['say'])})(?![\w'-])", re.IGNORECASE),
            cast("Kind", row["kind"]),
            row.get("then", ""),
        )
        for row in table("dates")["elements"]
    )


@cache
def _bare_hour() -> re.Pattern[str]:
    return re.compile(_filled(table("dates")["bare_hour"]), re.IGNORECASE)


def _filled(pattern: str) -> str:
    """A pattern with its braces filled."""
    dates = table("dates")

    def put(slot: re.Match[str]) -> str:
        name = slot[1]
        if name in dates["patterns"]:
            return _filled(dates["patterns"][name])
        return f"(?:{'|'.join(_phrases(dates['words'][name], name))})"

    return SLOT.sub(put, pattern)


def _phrases(words: str, name: str) -> list[str]:
    """The words of a list; its pairs of words are joined by what they are ("a couple of", "new year")."""
    pairs = {"a couple of", "a few", "new year", "half term"}
    found = words
    for pair in pairs:
        found = found.replace(pair, pair.replace(" ", "_"))
    return [re.escape(word).replace("_", " ") for word in sorted(found.split(), key=len, reverse=True)]
