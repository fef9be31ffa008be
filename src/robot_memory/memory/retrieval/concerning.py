"""The person channel: how far a memory concerns the persons that a question is about.

Who spoke, or whom a claim is of, is what such a question asks for; who merely was there is second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from robot_memory.memory.retrieval.filters import LISTED, listed

OWN, PRESENT = 1.0, 0.5


def concerns(db: sqlite3.Connection, memories: Collection[int], entities: Sequence[int]) -> dict[int, float]:
    """Memory -> 1 where one of those faces and voices spoke or is the subject, 0.5 where one took part; others are left
    out.
    """
    if not entities or not memories:
        return {}
    rows = db.execute(
        "SELECT edges.memory, max(CASE WHEN turns.entity = edges.entity "
        "OR memories.subject = '<' || entities.kind || '_' || edges.entity || '>' "
        "OR memories.subject = '<person_' || entities.person || '>' "
        f"THEN {OWN} ELSE {PRESENT} END) "
        "FROM edges JOIN memories ON memories.id = edges.memory JOIN entities ON entities.id = edges.entity "
        "LEFT JOIN turns ON turns.id = memories.turn "
        f"WHERE edges.memory IN {LISTED} AND edges.entity IN {LISTED} GROUP BY edges.memory",
        (listed(memories), listed(entities)),
    )
    return dict(rows.fetchall())
