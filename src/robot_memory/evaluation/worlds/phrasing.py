"""Puts what is to be said into the bank's words: the least used phrasing first, with hesitations now and then."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from robot_memory.evaluation.worlds.bank import Bank, Name, Value, fill
from robot_memory.evaluation.worlds.facts import Draft, FactPlan, Intent

OPENED, CLOSED, RESTARTED = 0.25, 0.06, 0.06
PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (16, 24), "night": (18, 24)}  # hours
LAST_NIGHT = re.compile(r"\blast (?:night|evening)\b")
LOWERED = ("I'", "I ", "My ", "The ", "We ", "It ", "It's ", "There")  # beginnings that may follow "Well,"


class Phrasing:
    """One world's way with words; remembers what it has used."""

    def __init__(self, throw: random.Random, bank: Bank, names: Mapping[str, Name], plan: FactPlan) -> None:
        self._throw, self.bank, self._names = throw, bank, names
        said = [value for one in plan.intents for value in (one.value, one.before) if value is not None]
        keys = ("value", "what", "topic", "thing")
        self._planned = {value.slots[key] for value in said for key in keys if key in value.slots}
        self._used: Counter[str] = Counter()
        self.hour = 12.0  # of the day: nobody says good night at nine in the morning

    def pick(self, phrases: Sequence[str]) -> str:
        """One of those used least so far."""
        least = min(self._used[phrase] for phrase in phrases)
        phrase = self._throw.choice([phrase for phrase in phrases if self._used[phrase] == least])
        self._used[phrase] += 1
        return phrase

    def timely(self, phrases: Sequence[str]) -> list[str]:
        """Those that may be said at this hour."""
        words = [(phrase, LAST_NIGHT.sub("", phrase.casefold())) for phrase in phrases]
        wrong = [part for part, (first, last) in PARTS.items() if not first <= self.hour < last]
        return [phrase for phrase, said in words if not any(re.search(rf"\b{part}\b", said) for part in wrong)]

    def chat(self) -> str:
        return self.pick(self.timely(self.bank.small_talk))

    def reply(self) -> str:
        return self.pick(self.bank.small_talk_replies)

    def nod(self) -> str:
        return self.pick(self.bank.acknowledgements)

    def greeting(self, to: str = "") -> str:
        """A greeting; with a name in it only where `to` is known."""
        fitting = [phrase for phrase in self.timely(self.bank.greetings) if to or "{" not in phrase]
        return fill(self.pick(fitting), name=to)

    def farewell(self, to: str = "") -> str:
        fitting = [phrase for phrase in self.timely(self.bank.farewells) if to or "{" not in phrase]
        return fill(self.pick(fitting), name=to)

    def introduction(self, name: str, of: str) -> str:
        """`of` "self" or "other"."""
        spelled = "-".join(name.upper())
        return fill(self.pick(self.bank.introductions[of]), self._names[name].as_subject(), name=name, spelled=spelled)

    def room(self, name: str, where: str) -> str:
        return fill(self.pick(self.bank.room_phrases), room=name, room_in=where)

    def no_statement(self, attribute: str) -> str:
        """A question, a supposition or a joke that tells nothing."""
        kinds = self.bank.not_statements[attribute]
        given = {"other": "anybody"} if attribute == "relation" else {}
        value = self._unplanned(attribute, given)
        return fill(self.pick(kinds[self._throw.choice(sorted(kinds))]), value.slots)

    def _unplanned(self, attribute: str, given: Mapping[str, str]) -> Value:
        """A value that is none of this world's facts."""
        for _ in range(30):
            value = self.bank.values[attribute].draw(self._throw, None, "", **given)
            if not self._planned & {value.text, *value.slots.values()}:
                break
        return value

    def statement(self, intent: Intent, draft: Draft, hearsay: str) -> str:
        """The line that tells a fact; `hearsay`: from whom the speaker has it, where it is passed on."""
        form = "third" if intent.form == "mistaken" else intent.form
        phrases = self.bank.statements[draft.attribute]
        slots = dict(intent.value.slots)
        if draft.subject in self._names:
            slots.update(self._names[draft.subject].as_subject())
        slots["speaker2"] = hearsay
        if intent.before is not None:
            slots.update(intent.before.as_old())
        text = fill(self.pick(phrases[form]), slots)
        if form == "corrected" and intent.before is not None:
            return f"{fill(self.pick(phrases['first']), intent.before.slots)} {text}"
        return self._hesitant(text)

    def _hesitant(self, text: str) -> str:
        """Sometimes with a filler before or behind it."""
        fillers = self.bank.fillers
        chance = self._throw.random()
        if chance < OPENED and text.startswith(LOWERED):
            lowered = text if text.startswith("I") and not text.startswith("It") else text[0].lower() + text[1:]
            return f"{self.pick(fillers['opening'])} {lowered}"
        if chance > 1 - CLOSED and text.endswith("."):
            return f"{text[:-1]}, {self.pick(fillers['closing'])}"
        if chance > 1 - CLOSED - RESTARTED:
            broken_off = self.pick(fillers["restart"])
            return f"{broken_off[:-1]}... {text}" if broken_off.endswith(",") else f"{broken_off} {text}"
        return text
