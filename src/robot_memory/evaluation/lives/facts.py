"""What is told in a life: the household's facts to begin with and, month after month, new ones of theirs and all those
of that month's guests.

Each month is planned as a world of its own would be; what would contradict an earlier month is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from robot_memory.evaluation.lives.life import Month
from robot_memory.evaluation.worlds.bank import Bank, Name
from robot_memory.evaluation.worlds.facts import Draft, FactPlan, plan
from robot_memory.evaluation.worlds.world import Person

MORE = ("likes", "owns", "opinion", "appointment")  # what may be said anew every month: many values at once
RETOLD = 0.3  # share of the household's lasting facts that are told again in later months
AGAIN = 0.7  # of those months
NEW = 0.5  # share of the household that tells something new in a month


def facts(
    throw: random.Random,
    bank: Bank,
    months: Sequence[Month],
    household: Sequence[Person],
    guests: Sequence[tuple[Month, Sequence[Person]]],
    strangers: Sequence[Name],
) -> FactPlan:
    """The facts of all months."""
    merged = _Merged()
    for month in months:
        days = month.end - month.first
        if month is months[0]:
            merged.add(plan(throw, bank, household, strangers, days), month, None)
        else:
            merged.add(plan(throw, bank, household, (), days), month, MORE, throw)
        here = [person for of, some in guests for person in some if of == month]
        if here:
            merged.add(plan(throw, bank, here, (), days), month, None)
    _retell(throw, merged.made, months, {person.name for person in household})
    return merged.made


def _retell(throw: random.Random, made: FactPlan, months: Sequence[Month], household: set[str]) -> None:
    """Some of what people of the household have told of themselves and what stays so they tell again and again."""
    for n, intent in enumerate(list(made.intents)):
        draft = made.drafts[intent.draft]
        stays = draft.replaced is None and not draft.ended and intent.form == "first" and not intent.after
        if stays and intent.by == draft.subject and intent.by in household and throw.random() < RETOLD:
            for month in months:
                if month.end > intent.day + 1 and throw.random() < AGAIN:
                    day = throw.randrange(max(month.first, intent.day + 1), month.end)
                    made.intents.append(replace(intent, day=day, after=(n,)))


@dataclass
class _Merged:
    """Plans of months, put one behind the other."""

    made: FactPlan = field(default_factory=FactPlan)
    _taken: set[tuple[str, str, str]] = field(default_factory=set)  # subject, attribute, what the fact is about
    _things: set[str] = field(default_factory=set)

    def add(
        self, part: FactPlan, month: Month, only: tuple[str, ...] | None, throw: random.Random | None = None
    ) -> None:
        """The plan's facts and what is to be told of them, on the days of the month."""
        kept = self._kept(part.drafts, only, throw)
        number = {draft: len(self.made.drafts) + n for n, draft in enumerate(kept)}
        for n in kept:
            draft = part.drafts[n]
            self.made.drafts.append(
                replace(
                    draft,
                    replaces=None if draft.replaces is None else number[draft.replaces],
                    replaced=None if draft.replaced is None else number[draft.replaced],
                )
            )
        told = [n for n, intent in enumerate(part.intents) if intent.draft in number]
        place = {intent: len(self.made.intents) + n for n, intent in enumerate(told)}
        for n in told:
            intent = part.intents[n]
            after = tuple(place[one] for one in intent.after)
            self.made.intents.append(
                replace(intent, draft=number[intent.draft], day=month.first + intent.day, after=after)
            )

    def _kept(self, drafts: Sequence[Draft], only: tuple[str, ...] | None, throw: random.Random | None) -> list[int]:
        """Which facts say nothing on what an earlier month spoke of; a chain of changes stays together or goes."""
        chains: dict[int, list[int]] = {}
        for n in range(len(drafts)):
            first = n
            while (before := drafts[first].replaces) is not None:
                first = before
            chains.setdefault(first, []).append(n)
        kept: list[int] = []
        for chain in chains.values():
            keys = {_key(drafts[n]) for n in chain}
            wanted = only is None or (drafts[chain[0]].attribute in only and (throw is None or throw.random() < NEW))
            if wanted and not keys & self._taken:
                kept += chain
        self._taken |= {_key(drafts[n]) for n in kept}
        return sorted(kept)


def _key(draft: Draft) -> tuple[str, str, str]:
    """What a fact has one value of: a thing's place, what somebody thinks of a topic, whether somebody likes it."""
    if draft.attribute == "place":
        return draft.subject, draft.attribute, ""
    about = next((draft.value.slots[slot] for slot in ("what", "topic", "thing") if slot in draft.value.slots), "")
    return draft.subject, draft.attribute, about or draft.value.text
