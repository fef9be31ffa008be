"""Why a memory is as salient as it is: each reason, and how much it adds to or takes from the log-odds."""

from __future__ import annotations

import sqlite3

from robot_memory.memorization.saliency.parts import remembered
from robot_memory.memorization.saliency.surprise import experience
from robot_memory.memorization.saliency.table import USUAL, usual
from robot_memory.memorization.saliency.weights import weights


def why(db: sqlite3.Connection, memory: int) -> list[tuple[str, float]]:
    """What every sentence begins with, then the reasons (of saliency.yaml) that apply, the weightiest first; empty for
    what was not weighed. 1 / (1 + exp(-sum)) is the saliency by the weights of now.
    """
    for one in remembered(db, [memory]):
        if one.surprise is not None:
            first_clip = experience(db, [one.event]).first_clip(one.event.place)
            adds = weights(db)
            parts = one.parts(one.surprise, first_clip)
            found = [(name, adds[name] * amount) for name, amount in parts.items() if amount]
            return [(USUAL, usual()), *sorted(found, key=lambda reason: (-abs(reason[1]), reason[0]))]
    return []
