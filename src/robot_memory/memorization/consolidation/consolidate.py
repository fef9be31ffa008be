"""What repeats becomes a rule: when the robot is idle, before it shuts down, and on request.

All of the store is read, what is archived included, and nothing is kept elsewhere: doing it twice changes nothing, and
one that was broken off is simply done again. Each person is a transaction of their own, and so are all things; between
them it gives way, and can be stopped. Answers find rules as they find what was told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation import looking, repeated
from robot_memory.memorization.consolidation.bounds import LEAST_DAYS
from robot_memory.memorization.consolidation.company import company
from robot_memory.memorization.consolidation.derived import (
    NOTHING,
    Consolidated,
    differs,
    held,
    put,
    remove,
    subjects_of,
)
from robot_memory.memorization.consolidation.looking import Looked, Places
from robot_memory.memorization.consolidation.routines import Found, routines
from robot_memory.memorization.consolidation.rule import RELATION, ROUTINE, USUAL_PLACE, WITH, Held, Rule
from robot_memory.memorization.consolidation.seen import days_seen, meetings, sights
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.reembed import embeddable
from robot_memory.memory.tokens import tokens_in

LOOKING = 0.2  # the share of the work that is to find where the robot looked
Step = Callable[[float], None]
__all__ = ["Consolidated", "consolidate"]


def consolidate(graph: MemoryGraph, embedder: TextEmbedder, step: Step = lambda fraction: None) -> Consolidated:
    """Bring all derived memories up to date. `step` is told the share that is done at each border, outside of any
    transaction: give way there, or raise Cancelled; what is done stays. Raises DiskTrouble, sqlite3.Error.
    """
    return _Consolidation(graph, embedder, step).run()


@dataclass(frozen=True)
class _House:
    """What is known of places and people before the work on each person begins. `days`: person -> when seen."""

    where: Places
    looked: Looked
    people: tuple[Person, ...]
    days: Mapping[int, set[int]]


class _Consolidation:
    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, step: Step) -> None:
        self._graph, self._embedder, self._step = graph, embedder, step

    def run(self) -> Consolidated:
        """Persons first, then things; returns what changed."""
        self._step(0.0)
        house, done = self._look(), NOTHING
        for n in range(len(house.people)):
            self._step(LOOKING + (1 - LOOKING) * n / len(house.people))
            done += self._person(n, house)
        done += self._told(USUAL_PLACE, repeated.usual_places)
        done += self._told(RELATION, repeated.agreed_relations)
        self._step(1.0)
        return done

    def _look(self) -> _House:
        with self._graph.store.snapshot() as db:
            where = looking.places(db)
            looked = looking.looked(db, where, lambda: self._step(0.0))
            people = tuple(one for one in People(db).all() if one.tokens)
            house, unkept = _House(where, looked, people, days_seen(db)), looking.unkept(db, looked)
        if unkept:
            with self._graph.store.write() as db:
                looking.keep(db, unkept)
        return house

    def _person(self, n: int, house: _House) -> Consolidated:
        """The routines of the n-th person, and whom they are often with of those before: it is told once of two."""
        person, before = house.people[n], house.people[:n]
        token, days = person.tokens[0], house.days.get(person.id, set())
        with self._graph.store.snapshot() as db:
            rules = held(db, [f"<{one}>" for one in person.tokens], ROUTINE)
            if not rules and len(days) < LEAST_DAYS:
                return NOTHING
            offset_s, own, met = _offset(db), sights(db, person.id, house.where), meetings(db, person.id)
        together = {of: one for one in rules if one.value.startswith(WITH) and (of := _whom(one, before)) is not None}
        alone = [one for one in rules if not one.value.startswith(WITH)]
        lost = [one for one in rules if one.value.startswith(WITH) and one not in together.values()]
        both = {other: days & theirs for other, theirs in house.days.items() if other != person.id}
        found = list(routines(token, own, house.looked, alone, offset_s))
        found += company(token, met, both, {one.id: one.tokens[0] for one in before}, together, offset_s)
        return self._write([*found, *(Found(None, one) for one in lost)])

    def _told(self, attribute: str, rules: Callable[[sqlite3.Connection], Iterable[Rule]]) -> Consolidated:
        """What is derived of all subjects of an attribute."""
        with self._graph.store.snapshot() as db:
            subjects = subjects_of(db, attribute)
            known = {(subject, one.value): one for subject in subjects for one in held(db, [subject], attribute)}
            found = [Found(rule, known.pop((rule.frame.subject, rule.frame.value), None)) for rule in rules(db)]
        return self._write([*found, *(Found(None, one) for one in known.values())])

    def _write(self, found: Sequence[Found]) -> Consolidated:
        """In one transaction, where anything differs from what is held."""
        with self._graph.store.snapshot() as db:
            found = [one for one in found if one.rule is None or differs(db, one.rule, one.held)]
        if not found:
            return NOTHING
        texts = [embeddable(one.rule.bare) for one in found if one.rule]
        vectors = iter(self._embedder.embed(texts) if texts else ())
        done = NOTHING
        with self._graph.change() as change:
            for one in found:
                if one.rule:
                    done += put(change, one.rule, one.held, next(vectors), self._embedder.name)
                elif one.held:
                    done += remove(change, one.held.memory)
        return done


def _whom(rule: Held, some: Sequence[Person]) -> int | None:
    """With whom of these somebody often is by a rule."""
    tokens = tokens_in(rule.value)
    return next((one.id for one in some if tokens and tokens[0] in one.tokens), None)


def _offset(db: sqlite3.Connection) -> int:
    """Seconds that the robot's clock on the wall is ahead of UTC now."""
    row = db.execute(
        "SELECT utc_offset_s FROM clips JOIN sessions ON sessions.id = session ORDER BY clips.id DESC LIMIT 1"
    ).fetchone()
    return int(row[0]) if row else 0
