"""How much each reason adds: what the table says, and what answers have taught on top of it (the store's `weights`)."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping

from robot_memory.memorization.saliency.table import reasons, usual

Weights = Mapping[str, float]  # reason -> what it adds to the log-odds


def weights(db: sqlite3.Connection) -> Weights:
    """What each reason adds now."""
    taught = dict(map(tuple, db.execute("SELECT name, value FROM weights")))
    return {one.name: one.adds + taught.get(one.name, 0.0) for one in reasons()}


def saliency(parts: Mapping[str, float], adds: Weights) -> float:
    """0 to 1, of a sentence with so much of each reason."""
    return 1.0 / (1.0 + math.exp(-usual() - sum(adds[name] * amount for name, amount in parts.items())))
