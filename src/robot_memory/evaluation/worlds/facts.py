"""What is true in a world, and what is to be told of it: by whom, in which form, from which day on.

Some facts change later, some are said wrongly and taken back, some are told by others, some by nobody. For every
attribute there are people of whom nobody says anything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from robot_memory.evaluation.truth import FUNCTIONAL
from robot_memory.evaluation.worlds.bank import Bank, Name, Value
from robot_memory.evaluation.worlds.dice import some
from robot_memory.evaluation.worlds.world import Person

OWN = ("job", "home", "age", "appointment", "promise", "routine", "likes", "owns", "relation", "plan", "opinion")
CHANGING = ("job", "home", "appointment", "promise", "routine", "plan", "opinion")
OF_OTHERS = ("job", "home", "likes", "owns", "routine", "plan")  # what people say of those who are silent or away
RETOLD, REPEATED, REPORTED, CORRECTED, ENDED = 0.45, 0.3, 0.3, 0.15, 0.2
SHARED_LIKES = 0.2


@dataclass
class Draft:
    """A fact to be: `replaces` and `replaced` link the values that follow each other; `ended`: is to end one day."""

    subject: str
    attribute: str
    value: Value
    polarity: int = 1
    replaces: int | None = None
    replaced: int | None = None
    ended: bool = False


@dataclass(frozen=True)
class Intent:
    """Something to be told: draft `draft` by `by`, not before day `day`, and only once `after` intents were told.

    `value` is what is said, `before` the value that was so, or that slipped out wrongly.
    """

    draft: int
    by: str
    form: str
    day: int
    value: Value
    before: Value | None = None
    after: tuple[int, ...] = ()


@dataclass
class FactPlan:
    """All drafts and intents; an intent's place in the list is its number."""

    drafts: list[Draft] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)


def plan(throw: random.Random, bank: Bank, people: Sequence[Person], strangers: Sequence[Name], days: int) -> FactPlan:
    """The facts of a world of these people."""
    return _Planner(throw, bank, people, strangers, days).made


