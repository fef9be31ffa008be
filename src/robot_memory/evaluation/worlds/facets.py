"""Questions about facts: what somebody does, likes, plans; where a thing is; what was so before it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from robot_memory.evaluation.trial import Expected
from robot_memory.evaluation.worlds.asking import NAMED, Answer, Ask, Kind, Unclear
from robot_memory.evaluation.worlds.bank.filling import put, slots_of
from robot_memory.evaluation.worlds.record import Record, Stated

MOST_TRAPS = 8
GRAMMAR = ("is", "isnt", "was", "has", "it", "them")  # slots that only follow from a given one


@dataclass(frozen=True)
class Facet:
    """One side of an attribute: which slots the question gives, and which say the answer; `every`: all values are
    asked for, not one of them.
    """

    key: str
    attribute: str
    type: str
    answers: tuple[str, ...]
    given: tuple[str, ...] = ()
    polarity: int = 1
    every: bool = False


DAY_TIME = ("{day} at {time}", "{day}, {time}", "{time} on {day}", "{day} at {clock}", "{day} at {clock12}")
FACETS = (
    Facet("job", "job", "person", ("{value}", "{value_np}", "{value_at}")),
    Facet("home", "home", "person", ("{value}",)),
    Facet("age", "age", "person", ("{value}", "{value_words}")),
    Facet("likes", "likes", "person", ("{value}",)),
    Facet("likes_all", "likes", "multi-detail", ("{value}",), every=True),
    Facet("dislikes", "likes", "person", ("{value}",), polarity=-1),
    Facet("owns", "owns", "person", ("{value}",)),
    Facet("owns_all", "owns", "multi-detail", ("{value}",), every=True),
    Facet("place", "place", "place", ("{value_at}", "{value}"), ("thing",)),
    Facet("appointment", "appointment", "general", DAY_TIME, ("what",)),
    Facet("promise", "promise", "general", ("{what}", "{what_ing}")),
    Facet("promise_when", "promise", "general", ("{day}",), ("what",)),
    Facet("routine", "routine", "general", ("{when}",), ("what",)),
    Facet("plan", "plan", "general", ("{what}", "{what_ing}")),
    Facet("plan_when", "plan", "general", ("{when}",), ("what",)),
    Facet("opinion", "opinion", "person", ("{judgement}",), ("topic",)),
    Facet("relation", "relation", "person", ("{other}",), ("relation",)),
    Facet("related", "relation", "person", ("{relation}",), ("other",)),
)
CHANGING = ("job", "home", "place", "appointment", "promise_when", "routine", "plan_when", "opinion")
ASKED_BEFORE = ("job", "home", "place", "appointment")
NEAR = {  # what comes close to an answer where nothing was said on the attribute itself
    "job": ("relation",),
    "home": ("relation",),
    "age": ("relation",),
    "plan": ("promise", "appointment"),
    "promise": ("plan", "appointment"),
    "likes": ("opinion", "routine", "plan"),
    "likes_all": ("opinion", "routine", "plan"),
    "dislikes": ("opinion",),
}
RELATION_TELLS = ("relation", "related", "job", "home", "age")  # somebody's dentist, flatmate or twin
SINGLE = ("promise", "plan")  # their first half stays when the second changes


def kinds() -> Iterator[Kind]:
    """A kind for each facet, and one for what was before."""
    for facet in FACETS:
        slots = (("subject",) if facet.attribute != "place" else ()) + (("given",) if facet.given else ())
        given = partial(_given, facet) if facet.given else None
        yield Kind(facet.key, facet.type, False, slots, partial(_now, facet), given)
        if facet.key in ASKED_BEFORE:
            yield Kind(f"changed_{facet.key}", "changed", False, slots, partial(_before, facet), given, (NAMED,))


def now(key: str, record: Record, ask: Ask) -> Answer | None:
    """What holds at the moment of asking, by a facet's key. Raises Unclear."""
    return _now(next(facet for facet in FACETS if facet.key == key), record, ask)


def _now(facet: Facet, record: Record, ask: Ask) -> Answer | None:
    """What holds at the moment of asking."""
    stated = _stated(facet, record, ask)
    if stated is None:
        return None
    holding = [one for one in stated if one.right and holds(record, one) and one.fact.polarity == facet.polarity]
    if not holding:
        raise Unclear
    if facet.every and len(_values(facet, holding)) < 2:
        raise Unclear
    earlier = _values(facet, [one for one in stated if one.right and not holds(record, one)])
    every = tuple(answer for one in holding for answer in _answers(facet, one.wording.slots))
    values = _values(facet, holding) if facet.every else tuple(dict.fromkeys(every))
    traps = _traps(facet, record, stated, values + earlier)
    evidence = tuple(one.line.moment for one in holding)
    expected = Expected("names" if facet.every else "text", values, traps=traps, earlier=_apart(earlier, values))
    return Answer(expected, evidence, changed=bool(earlier) and facet.key in CHANGING)


