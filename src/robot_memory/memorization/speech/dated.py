"""Appointments, promises, plans and routines, as told. A promise is what somebody undertakes to do, a plan what somebody
means to do and when, a routine what comes again and again, an appointment what is arranged for a time.

How each is told is in dated.yaml; the time is in words that mean the same on any later day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.memorization.speech import doings, events
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.dates import times_in, together
from robot_memory.memorization.speech.timed import supposed, timed
from robot_memory.memorization.speech.told import Line, Told
from robot_memory.memorization.speech.whole import referents, whole

READ = ("appointment", "promise", "plan", "routine")


def claims(clause: Clause, line: Line, before: Sequence[Clause]) -> list[Told]:
    """What a clause tells of times to come or of habits, with the rest of its sentence."""
    text = whole(clause, before)
    if not text or supposed(text):
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
    right, old = timed(text, line).when, together(times_in(before.value, line))
    if right is None or old is None:
        return None
    words = right.words if right.clock or not old.clock or right.kind == "clock" else f"{right.words} {old.clock}"
    if not right.date:
        words = f"{old.date} {right.words}"
    value = re.sub(rf"\s*{re.escape(before.value[old.start : old.end])}", f" {words}", before.value)
    return None if value == before.value else Told(**{**vars(before), "value": value, "clause": text})