class _Planner:
    def __init__(
        self, throw: random.Random, bank: Bank, people: Sequence[Person], strangers: Sequence[Name], days: int
    ) -> None:
        self._throw, self._values, self._days = throw, bank.values, days
        self._heard = [person for person in people if person.heard]
        self._genders = {person.name: person.gender for person in people} | {n.text: n.gender for n in strangers}
        self._taken: set[str] = set()
        self._related: set[frozenset[str]] = set()
        self._changes_left = max(2, len(people) - 2)
        self.made = FactPlan()
        self._tell_of_all(people, strangers)

    def _tell_of_all(self, people: Sequence[Person], strangers: Sequence[Name]) -> None:
        for person in self._heard:
            count = self._throw.randint(6, 8) if person.kind == "regular" else self._throw.randint(2, 4)
            for attribute in some(self._throw, OWN, count):
                self._own(person.name, attribute)
        for name in [person.name for person in people if not person.heard] + [name.text for name in strangers[:-1]]:
            for attribute in some(self._throw, OF_OTHERS, self._throw.randint(1, 2)):
                self._of_other(name, attribute)
        for _ in range(5 + len(people) // 3):
            self._thing()
        self._mistake()
        self._untold(people)

    def _own(self, who: str, attribute: str) -> None:
        """What people say of themselves: a value or, where there may be many, two or three."""
        if attribute in ("likes", "owns"):
            for n in range(self._throw.randint(2, 3) if attribute == "likes" else self._throw.randint(1, 2)):
                disliked = attribute == "likes" and n > 0 and self._throw.random() < 0.5
                self._state(who, who, attribute, "negated" if disliked else "first")
        else:
            self._state(who, who, attribute, "first")

    def _of_other(self, who: str, attribute: str) -> None:
        """What others say of somebody."""
        teller = self._throw.choice(self._heard).name
        form = "negated_third" if attribute in ("likes", "owns") and self._throw.random() < 0.25 else "third"
        self._state(who, teller, attribute, form)

    def _state(self, who: str, teller: str, attribute: str, form: str) -> None:
        changes = attribute in CHANGING and self._changes_left > 0 and self._throw.random() < 0.4 and form == "first"
        value = self._draw(who, attribute, "changed" if changes else "")
        if value is None:
            return
        draft = self._add(Draft(who, attribute, value, -1 if form.startswith("negated") else 1))
        day = self._throw.randrange(self._days) if not changes else 0
        slips = form == "first" and attribute in FUNCTIONAL and self._throw.random() < CORRECTED
        if slips:
            first = self._intend(
                draft, teller, "corrected", day, before=self._values[attribute].another(self._throw, value)
            )
        else:
            first = self._intend(draft, teller, form, day)
        if changes:
            self._change(draft, teller, first)
        elif form == "first" and attribute in ("likes", "owns") and self._throw.random() < ENDED and self._days > 1:
            self.made.drafts[draft].ended = True
            self._intend(draft, teller, "ended", self._later(day), after=(first,))
        elif form == "first":
            self._again(draft, teller, first, day)

    def _again(self, draft: int, owner: str, first: int, day: int) -> None:
        """Told once more: by the same person, by somebody else, or passed on from hearsay."""
        others = [person.name for person in self._heard if person.name != owner]
        if self._throw.random() < REPEATED:
            self._intend(draft, owner, "first", self._later(day), after=(first,))
        if self._throw.random() < RETOLD:
            self._intend(draft, self._throw.choice(others), "third", self._later(day), after=(first,))
        if len(others) > 1 and self._throw.random() < REPORTED:
            self._intend(draft, self._throw.choice(others), "reported", self._later(day), after=(first,))

    def _change(self, draft: int, teller: str, first: int) -> None:
        self._changes_left -= 1
        old = self.made.drafts[draft]
        value = self._values[old.attribute].another(self._throw, old.value, voice="changed")
        new = self._add(Draft(old.subject, old.attribute, value, replaces=draft))
        old.replaced = new
        self._taken.add(value.text)
        self._intend(new, teller, "changed", self._later(0), before=old.value, after=(first,))

    def _thing(self) -> None:
        """A thing, where it is, and where it is put later."""
        value = self._draw("", "place", "")
        if value is None:
            return
        self._taken.add(value.slots["thing"])
        subject = f"the {value.slots['thing']}"
        draft = self._add(Draft(subject, "place", value))
        last = self._intend(draft, self._throw.choice(self._heard).name, "first", self._throw.randrange(self._days))
        moves = self._throw.choice((0, 0, 1, 1, 2)) if self._days > 1 else self._throw.choice((0, 0, 1))
        for _ in range(moves):
            old = self.made.drafts[draft]
            place = self._values["place"].another(self._throw, old.value)
            new = self._add(Draft(subject, "place", place, replaces=draft))
            old.replaced = new
            day = self._later(self.made.intents[last].day)
            teller = self._throw.choice(self._heard).name
            last = self._intend(new, teller, "changed", day, before=old.value, after=(last,))
            draft = new

    def _mistake(self) -> None:
        """Somebody is wrong about somebody else, who has said or will say how it is."""
        sure = [
            n
            for n, draft in enumerate(self.made.drafts)
            if draft.attribute in ("job", "home") and draft.replaced is None and draft.replaces is None
            if any(intent.draft == n and intent.by == draft.subject for intent in self.made.intents)
        ]
        if not sure or len(self._heard) < 3:
            return
        draft = self._throw.choice(sure)
        meant = self.made.drafts[draft]
        others = [person.name for person in self._heard if person.name != meant.subject]
        wrong = self._draw(meant.subject, meant.attribute, "")
        if wrong is not None:
            day = self._throw.randrange(self._days)
            self.made.intents.append(Intent(draft, self._throw.choice(others), "mistaken", day, wrong))

    def _untold(self, people: Sequence[Person]) -> None:
        """True, but nobody ever says it."""
        told = {(draft.subject, draft.attribute) for draft in self.made.drafts}
        for person in people:
            lacking = [attribute for attribute in ("job", "home") if (person.name, attribute) not in told]
            for attribute in lacking:
                value = self._draw(person.name, attribute, "")
                if value is not None:
                    self._add(Draft(person.name, attribute, value))

    def _draw(self, who: str, attribute: str, voice: str) -> Value | None:
        """A value that nobody else has; now and then two like the same."""
        for _ in range(30):
            if attribute == "relation":
                other = self._relative(who)
                if other is None:
                    return None
                where, given = {"gender": self._genders[other]}, {"other": other}
                value = self._values[attribute].draw(self._throw, where, voice, **given)
                self._related.add(frozenset((who, other)))
                return value
            value = self._values[attribute].draw(self._throw, _fitting(attribute), voice)
            shared = (
                attribute == "likes"
                and self._throw.random() < SHARED_LIKES
                and f"{who} {value.text}" not in self._taken
            )
            words = {value.text, *(value.slots[slot] for slot in ("what", "topic", "thing") if slot in value.slots)}
            if shared or not words & self._taken:
                self._taken |= words | {f"{who} {value.text}"}
                return value
        return None

    def _relative(self, who: str) -> str | None:
        free = [name for name in self._genders if name != who and frozenset((who, name)) not in self._related]
        return self._throw.choice(free) if free else None

    def _add(self, draft: Draft) -> int:
        self.made.drafts.append(draft)
        return len(self.made.drafts) - 1

    def _intend(
        self, draft: int, by: str, form: str, day: int, before: Value | None = None, after: tuple[int, ...] = ()
    ) -> int:
        self.made.intents.append(Intent(draft, by, form, day, self.made.drafts[draft].value, before, after))
        return len(self.made.intents) - 1

    def _later(self, day: int) -> int:
        return min(self._days - 1, day + self._throw.randint(1, 2)) if self._days > 1 else 0


def _fitting(attribute: str) -> dict[str, str]:
    return {"group": "adult"} if attribute == "age" else {}
