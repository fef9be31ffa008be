"""What is so, and what was so before: "Anna works as a nurse now and used to work as a teacher"."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.times import joined
from robot_memory.control.answering.told_answers import answered
from robot_memory.control.answering.told_wording import named_after, nobody_told, said
from robot_memory.control.facts.claimed import Claimed
from robot_memory.control.facts.matching import Match, contents, match
from robot_memory.control.facts.times import TIMED, falls_on, parted
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import Someone
from robot_memory.memory.insertion.attributes import named, spelled

FEW, MANY = 3, 6  # values in an answer, where one is asked for and where all are
ONE_OF_MANY = 0.7  # how well one value answers who asks for all
CHANGING = ("job", "home")  # of these it is worth telling what was so before


def value(state: State, someone: Someone, claims: Sequence[Claimed]) -> Answer:
    """What holds of somebody or something."""
    wish = state.wish
    about = asked_about(state, claims)
    if state.reading.validity == "earlier":
        return before(state, someone, claims)
    holding = [one for one in about if one.holds and one.polarity == wish.polarity]
    if wish.attribute == "name" and someone.asker and (own := _own_name(state, someone, about)):
        return own
    if wish.attribute == "name":
        holding = [one for one in holding if one.value.casefold() != someone.called.casefold()]
    if not holding:
        return _nothing(state, someone, about)
    chosen = _chosen(holding, MANY if wish.every else FEW)
    text = said(someone, chosen, past=chosen[0].over)
    former = _former(about, chosen) if wish.attribute in CHANGING and not chosen[0].over else []
    if former:
        text = f"{text} now and {_used_to(someone, former[-1:])}"
    elif source := _source(state, someone, chosen):
        text = f"{text}, {source}"
    rivals = any(one.hearsay and one.norm != chosen[0].norm for one in about) if _has_one(wish.attribute) else False
    only = wish.every and len(chosen) == 1
    if only:  # who asks for all is told that there may be more
        text = f"All that I was told of is this: {text}"
    supported = ONE_OF_MANY if only else 1.0
    return answered(text, state, someone, chosen, former[-1:], supported, float(rivals))


def _own_name(state: State, someone: Someone, about: Sequence[Claimed]) -> Answer | None:
    """Who asks for their own name hears what they are called, and by what else."""
    person = state.people.get(someone.person) if someone.person is not None else None
    if person is None or not person.name:
        return None
    others = list(dict.fromkeys(c.value for c in about if c.holds and c.value.casefold() != person.name.casefold()))
    also = f", also called {joined(others[:FEW])}" if others else ""
    return answered(f"You are {person.name}{also}", state, someone, about)


def before(state: State, someone: Someone, claims: Sequence[Claimed]) -> Answer:
    """What was so before what is so now: the last that was."""
    about = asked_about(state, claims)
    now = {one.norm for one in about if one.holds and one.polarity > 0}
    former = [one for one in about if one.former and one.polarity > 0 and one.norm not in now]
    if not former:
        return abstain(nobody_told(someone, state.wish.attribute, "before"))
    last = max(former, key=lambda one: one.rank)
    fuller = [one for one in former if match(last.value, one.value, one.attribute) is Match.KIND]
    last = max(fuller, key=lambda one: one.rank, default=last)  # as it was told when it was so
    return answered(said(someone, [last], past=True), state, someone, [last], [one for one in about if one.holds])


def asked_about(state: State, claims: Sequence[Claimed]) -> list[Claimed]:
    """The claims of the attribute and, where the question says of what (a topic, an appointment), of that."""
    wish = state.wish
    about = [one for one in claims if one.attribute == wish.attribute and _in_time(one, state)]
    if not wish.value:
        return about
    fits = [(match(wish.value, one.value, one.attribute), one) for one in about]
    best = max((fit for fit, _ in fits), default=Match.NONE)
    least = Match.KIND if best >= Match.KIND else Match.WIDER
    return [one for fit, one in fits if fit >= least]


def _in_time(one: Claimed, state: State) -> bool:
    """Whether what is to be done is due, or was told, in the time that the question names."""
    span = state.reading.span
    if one.attribute not in TIMED or span.start_ns is None or span.end_ns is None:
        return True
    was_told = span.start_ns <= one.since_ns < span.end_ns
    if span.end_ns <= state.question.now_ns:
        return was_told
    day = state.zone.at(span.start_ns)
    return was_told or falls_on(parted(one.value)[1], f"{day:%A}", f"{day.day} {day:%B}")


def _chosen(holding: Sequence[Claimed], most: int) -> list[Claimed]:
    """The newest of each matter, own words first; of an opinion only the last."""
    newest = sorted(holding, key=lambda one: one.rank, reverse=True)
    if _has_one(newest[0].attribute) or newest[0].attribute == "opinion":
        return newest[:1]
    kept = list[Claimed]()
    for one in newest:
        if not any(_same_matter(one, other) for other in kept):
            kept.append(one)
    return kept[:most]


def _same_matter(one: Claimed, other: Claimed) -> bool:
    if one.attribute in TIMED:
        return contents(parted(one.value)[0]) == contents(parted(other.value)[0])
    return one.norm == other.norm


def _former(about: Sequence[Claimed], chosen: Sequence[Claimed]) -> list[Claimed]:
    """What was so before, the latest last."""
    now = {one.norm for one in chosen}
    return sorted((one for one in about if one.former and one.norm not in now), key=lambda one: one.rank)


def _used_to(someone: Someone, former: Sequence[Claimed]) -> str:
    """The sentence about what was so, without its subject."""
    return said(someone, former, past=True).removeprefix(someone.called).strip()


def _source(state: State, someone: Someone, chosen: Sequence[Claimed]) -> str:
    """Who says so, where it is not the person and not common knowledge."""
    return named_after(chosen[0], state) if len(chosen) == 1 and not someone.thing else ""


def _nothing(state: State, someone: Someone, about: Sequence[Claimed]) -> Answer:
    """What is not known, and what was told instead."""
    key = "dislikes" if state.wish.attribute == "likes" and state.wish.polarity < 0 else state.wish.attribute
    silence = abstain(nobody_told(someone, key, value=state.wish.value))
    ended = [one for one in about if one.former]
    if ended and not any(one.holds for one in about):
        return abstain(f"{silence.text} I only know what was so before.")
    return silence


def _has_one(attribute: str) -> bool:
    return named(spelled(attribute), 1)[0].kind == "one"
