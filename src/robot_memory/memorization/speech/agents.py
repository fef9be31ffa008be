"""The job that somebody's daily doing makes: who drives a bus is a bus driver, who teaches maths a maths teacher.

Only doings that are hardly ever anything but work are in the table; "I fix bikes" at the weekend is taken for a trade.
"""

from __future__ import annotations

import re
from functools import cache

from robot_memory.memorization.speech.tables import table
from robot_memory.memorization.speech.verbs import plain
from robot_memory.memory.insertion.wording.inflection import singular


def trade_of_doing(text: str) -> list[str]:
    """The job of who does `text` ("drives a bus", "repairing clocks"); none where the table has none."""
    verb, _, rest = text.removesuffix(" for a living").partition(" ")
    verb = plain(verb.lower())
    verb = table("job")["alike"].get(verb, verb)
    for known, pattern, template in _agents():
        if verb == known and (fit := pattern.fullmatch(rest.strip())):
            what = fit[1] if pattern.groups else ""
            return [template.format(what if template.endswith(("teacher", "driver")) else singular(what))]
    return []


@cache
def _agents() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((verb, re.compile(what, re.IGNORECASE), job) for verb, what, job in table("job")["agents"])
