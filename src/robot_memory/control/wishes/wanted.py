"""What a question as read wants: by the form it has, and where it has none of those known, by what it is most like.

The persons asked about stand in the reading; a description ("the person who works as a nurse") counts as a name does.
"""

from __future__ import annotations

from dataclasses import replace

from robot_memory.control.understanding.reading import Reading
from robot_memory.control.wishes.clauses import readings
from robot_memory.control.wishes.earlier import earlier
from robot_memory.control.wishes.frames import Found, found_in
from robot_memory.control.wishes.given import given, suits
from robot_memory.control.wishes.nearest import by_likeness
from robot_memory.control.wishes.tokens import plain
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder

SURE = 0.95  # of a form that fits and says no other
# slots that become a wish's value
VALUES = ("value", "event", "doing", "thing", "jobvalue", "homeplace", "where", "age", "sort", "other")
LASTING = ("job", "home", "age", "likes", "owns")  # what is so whatever happens: not asked for with an event
FACTS = (Kind.VALUE, Kind.WHEN_DUE)
OTHER = Wish(Kind.OTHER, sure=0.0)


def wish_of(reading: Reading, embedder: TextEmbedder | None = None) -> Wish:
    """What is wanted; OTHER where the words do not say it clearly."""
    if wish := by_form(reading):
        return wish
    likely = by_likeness(reading, embedder) if embedder and reading.asks else None
    if likely is None:
        return OTHER
    before, _ = earlier(reading, plain(reading))
    return replace(likely, kind=Kind.BEFORE) if before and likely.kind in FACTS else likely


def by_form(reading: Reading, described: tuple[int, int] | None = None) -> Wish | None:
    """The wish of the form that a question fits best. `described`: [start, end) of words that describe a person.

    Where none fits the question without its time phrase, that may be no time: "when Ben brought up chess".
    """
    for timeless in (True, False) if reading.span.anchor else (True,):
        before, tokens = earlier(reading, plain(reading, described, timeless))
        for clause in readings(tokens):
            fitting = sorted(found_in(clause), key=lambda found: found.loose)
            if wish := next((wish for found in fitting if (wish := _wish(reading, found, before))), None):
                return wish
    return None


def _wish(reading: Reading, found: Found, before: bool) -> Wish | None:
    """The wish that a form says, None where what it gives does not suit it."""
    wants = dict(found.wants)
    if wants.pop("now", False) and found.clause.past and not before:
        return None
    if wants.pop("earlier", False) and not before:
        return None
    if wants.get("attribute") in LASTING and wants["kind"] == "VALUE" and reading.span.anchor and not before:
        return None
    if not all(suits(name, given(reading, found, name), reading) for name in found.given):
        return None
    value = next((words for name in VALUES if (words := given(reading, found, name))), "")
    wish = Wish(
        **{"sure": SURE, **wants, "kind": Kind[wants["kind"]]},
        subject=given(reading, found, "subject"),
        value=value,
        relation=given(reading, found, "relation"),
    )
    return replace(wish, kind=Kind.BEFORE) if before and wish.kind in FACTS else wish
