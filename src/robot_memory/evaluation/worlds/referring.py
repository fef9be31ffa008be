"""Ways to refer to a person: by name, as the one who asks, by what was said of them, by what was seen of them."""

from __future__ import annotations

from collections import defaultdict

from robot_memory.evaluation.worlds import facets
from robot_memory.evaluation.worlds.asking import BY_FACT, BY_SIGHT, ME, NAMED, Ref, When
from robot_memory.evaluation.worlds.bank.filling import put
from robot_memory.evaluation.worlds.record import Record, Stated
from robot_memory.evaluation.worlds.sights import TOGETHER_NS
from robot_memory.evaluation.worlds.windows import words

DESCRIPTIONS = {
    "job": "the person who works as {value_np}",
    "home": "the person who lives {value_in}",
    "owns": "the person who has {value_np}",
}


def refs(record: Record) -> dict[str, list[Ref]]:
    """All references that are clear at the record's end, by the way they refer."""
    heard = sorted(record.named & {person.name for person in record.world.people if person.heard})
    return {
        NAMED: [Ref(NAMED, name, name) for name in record.people()],
        ME: [Ref(ME, "", name) for name in heard],
        BY_FACT: _by_fact(record),
        BY_SIGHT: _by_sight(record),
    }


def _by_fact(record: Record) -> list[Ref]:
    """Descriptions that fit one person only, and some that fit nobody."""
    by_words: dict[str, list[Stated]] = defaultdict(list)
    for one in record.stated:
        if one.fact.attribute in DESCRIPTIONS:
            by_words[_described(one.fact.attribute, one)].append(one)
    found = []
    for text, stated in by_words.items():
        if any(facets.is_a_relation(record, one.wording.slots["value"]) for one in stated):
            continue
        clear = all(one.right and one.fact.polarity > 0 and facets.holds(record, one) for one in stated)
        if clear and len({one.fact.subject for one in stated}) == 1:
            found.append(Ref(BY_FACT, text, stated[0].fact.subject, (stated[0].line.moment,), stated[0].fact.attribute))
    spare = [(attribute, one) for attribute, one in record.world.spare if attribute in DESCRIPTIONS]
    return found + [
        Ref(BY_FACT, put(DESCRIPTIONS[attribute], one.slots), "", about=attribute) for attribute, one in spare
    ]


def _described(attribute: str, one: Stated) -> str:
    return put(DESCRIPTIONS[attribute], one.wording.slots)


def _by_sight(record: Record) -> list[Ref]:
    """The first and the last of each day, where nobody came with them."""
    found = []
    for day in record.days:
        seen = sorted(record.seen_on(day), key=lambda one: one.start_ns)
        if len(seen) < 2 or seen[1].start_ns - seen[0].start_ns < TOGETHER_NS:
            continue
        text = f"the person you saw first {words(record.world, When(day), record.until_ns)}"
        found.append(Ref(BY_SIGHT, text, seen[0].who, (seen[0].moment,)))
    return found
