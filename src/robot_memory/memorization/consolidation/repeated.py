"""What people told again: where a thing is usually kept, and who is whose brother by the word of two.

What is told is not chance, so it need not be told from it: three days, or two people, are enough.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from robot_memory.memorization.consolidation.bands import slot_of
from robot_memory.memorization.consolidation.patterns import Day, find
from robot_memory.memorization.consolidation.rule import DERIVED, RELATION, USUAL_PLACE, Rule, few
from robot_memory.memorization.speech.saying import sentence
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.memory.tokens import tokens_in

BASE = 0.05  # how often one place of a thing would be told by mistake
TELLERS = 2


@dataclass(frozen=True)
class Telling:
    """One time that a claim was made; `teller`: a person, None: not known."""

    memory: int
    subject: str
    norm: str
    value: str
    day: int
    start_ns: int
    end_ns: int
    teller: int | None


def usual_places(db: sqlite3.Connection) -> Iterator[Rule]:
    """Of each thing, where it was told to be on most of the days on which it was told of."""
    for subject, tellings in _by_subject(db, "place").items():
        if tokens_in(subject):
            continue
        of_day = {one.day: one.norm for one in tellings}  # the last of a day
        for norm in sorted(set(of_day.values())):
            found = find([Day(day, of_day[day] == norm) for day in sorted(of_day)], BASE, 1, weekly=False)
            if found is None:
                continue
            own = [one for one in tellings if one.norm == norm and found.since <= one.day <= found.last]
            bare = sentence(f"the {subject}", "place", own[-1].value)
            bare = f"{bare[:1].upper()}{bare[1:]} as a rule"
            counted = f"told on {found.hits} of the {found.chances} days on which I heard of it"
            yield _rule(Frame(subject, USUAL_PLACE, own[-1].value), f"{bare} ({counted}).", f"{bare}.", own, found.hits)


def agreed_relations(db: sqlite3.Connection) -> Iterator[Rule]:
    """Of each person, kinship and the like that several people told."""
    for subject, tellings in _by_subject(db, RELATION).items():
        for norm in sorted({one.norm for one in tellings}):
            own = [one for one in tellings if one.norm == norm]
            tellers = {one.teller for one in own} - {None}
            if len(tellers) < TELLERS:
                continue
            bare = sentence(subject, RELATION, own[-1].value)
            bare = f"{bare[:1].upper()}{bare[1:]}"
            counted = f"told by {len(tellers)} people"
            frame = Frame(subject, RELATION, own[-1].value)
            yield _rule(frame, f"{bare} ({counted}).", f"{bare}.", own, len(tellers))


def _rule(frame: Frame, text: str, bare: str, own: list[Telling], hits: int) -> Rule:
    supports = few(list(dict.fromkeys(one.memory for one in own)))
    about = tuple(tokens_in(frame.subject))
    return Rule(frame, text, bare, about, hits, supports, own[0].start_ns, own[-1].end_ns)


def _by_subject(db: sqlite3.Connection, attribute: str) -> dict[str, list[Telling]]:
    """The claims that were told and still hold, each as often as it was told, in order of time."""
    rows = db.execute(
        "SELECT memories.id, subject, norm, value, coalesce(said.start_ns, memories.start_ns) AS start_ns, "
        "coalesce(said.end_ns, memories.end_ns) AS end_ns, utc_offset_s, person FROM memories "
        "LEFT JOIN supports AS said ON said.memory = memories.id "
        "JOIN clips ON clips.id = coalesce(said.clip, memories.clip) JOIN sessions ON sessions.id = session "
        "LEFT JOIN turns ON turns.id = coalesce(said.turn, memories.turn) LEFT JOIN entities ON entities.id = entity "
        "WHERE attribute = ? AND polarity > 0 AND memories.source <> ? AND (memories.source <> 'inferred' OR "
        "turns.id IS NOT NULL) ORDER BY 5, memories.id",
        (attribute, DERIVED),
    )
    found: dict[str, list[Telling]] = defaultdict(list)
    for row in rows:
        day = slot_of(row["start_ns"], row["utc_offset_s"]).day
        found[row["subject"]].append(
            Telling(row["id"], row["subject"], row["norm"], row["value"], day, row[4], row[5], row["person"])
        )
    return found
