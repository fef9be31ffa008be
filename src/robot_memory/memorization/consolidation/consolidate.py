"""What repeats becomes a rule: when the robot is idle, before it shuts down, and on request.

All of the store is read, what is archived included, and nothing is kept elsewhere: doing it twice changes nothing, and
one that was broken off is simply done again. Each person is a transaction of their own, and so are all things; between
them it gives way, and can be stopped. Answers find rules as they find what was told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.consolidation import looking, repeated
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
from robot_memory.memorization.consolidation.seen import days_of, meetings, sights
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
class _Seen:
    """Somebody, by a token, with the days on which they were seen."""

    person: Person
    token: str
    days: set[int]


class _Consolidation:
    def __init__(self, graph: MemoryGraph, embedder: TextEmbedder, step: Step) -> None:
        self._graph, self._embedder, self._step = graph, embedder, step

    def run(self) -> Consolidated:
        """Persons first, then things; returns what changed."""
        self._step(0.0)
        where, looked, people = self._look()
        done, seen = NOTHING, list[_Seen]()
        for n, person in enumerate(people):
            done += self._person(person, where, looked, seen)
            self._step(LOOKING + (1 - LOOKING) * (n + 1) / (len(people) + 1))
        done += self._told(USUAL_PLACE, repeated.usual_places)
        done += self._told(RELATION, repeated.agreed_relations)
        self._step(1.0)
        return done

    def _look(self) -> tuple[Places, Looked, list[Person]]:
        with self._graph.store.snapshot() as db:
            where = looking.places(db)
            looked = looking.looked(db, where, lambda: self._step(0.0))
            people = [one for one in People(db).all() if one.tokens]
        with self._graph.store.write() as db:
            looking.keep(db, looked)
        return where, looked, people

    def _person(self, person: Person, where: Places, looked: Looked, before: list[_Seen]) -> Consolidated:
        """The routines of one person, and whom they are often with of those who came `before`."""
        token = person.tokens[0]
        with self._graph.store.snapshot() as db:
            offset_s, own = _offset(db), sights(db, person.id, where)
            days = days_of(own)
            rules = held(db, [f"<{one}>" for one in person.tokens], ROUTINE)
            met = meetings(db, person.id) if own else []
        together = {of: one for one in rules if one.value.startswith(WITH) and (of := _whom(one, before)) is not None}
        alone = [one for one in rules if not one.value.startswith(WITH)]
        lost = [one for one in rules if one.value.startswith(WITH) and one not in together.values()]
        others = {one.person.id: (one.token, one.days) for one in before}
        found = list(routines(token, own, looked, alone, offset_s))
        found += company(token, met, days, others, together, offset_s)
        found += [Found(None, one) for one in lost]
        before.append(_Seen(person, token, days))
        return self._write(found)

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


def _whom(rule: Held, some: Sequence[_Seen]) -> int | None:
    """With whom of these somebody often is by a rule."""
    tokens = tokens_in(rule.value)
    return next((one.person.id for one in some if tokens and tokens[0] in one.person.tokens), None)


def _offset(db: sqlite3.Connection) -> int:
    """Seconds that the robot's clock on the wall is ahead of UTC now."""
    row = db.execute(
        "SELECT utc_offset_s FROM clips JOIN sessions ON sessions.id = session ORDER BY clips.id DESC LIMIT 1"
    ).fetchone()
    return int(row[0]) if row else 0
