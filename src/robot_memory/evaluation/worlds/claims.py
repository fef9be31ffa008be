"""Questions that name a value of an attribute: is it so, who is it of, and what about somebody's sister."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from robot_memory.evaluation.trial import Expected
from robot_memory.evaluation.worlds import facets
from robot_memory.evaluation.worlds.asking import NAMED, Answer, Ask, Kind, Ref, Unclear
from robot_memory.evaluation.worlds.record import Record, Stated

GIVEN = {"job": "value_np", "home": "value_in", "likes": "value", "owns": "value_np"}  # the slot that stands for it
ONE_ONLY = ("job", "home")  # who has one value does not have another
HOPS = ("job", "home", "age", "likes", "owns")


def kinds() -> Iterator[Kind]:
    """Yes or no, who, and the hop over a relation."""
    for attribute in GIVEN:
        given = partial(_given, attribute)
        yes_or_no = partial(_yes_or_no, attribute)
        yield Kind(f"yesno_{attribute}", "person", False, ("subject", "given"), yes_or_no, given, (NAMED,))
        yield Kind(f"who_{attribute}", "person", False, ("given",), partial(_who, attribute), given)
    for attribute in HOPS:
        hop = partial(_hop, attribute)
        yield Kind(f"hop_{attribute}", "multi-hop", False, ("subject", "given"), hop, _relations, (NAMED,))


def _given(attribute: str, record: Record) -> Iterator[tuple[tuple[str, str], ...]]:
    slot = GIVEN[attribute]
    told = [one.wording.slots for one in record.stated if one.fact.attribute == attribute]
    spare = [one.slots for of, one in record.world.spare if of == attribute]
    for slots in told + spare:
        yield facets.given_of(slots, (slot.split("_")[0],))


def _yes_or_no(attribute: str, record: Record, ask: Ask) -> Answer | None:
    """Yes or no by what was said of the subject; None where nothing was said that decides it."""
    assert ask.subject is not None
    slot = GIVEN[attribute]
    text = dict(ask.given)[slot]
    stated = record.about(ask.subject.who, attribute)
    if any(not one.right for one in stated):
        raise Unclear  # a mistake, or something that has ended
    same = [one for one in stated if one.wording.slots[slot] == text]
    holding = [one for one in same if facets.holds(record, one)]
    if holding:
        return _said("yes" if holding[0].fact.polarity > 0 else "no", holding)
    if same and attribute in ONE_ONLY:
        raise Unclear  # "is" or "was"
    other = [one for one in stated if facets.holds(record, one)] if attribute in ONE_ONLY else []
    if other:
        return _said("no", other)
    facets.check_silence(attribute, record, ask.subject.who)
    return None


def _said(word: str, stated: list[Stated]) -> Answer:
    return Answer(Expected("yesno", (word,)), tuple(one.line.moment for one in stated))


def _who(attribute: str, record: Record, ask: Ask) -> Answer | None:
    """Everybody of whom it was said and still holds."""
    slot = GIVEN[attribute]
    text = dict(ask.given)[slot]
    stated = [one for one in record.stated if one.fact.attribute == attribute and _value(one, slot) == text]
    positive = [one for one in stated if one.right and one.fact.polarity > 0]
    if attribute == "job" and facets.is_a_relation(record, dict(ask.given)["value"]):
        raise Unclear
    if not stated:
        return None
    if not positive or any(not facets.holds(record, one) or not one.right for one in stated):
        raise Unclear
    names = tuple(dict.fromkeys(one.fact.subject for one in positive))
    traps = tuple(name for name in record.people() if name not in names)
    return Answer(Expected("names", names, traps=traps), tuple(one.line.moment for one in positive))


def _value(one: Stated, slot: str) -> str:
    return one.wording.slots.get(slot, "")


def _relations(record: Record) -> Iterator[tuple[tuple[str, str], ...]]:
    for one in record.stated:
        if one.fact.attribute == "relation":
            yield facets.given_of(one.wording.slots, ("relation",))


def _hop(attribute: str, record: Record, ask: Ask) -> Answer | None:
    """First to the relative, then to what was said of them."""
    relative = facets.now("relation", record, ask)
    if relative is None:
        return None
    if len(relative.expected.values) != 1:
        raise Unclear
    meant = Ref(NAMED, "", relative.expected.values[0])
    found = facets.now(attribute, record, Ask(subject=meant))
    return None if found is None else Answer(found.expected, relative.evidence + found.evidence)