def _before(facet: Facet, record: Record, ask: Ask) -> Answer | None:
    """What held before the last change; None where no change was told."""
    stated = _stated(facet, record, ask)
    holding = [one for one in stated or [] if one.right and holds(record, one)]
    past = [one for one in stated or [] if one.right and not holds(record, one)]
    if not past or not holding:
        return None
    last = max(past, key=lambda one: one.fact.valid_until_ns or 0)
    values = _answers(facet, last.wording.slots)
    now = _apart(_values(facet, holding), values)
    if len({one.fact.value for one in past}) > 1 or not now:
        raise Unclear  # two earlier values, both "before"
    change = [one.line.moment for one in holding if one.telling.form == "changed"]
    evidence = tuple(one.line.moment for one in past) + tuple(change)
    return Answer(Expected("text", values, traps=now), evidence, changed=True)


def _stated(facet: Facet, record: Record, ask: Ask) -> list[Stated] | None:
    """All that was said about what is asked; None for nothing. Unclear where a mistake was not put right."""
    subject = ask.subject.who if ask.subject else f"the {dict(ask.given)['thing']}"
    given = {slot: text for slot, text in ask.given if slot in facet.given}
    about = record.about(subject, facet.attribute) if subject else []
    stated = [one for one in about if all(one.wording.slots.get(slot) == text for slot, text in given.items())]
    if facet.attribute in ("likes", "owns"):
        stated = [one for one in stated if one.fact.polarity == facet.polarity]
    if not stated:
        check_silence(facet.key, record, subject)
        return None
    if not any(one.right for one in stated):
        raise Unclear
    if facet.key in SINGLE and len({_answers(facet, one.wording.slots)[0] for one in stated}) > 1:
        raise Unclear
    return stated


def check_silence(key: str, record: Record, subject: str) -> None:
    """Raises Unclear where what was said on another attribute lets one guess."""
    if any(record.about(subject, near) for near in NEAR.get(key, ())):
        raise Unclear
    if key in RELATION_TELLS and any(
        one.fact.attribute == "relation" and one.wording.slots["other"] == subject for one in record.stated
    ):
        raise Unclear


def is_a_relation(record: Record, word: str) -> bool:
    """Whether somebody is called that as a relation: "my dentist" says what Ann does, too."""
    return any(one.wording.slots["relation"] == word for one in record.stated if one.fact.attribute == "relation")


def holds(record: Record, one: Stated) -> bool:
    """Whether what was stated is still so at the record's end."""
    until = one.fact.valid_until_ns
    return until is None or until > record.until_ns


def _given(facet: Facet, record: Record) -> Iterator[tuple[tuple[str, str], ...]]:
    """Slots of values that were told, and of some that nobody mentions."""
    told = [one.wording.slots for one in record.stated if one.fact.attribute == facet.attribute]
    spare = [one.slots for attribute, one in record.world.spare if attribute == facet.attribute]
    for slots in told + spare:
        yield given_of(slots, facet.given)


def given_of(slots: Mapping[str, str], names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The slots of these names, their other forms (what: what_np, what_ing) and what grammar asks for beside them."""
    return tuple(sorted((slot, text) for slot, text in slots.items() if slot.split("_")[0] in names + GRAMMAR))


def _answers(facet: Facet, slots: Mapping[str, str]) -> tuple[str, ...]:
    found = [put(template, slots) for template in facet.answers if slots_of(template) <= slots.keys()]
    return tuple(dict.fromkeys(found))


def _values(facet: Facet, stated: list[Stated]) -> tuple[str, ...]:
    """One wording for each of the values stated."""
    return tuple(dict.fromkeys(_answers(facet, one.wording.slots)[0] for one in stated))


def _traps(facet: Facet, record: Record, stated: list[Stated], right: tuple[str, ...]) -> tuple[str, ...]:
    """What was said wrongly of the subject, the opposite, and what others do, like or plan."""
    slips = [_answers(facet, one.telling.slip.slots)[0] for one in stated if one.telling.slip]
    wrong = slips + [one.telling.value for one in stated if one.telling.form == "mistaken"]
    others = traps_of(facet.key, record)
    return _apart(tuple(dict.fromkeys(text for text in wrong + list(others) if text)), right)[:MOST_TRAPS]


def traps_of(key: str, record: Record) -> tuple[str, ...]:
    """The answers that other subjects of this world would have to a question of this kind."""
    facet = next((facet for facet in FACETS if facet.key == key.removeprefix("changed_")), None)
    if facet is None:
        return ()
    pairs = zip(record.world.facts, record.world.wordings, strict=True)
    return tuple(dict.fromkeys(_answers(facet, w.slots)[0] for f, w in pairs if f.attribute == facet.attribute))


def _apart(texts: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """Those that neither contain nor are contained in a right one."""
    known = [one.casefold() for one in right]
    return tuple(text for text in texts if not any(text.casefold() in one or one in text.casefold() for one in known))
