"""Questions and answers on a page: each answer unfolds to why the robot says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Evidence, Outcome
from robot_memory.control.answering.times import at
from robot_memory.control.clock import Zone
from robot_memory.control.page.markup import Markup, tag
from robot_memory.control.page.pictures import Pictures

MOST_REASONS = 6


@dataclass(frozen=True)
class Asked:
    """A question with its answer; `evidence` as the store has it."""

    question: str
    text: str
    outcome: Outcome
    message: str = ""
    confidence: float = 0.0
    evidence: tuple[Evidence, ...] = ()


def section(asked: Sequence[Asked], pictures: Pictures, now_ns: int, zone: Zone) -> Markup:
    """A fold a question."""
    if not asked:
        return Markup("")
    return tag(
        "section", tag("h2", "Ask me"), *(_answer(one, pictures, now_ns, zone) for one in asked), id="answers"
    )


def _answer(one: Asked, pictures: Pictures, now_ns: int, zone: Zone) -> Markup:
    known = one.outcome is Outcome.ANSWERED
    reasons = [_reason(piece, pictures, now_ns, zone) for piece in one.evidence[:MOST_REASONS]]
    if len(one.evidence) > MOST_REASONS:
        reasons.append(tag("li", f"and {len(one.evidence) - MOST_REASONS} memories more", class_="quiet"))
    if one.message and one.message != one.text:
        reasons.insert(0, tag("li", one.message))
    sure = f"{one.confidence:.0%} sure" if known else one.outcome.name.lower()
    why = tag("details", tag("summary", "Why do you say so?"), tag("ol", *reasons)) if reasons else Markup("")
    return tag(
        "article",
        tag("h3", one.question),
        tag("p", one.text or one.message, tag("small", f" {sure}"), class_="answer"),
        why,
        class_="asked" if known else "asked unknown",
    )


def _reason(piece: Evidence, pictures: Pictures, now_ns: int, zone: Zone) -> Markup:
    when = at(piece.start_ns, now_ns, zone)
    seen = pictures.snapshot(piece.snapshot, f"what the robot saw {when}") if piece.snapshot else Markup("")
    words = tag("q", piece.quote) if piece.quote and piece.quote not in piece.text else Markup("")
    return tag("li", tag("p", piece.text, tag("small", f" {when}")), words, seen)
