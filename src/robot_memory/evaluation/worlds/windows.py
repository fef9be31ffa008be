"""Stretches of days that questions speak of: "yesterday", "this morning", "on Tuesday afternoon"; and moments.

Whatever lies across the border of such a stretch makes the question unclear, and it is not asked.
"""

from __future__ import annotations

from functools import partial

from robot_memory.evaluation.trial import Expected, Moment
from robot_memory.evaluation.worlds.asking import Answer, Unclear, When
from robot_memory.evaluation.worlds.record import Heard, Record, Seen
from robot_memory.evaluation.worlds.world import World
from robot_memory.streams.media import SECOND

PARTS = ("", "morning", "afternoon")
TOLERANCE_NS = 5 * 60 * SECOND  # a moment may be told this much too early or too late


def seen_in(record: Record, when: When) -> list[Seen]:
    """The appearances of a stretch. Raises Unclear."""
    return [one for one in record.seen_on(when.day) if _inside(record, when, one)]


def lines_in(record: Record, when: When) -> list[Heard]:
    """The lines of a stretch. Raises Unclear."""
    return [one for one in record.heard_on(when.day) if _inside(record, when, one)]


def whens(record: Record) -> list[When]:
    """All stretches that can be asked about: those that have come."""
    return [When(day, part) for day in record.days for part in PARTS]


def words(world: World, when: When, now_ns: int) -> str:
    """The stretch as somebody says it now."""
    then, now = world.local(world.days[when.day].start_ns), world.local(now_ns)
    ago = (now.date() - then.date()).days
    if ago == 0:
        return f"this {when.part}" if when.part else "today"
    day = "yesterday" if ago == 1 else f"on {then:%A}" if ago < 7 else f"on {then.day} {then:%B}"
    return f"{day} {when.part}".strip() if ago < 7 or not when.part else f"on the {when.part} of {day[3:]}"


def time_answer(start_ns: int, end_ns: int, evidence: tuple[Moment, ...]) -> Answer:
    """A moment within the span, with tolerance on both sides."""
    return Answer(Expected("time", span_ns=(start_ns - TOLERANCE_NS, end_ns + TOLERANCE_NS)), evidence)


def _inside(record: Record, when: When, one: Seen | Heard) -> bool:
    if not when.part:
        return True
    hour = partial(_hour, record.world)
    if (hour(one.start_ns) < 12) != (hour(one.end_ns) < 12):
        raise Unclear
    return (hour(one.start_ns) < 12) == (when.part == "morning")


def _hour(world: World, at_ns: int) -> int:
    return (at_ns // SECOND + world.offset_s) // 3600 % 24
