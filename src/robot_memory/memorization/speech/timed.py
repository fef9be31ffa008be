"""A sentence with its times taken out: what is left is read by patterns, wherever in it the time stood."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from robot_memory.memorization.speech.date_rules import today
from robot_memory.memorization.speech.dates import Time, times_in, together
from robot_memory.memorization.speech.tables import any_of, phrases, table
from robot_memory.memorization.speech.told import Line
from robot_memory.memorization.speech.whole import filled

MARK = "¤"
BORDER = re.compile(r"[,;:.?!]| but ")
NOT = re.compile(r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|hardly)\b", re.IGNORECASE)
LEADING = re.compile(r"^(?:[,;:. ]|\b(?:and|but|oh|well|so|ah|right|okay)\b[, ]|\b(?:yes|no)\b,)+", re.IGNORECASE)


@dataclass(frozen=True)
class Timed:
    """`marked`: the sentence with "¤" for each time; `bare`: without them. `when` is the time it tells, None where it
    tells none or several; `changed`: another time held before.
    """

    marked: str
    bare: str
    when: Time | None
    changed: bool = False

    def clause_at(self, text: str, start: int, end: int) -> str:
        """The stretch of `text` (marked or bare) between commas or stops in which [start, end) lies."""
        first = max((found.end() for found in BORDER.finditer(text, 0, start)), default=0)
        last = BORDER.search(text, end)
        return text[first : last.start() if last else len(text)]

    def needs(self, what: str) -> bool:
        """Whether the time is of the kind that a pattern asks for: any, time, day, span or recurring."""
        if what == "any":
            return self.when is None or self.when.kind != "recurring"
        if self.when is None:
            return False
        if what == "time":
            return self.when.kind in ("day", "span")
        return self.when.kind == what


def timed(text: str, line: Line) -> Timed:
    """A sentence in plain spelling, read on the line's day."""
    times = [one for one in times_in(text, line) if one.kind != "past"]
    marked, kept = _struck(_marked(text, times), times)
    marked = _tidy(any_of(phrases("dated", "light")).sub("", marked))
    bare = LEADING.sub("", _tidy(marked.replace(MARK, " ")))
    return Timed(marked, bare, _dated(together(kept), line), len(kept) < len(times))


def left_in(text: str, line: Line) -> list[Time]:
    """The times of a text that it neither denies nor calls past."""
    times = [one for one in times_in(text, line) if one.kind != "past"]
    return _struck(_marked(text, times), times)[1]


def _dated(when: Time | None, line: Line) -> Time | None:
    """A bare hour is of the day it is said on."""
    return replace(when, kind="day", date=today(line)) if when and when.kind == "clock" else when


def _marked(text: str, times: list[Time]) -> str:
    done, at = "", 0
    for number, one in enumerate(times):
        lead = re.match(r"[ ,:]*", text[one.start : one.end])
        done += f"{text[at : one.start]}{lead[0] if lead else ''}{MARK}{number}{MARK}"
        at = one.end
    return done + text[at:]


def _struck(text: str, times: list[Time]) -> tuple[str, list[Time]]:
    """The text without the times that held before a change, and the times that are left."""
    for former in _former():
        text = former.sub(" ", text)
    left = [times[int(number)] for number in re.findall(rf"{MARK}(\d+){MARK}", text)]
    if len(left) > 1:
        left = [one for one in left if not one.date.startswith("from ")] or left  # "from Tuesday to Friday"
    return re.sub(rf"{MARK}\d+{MARK}", MARK, text), left


@cache
def _former() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(f"(?<![\\w'])(?:{row})" if row[0] != "^" else row, re.IGNORECASE)
        for row in (str(row).replace(MARK, rf"{MARK}\d+{MARK}") for row in table("dated")["former"])
    )


@cache
def _harmless() -> re.Pattern[str]:
    return re.compile(filled("dated", table("dated")["harmless_if"]), re.IGNORECASE)


@cache
def _hypothetical() -> re.Pattern[str]:
    return re.compile(table("dated")["hypothetical"], re.IGNORECASE)


def supposed(text: str) -> bool:
    """Whether the sentence hangs on a condition that matters."""
    return bool(_hypothetical().search(_harmless().sub("", text)))


def _tidy(text: str) -> str:
    text = " ".join(text.split())
    text = re.sub(r"\s+([,.;:?!])", r"\1", text)
    return re.sub(r",(?:\s*,)+", ",", text).strip(" ,;:")


def reported(text: str) -> bool:
    """Whether the sentence passes on what somebody else said; that somebody promised is told by whoever says so."""
    return bool(_reported().search(text)) and not _yielding().search(text)


@cache
def _reported() -> re.Pattern[str]:
    return re.compile(filled("dated", table("dated")["reported"]), re.IGNORECASE)


@cache
def _yielding() -> re.Pattern[str]:
    return re.compile(filled("dated", table("dated")["said_so"]), re.IGNORECASE)


def denied(text: str) -> bool:
    """Whether a clause is denied by a word of its own."""
    return bool(NOT.search(_any("harmless_not").sub("", text)))


def taken_back(text: str) -> bool:
    """Whether a sentence takes back what it says: "people think I do, but I don't"."""
    return bool(_any("taken_back").search(text))


def ended(text: str) -> bool:
    """Whether what is told is over."""
    return bool(_any("ended").search(text))


def unreal(text: str) -> bool:
    """Whether a clause is of the past, of wishes or of duties."""
    return bool(_any("unreal").search(text))


@cache
def _any(key: str) -> re.Pattern[str]:
    """The pattern of a table, which may be written on several lines."""
    return re.compile(re.sub(r"\s*\n?\s+\|", "|", str(table("dated")[key]).strip()), re.IGNORECASE)
