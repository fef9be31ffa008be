"""What a script told becomes facts with their times: since when, until when, stated in which lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from robot_memory.evaluation.truth import Fact
from robot_memory.evaluation.worlds.bank import Value
from robot_memory.evaluation.worlds.dialogue import Script
from robot_memory.evaluation.worlds.facts import FactPlan
from robot_memory.evaluation.worlds.world import Telling, Wording

MENTIONS = {  # what "somebody mentioned …" says of a value of each attribute
    "home": "{value}",
    "likes": "{value}",
    "owns": "{value_np}",
    "place": "the {thing}",
    "opinion": "{topic}",
    "appointment": "{what_np}",
    "plan": "{what_ing}",
    "promise": "{what_ing}",
    "routine": "{what_ing}",
}
KEYS = ("value", "value_np", "topic", "what", "what_s", "what_ing")
NOT_STATING = ("mistaken", "ended")


@dataclass(frozen=True)
class Ledger:
    """The facts of a world, their wordings in parallel, and every telling in order of time."""

    facts: tuple[Fact, ...]
    wordings: tuple[Wording, ...]
    tellings: tuple[Telling, ...]


def ledger(plan: FactPlan, script: Script) -> Ledger:
    """A change that nobody told did not happen; whatever else nobody told is true all the same."""
    told: dict[int, list[int]] = {}
    changed: dict[int, int] = {}
    ended: dict[int, int] = {}
    for one in script.told:
        intent = plan.intents[one.intent]
        if intent.form not in NOT_STATING:
            told.setdefault(intent.draft, []).append(one.at_ns)
        if intent.form == "changed":
            changed.setdefault(intent.draft, one.at_ns)
        if intent.form == "ended":
            ended[intent.draft] = one.at_ns
    kept = [n for n, draft in enumerate(plan.drafts) if draft.replaces is None or n in told]
    facts = [_fact(plan, n, told, changed, ended) for n in kept]
    wordings = [wording(plan.drafts[n].attribute, plan.drafts[n].value) for n in kept]
    number = {draft: n for n, draft in enumerate(kept)}
    tellings = []
    for one in script.told:
        intent = plan.intents[one.intent]
        draft = plan.drafts[intent.draft]
        slip = wording(draft.attribute, intent.before) if intent.before and intent.form == "corrected" else None
        wrong = intent.before.text if intent.before and slip else ""
        said = (number[intent.draft], one.at_ns, intent.by, intent.form, intent.value.text, wrong, slip)
        tellings.append(Telling(*said))
    for name, at_ns in script.named.items():
        facts.append(Fact(name, "name", name, told=(at_ns,)))
        wordings.append(Wording("", (), {"value": name}))
    return Ledger(tuple(facts), tuple(wordings), tuple(sorted(tellings, key=lambda telling: telling.at_ns)))


def _fact(plan: FactPlan, n: int, told: dict[int, list[int]], changed: dict[int, int], ended: dict[int, int]) -> Fact:
    draft = plan.drafts[n]
    until = changed.get(draft.replaced) if draft.replaced is not None else ended.get(n)
    times = tuple(sorted(told.get(n, [])))
    return Fact(draft.subject, draft.attribute, draft.value.text, draft.polarity, changed.get(n), until, times)


def wording(attribute: str, value: Value) -> Wording:
    """The slots of a value, with its time of day in figures too, and how to mention it."""
    slots = dict(value.slots)
    if "hour" in value.tags and value.tags["hour"].isdigit():
        hour, minute = int(value.tags["hour"]), int(value.tags["minute"])
        slots |= {"clock": f"{hour}:{minute:02d}", "clock12": f"{(hour - 1) % 12 + 1}:{minute:02d}"}
    mention = MENTIONS.get(attribute, "")
    for slot, text in slots.items():
        mention = mention.replace("{" + slot + "}", text)
    names = ("thing",) if attribute == "place" else KEYS  # a place alone does not mention the thing
    keys = {slots[slot].casefold() for slot in names if slot in slots}
    bare = {re.sub(r"^(an?|the) ", "", key) for key in keys}
    return Wording(mention, tuple(sorted(bare)), slots)
