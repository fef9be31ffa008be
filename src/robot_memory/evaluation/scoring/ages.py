"""How old the evidence of a question was when it was asked, in steps from minutes to months.

What was said a minute ago and what was said in spring are not found in the same way, so recall is told for each.
"""

from __future__ import annotations

from robot_memory.evaluation.trial import Question
from robot_memory.streams.media import SECOND

HOUR_NS = 3600 * SECOND
DAY_NS = 24 * HOUR_NS
BELOW = {"minutes": HOUR_NS, "hours": DAY_NS, "days": 7 * DAY_NS, "weeks": 30 * DAY_NS}  # name -> younger than this
OLDEST = "months"
AGES = (*BELOW, OLDEST)


def age(question: Question) -> str:
    """One of AGES, by the evidence that is youngest; empty for a question without evidence."""
    if not question.evidence:
        return ""
    old_ns = question.at_ns - max(moment.end_ns for moment in question.evidence)
    return next((name for name, below_ns in BELOW.items() if old_ns < below_ns), OLDEST)
