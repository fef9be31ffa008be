"""Every question that a world offers at a moment: those with an answer, and for each those that a swap of one of its
slots turns into one that nobody in this world could ever answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from robot_memory.evaluation.trial import Expected
from robot_memory.evaluation.worlds import claims, facets, mentions, sights
from robot_memory.evaluation.worlds.asking import BY_FACT, BY_SIGHT, ME, NAMED, Answer, Ask, Kind, Ref, Unclear
from robot_memory.evaluation.worlds.record import Record
from robot_memory.evaluation.worlds.referring import refs
from robot_memory.evaluation.worlds.windows import whens

TRIES, EACH = 60, 3  # asks thrown for a kind at a moment, and answerable ones kept
SWAP_OF = {"subject": "person", "when": "time", "room": "place", "value": "never", "given": "never"}
MOST_TRAPS = 8
LATE_STRANGERS = 0.8  # swaps that take somebody who never comes only where nobody else fits


@dataclass(frozen=True)
class Posed:
    """A question to be worded: its kind, slots and moment; `answer` None: nobody can know, `swap` says how it was made
    from `base`.
    """

    kind: Kind
    ask: Ask
    at_ns: int
    type: str
    sight: bool
    answer: Answer | None
    swap: str = ""
    base: Ask | None = None
    traps: tuple[str, ...] = ()

    @property
    def expected(self) -> Expected:
        return self.answer.expected if self.answer else Expected("none", traps=self.traps)


def kinds() -> tuple[Kind, ...]:
    return (*facets.kinds(), *claims.kinds(), *mentions.kinds(), *sights.kinds())


class Pool:
    """Throws questions about one moment of a world; `whole` is the record of all of it."""

    def __init__(self, throw: random.Random, record: Record, whole: Record, allowed: dict[str, set[str]]) -> None:
        self._throw, self._record, self._whole, self._allowed = throw, record, whole, allowed
        self._refs = refs(record)
        self._whens = whens(record)
        told = sorted({one.wording.mention for one in record.stated if one.wording.mention})
        self._values = told + [one.mention for _, one in record.world.spare if one.mention]

    def posed(self) -> Iterator[Posed]:
        """Answerable questions, each followed by its swaps, if there are any."""
        for kind in kinds():
            for how in self._hows(kind):
                yield from self._of(kind, how)

    def _hows(self, kind: Kind) -> list[str]:
        ways = kind.refs if "subject" in kind.slots else (NAMED,)
        return [how for how in ways if how in self._allowed[kind.key]]

    def _of(self, kind: Kind, how: str) -> Iterator[Posed]:
        given = list(kind.candidates(self._record)) if kind.candidates else []
        kept = 0
        for _ in range(TRIES):
            ask = self._thrown(kind, how, given)
            if ask is None or kept == EACH:
                return
            try:
                answer = answer_of(kind, self._record, ask)
            except Unclear:
                continue
            if answer is not None:
                kept += 1
                yield self._posed(kind, ask, how, answer)
                yield from self._swaps(kind, ask, how, given)

    def _thrown(self, kind: Kind, how: str, given: list[tuple[tuple[str, str], ...]]) -> Ask | None:
        ask = Ask()
        for slot in kind.slots:
            choices = self._choices(slot, how, given)
            if not choices:
                return None
            ask = _with(ask, slot, self._throw.choice(choices))
        return ask

    def _choices(self, slot: str, how: str, given: Sequence[object]) -> list[object]:
        known: dict[str, Sequence[object]] = {
            "subject": self._refs[how],
            "when": self._whens,
            "room": sorted(self._record.rooms),
            "value": self._values,
            "given": given,
        }
        return list(known[slot])

    def _swaps(self, kind: Kind, base: Ask, how: str, given: list[tuple[tuple[str, str], ...]]) -> Iterator[Posed]:
        """One for each slot, where another filling makes it unanswerable, now and for ever."""
        for slot in kind.slots:
            choices = self._choices(slot, how, given)
            self._throw.shuffle(choices)
            if slot == "subject" and self._throw.random() < LATE_STRANGERS:
                choices.sort(key=self._stranger)
            for choice in choices:
                ask = _with(base, slot, choice)
                if ask != base and self._nobody_knows(kind, ask):
                    traps = self._traps(kind)
                    yield replace(self._posed(kind, ask, how, None), swap=_swap(slot, ask), base=base, traps=traps)
                    break

    def _stranger(self, choice: object) -> bool:
        """Somebody of whom nothing can be known at all makes too easy a swap."""
        return isinstance(choice, Ref) and choice.who in ("", *self._record.world.strangers)

    def _nobody_knows(self, kind: Kind, ask: Ask) -> bool:
        try:
            return answer_of(kind, self._record, ask) is None and answer_of(kind, self._whole, ask) is None
        except Unclear:
            return False

    def _posed(self, kind: Kind, ask: Ask, how: str, answer: Answer | None) -> Posed:
        type_ = kind.type
        if answer is not None and answer.changed:
            type_ = "changed"
        if "subject" in kind.slots and how != NAMED:
            type_ = {ME: "first-person", BY_SIGHT: "cross-modal"}.get(how, "cross-modal" if kind.sight else "multi-hop")
        return Posed(kind, ask, self._record.until_ns, type_, kind.sight or how == BY_SIGHT, answer)

    def _traps(self, kind: Kind) -> tuple[str, ...]:
        return facets.traps_of(kind.key, self._record)[:MOST_TRAPS]


def answer_of(kind: Kind, record: Record, ask: Ask) -> Answer | None:
    """The kind's answer, with the evidence of who is meant before it. Raises Unclear."""
    if "subject" not in kind.slots:
        return kind.answer(record, ask)
    assert ask.subject is not None
    if ask.subject.about == kind.key or (ask.subject.how == BY_SIGHT and "when" in kind.slots):
        raise Unclear  # "what does the baker do?", "was the first one to come yesterday here yesterday?"
    if not ask.subject.who:
        return None
    answer = kind.answer(record, ask)
    return None if answer is None else replace(answer, evidence=ask.subject.evidence + answer.evidence)


def _with(ask: Ask, slot: str, choice: object) -> Ask:
    changed: dict[str, Any] = {slot: choice}
    return replace(ask, **changed)


def _swap(slot: str, ask: Ask) -> str:
    """A description that fits nobody, or a value that nobody spoke of, was "never" said."""
    nobody = slot == "subject" and isinstance(ask.subject, Ref) and ask.subject.how == BY_FACT and not ask.subject.who
    return "never" if nobody else SWAP_OF[slot]
