"""How recent a memory is: a small, bounded preference in steps of ever longer ages.

StreamMeCo's decay by clip (arXiv 2604.09000) shuts out what is older than some minutes; here an hour is to a day as a
day is to a week, and no age is shut out.
"""

from __future__ import annotations

HOUR_NS = 3_600_000_000_000
SLOTS_NS = (HOUR_NS, 24 * HOUR_NS, 7 * 24 * HOUR_NS, 30 * 24 * HOUR_NS)  # hour, day, week, month; then older


def recency(end_ns: int, now_ns: int) -> float:
    """1 within the last hour, 0 for what is older than a month, in equal steps between."""
    slot = sum(now_ns - end_ns > edge_ns for edge_ns in SLOTS_NS)
    return 1 - slot / len(SLOTS_NS)
