"""Appointments, promises, plans and routines, as told. A promise is what somebody undertakes to do, a plan what
somebody means to do and when, a routine what comes again and again, an appointment what is arranged for a time.

How each is told is in dated.yaml; the time is in words that mean the same on any later day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.memorization.speech import doings, events
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.dates import Time, times_in, together
from robot_memory.memorization.speech.timed import left_in, reported, supposed, timed
from robot_memory.memorization.speech.told import Line, Told
from robot_memory.memorization.speech.whole import referents, whole

LONG_AGO = re.compile(r"\b(?:year|month|summer|winter|spring|autumn|ago)s?\b", re.IGNORECASE)
READ = ("appointment", "promise", "plan", "routine")


def claims(clause: Clause, line: Line, before: Sequence[Clause]) -> list[Told]:
    """What a clause tells of times to come or of habits, with the rest of its sentence."""
    text = whole(clause, before)
    if not text or supposed(text) or reported(text):
        return []
    if any(
        one.kind == "past" and not one.date.startswith("since") and LONG_AGO.search(one.date)
        for one in times_in(text, line)
    ):
        return []
    sentence = timed(referents(text, clause), line)
    found = (
        doings.promised(sentence, sure=True)
        or events.appointed(sentence)
        or doings.habitual(sentence)
        or doings.promised(sentence)
        or doings.planned(sentence)
    )
    return [] if found is None else [Told(**{**vars(found), "clause": clause.said})]


def corrected(text: str, before: Told, line: Line) -> Told | None:
    """The claim as it should have been, where `text` puts its time right ("No, sorry, Thursday, not Friday")."""
    if before.attribute not in READ:
        return None
    old = together(times_in(before.value, line))
    right = _right(text, before.value, line)
    if right is None or old is None:
        return None
    part = right.part or ("" if right.clock else old.part)
    words = " ".join(filter(None, (right.date or old.date, right.clock or old.clock, part)))
    value = f"{before.value[: old.start].rstrip()} {words}{before.value[old.end :]}"
    return None if value == before.value else Told(**{**vars(before), "value": value, "clause": text})


def _right(text: str, wrong: str, line: Line) -> Time | None:
    """The time that a correction gives: the one it does not deny and that was not said before."""
    given = [one for one in left_in(text, line) if one.words not in wrong]
    return together(given[-1:] if len({one.date for one in given}) > 1 else given)
