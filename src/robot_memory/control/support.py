"""Is what a question takes for granted held up by what was found? The bridge from memories to `verification`.

A verdict compares: it needs what others said and did as well, so what is given to it must not be filtered by person.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from robot_memory.control.answer import Evidence
from robot_memory.control.recall import told_later_ns
from robot_memory.control.understanding.reading import Reading
from robot_memory.control.verification import wording
from robot_memory.control.verification.asked import Asked, Passage, Term, Verdict
from robot_memory.control.verification.verify import verify
from robot_memory.memory.people.people import People
from robot_memory.memory.retrieval.filters import LISTED, listed
from robot_memory.memory.retrieval.keywords import as_match
from robot_memory.memory.retrieval.wording import asks
from robot_memory.streams.media import SECOND

ENOUGH = 100  # memories that a verdict looks at
HEARING_NS = 60 * SECOND  # who spoke within a minute was spoken to


def judged(
    db: sqlite3.Connection,
    people: People,
    reading: Reading,
    found: Sequence[Evidence],
    as_of_ns: int | None = None,
) -> Verdict:
    """How far the evidence found, whoever it is about, supports an answer to the question; as known at `as_of_ns`. How
    rare a word is, is taken from all that is remembered.
    """
    return verify(_question(db, people, reading), _passages(db, people, reading, found[:ENOUGH], as_of_ns))


def _question(db: sqlite3.Connection, people: People, reading: Reading) -> Asked:
    names = {person.name: person.token for person in people.all() if person.name}
    words = wording.content(reading.topic, [*names, *(mention.words for mention in reading.mentions)])
    return Asked(
        words=tuple(Term(word, _count(db, word)) for word in words),
        memories=int(db.execute("SELECT count(*) FROM memories").fetchone()[0]),
        persons=frozenset(f"person_{people.now(person)}" for person in reading.persons),
        names=names,
        start_ns=reading.span.start_ns,
        end_ns=reading.span.end_ns,
        denied=reading.negated,
    )


def _count(db: sqlite3.Connection, word: str) -> int:
    """How many memories hold a word, in any form."""
    rows = db.execute("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?", (as_match(word),))
    return int(rows.fetchone()[0])


def _passages(
    db: sqlite3.Connection,
    people: People,
    reading: Reading,
    found: Sequence[Evidence],
    as_of_ns: int | None,
) -> list[Passage]:
    hearers = _Hearers(db, people, found, as_of_ns)
    later_ns = told_later_ns(reading)
    return [
        Passage(
            one.memory,
            text,
            one.speaker if one.quote else "",
            hearers.of(one),
            frozenset(f"person_{person}" for person in one.people),
            one.start_ns - later_ns if one.quote else one.start_ns,
            one.end_ns,
            dict(one.channels).get("vector", 0.0),
        )
        for one in found
        if (text := _stated(one.quote or one.text))
    ]


def _stated(text: str) -> str:
    """The text without the questions in it: to ask "Does Ben play?" does not say that he does."""
    return " ".join(sentence for sentence in wording.sentences(text) if not asks(sentence))


class _Hearers:
    """Who else spoke around a line, by the turns of its clip and of those next to it."""

    def __init__(self, db: sqlite3.Connection, people: People, found: Iterable[Evidence], as_of_ns: int | None) -> None:
        clips = {one.clip + step for one in found if one.quote for step in (-1, 0, 1)}
        rows = db.execute(
            "SELECT turns.start_ns, entity FROM turns JOIN clips ON clips.id = clip WHERE entity IS NOT NULL "
            f"AND clip IN {LISTED} AND clips.end_ns <= coalesce(?, clips.end_ns) ORDER BY turns.start_ns",
            (listed(clips), as_of_ns),
        ).fetchall()
        self._times = [row["start_ns"] for row in rows]
        self._speakers = [people.of_entity(row["entity"]).token for row in rows]

    def of(self, one: Evidence) -> frozenset[str]:
        if not one.quote:
            return frozenset()
        first = bisect_left(self._times, one.start_ns - HEARING_NS)
        last = bisect_left(self._times, one.end_ns + HEARING_NS)
        return frozenset(self._speakers[first:last]) - {one.speaker}
