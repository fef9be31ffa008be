"""Who is what to whom: "Who is Anna's sister?", "How does Ben know Anna?", "Is Ben Anna's brother?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.answer import Answer, Evidence, Outcome, abstain
from robot_memory.control.answering.grounds import Grounds, resting
from robot_memory.control.answering.times import joined
from robot_memory.control.answering.told_wording import whole
from robot_memory.control.steps import State, Step
from robot_memory.control.whom.kinship import LESS, answers, exclude, inverts, is_one_only
from robot_memory.control.whom.persons import named
from robot_memory.control.whom.relations import RELATIONS, Tie, related, ties
from robot_memory.control.whom.roles import MY, role_in, same_name
from robot_memory.control.whom.someone import YOU, Someone, heard_of
from robot_memory.control.wishes.wish import Kind

FEW = 4  # people in an answer


def next(state: State) -> Step | Answer:
    """The next look-up, or the answer."""
    found = state.hits(RELATIONS)
    if found is None:
        return RELATIONS
    who = _whom(state)
    if isinstance(who, Answer):
        return who
    if not who:
        return abstain("I don't know whose relatives you mean.")
    known = ties(found, state.people)
    kin = _kin(state)
    if state.wish.kind is Kind.IS_SO:
        return _is_so(state, who, kin, known)
    if len(who) > 1:
        return _between(state, who[0], who[1], known)
    return _of(state, who[0], kin, known)


def _whom(state: State) -> list[Someone] | Answer:
    """The people between whom a relation is asked for, the one whose it is first."""
    who = named(state)
    if isinstance(who, Answer):
        return who
    asks = [one for one in state.reading.mentions if one.how == "asker"]
    if asks and all(one.called != YOU for one in who) and _asks_of_oneself(state):
        person = state.people.get(asks[0].persons[0]) if asks[0].persons else None
        if person:
            who = [Someone(YOU, person.id, (f"<{person.token}>",)), *who]
    other = state.wish.value
    if other and other[:1].isupper() and len(who) == 1 and who[0].called.casefold() != other.casefold():
        who = [*who, heard_of(other, state.people)]
    return who


def _asks_of_oneself(state: State) -> bool:
    words = re.sub(r"\b(?:tell|remind|give|show) me\b", "", state.reading.words.lower())
    return re.search(r"\b(?:i|me|my|mine)\b", words) is not None


def _kin(state: State) -> str:
    """What they are to each other, as the question gives it: "big sister"."""
    if state.wish.relation:
        return state.wish.relation
    role = role_in(state.reading)
    return role.kin[-1] if role else ""


def _of(state: State, owner: Someone, kin: str, known: Sequence[Tie]) -> Answer:
    """Who is that to somebody; all relatives where nothing is said of what they are."""
    if not kin:
        own = [tie for tie in known if tie.holds and tie.owner.key == owner.key][:FEW]
        if not own:
            return abstain(whole(f"Nobody told me who belongs to {owner.called}"))
        return _answered(state, "; ".join(_said(tie) for tie in own), [tie.told for tie in own], owner.sure)
    there = related(owner, kin, known)
    whose = "your" if owner.asker else f"{owner.called}'s"
    if not there:
        return abstain(whole(f"Nobody told me who {whose} {kin} is"))
    names = joined([one.called for one in there[:FEW]])
    verb, noun = ("are", f"{kin}s") if len(there) > 1 else ("is", kin)
    cited = [told for one in there for told in one.because]
    return _answered(state, f"{names} {verb} {whose} {noun}", cited, owner.sure * there[0].sure)


def _between(state: State, one: Someone, other: Someone, known: Sequence[Tie]) -> Answer:
    """What two people are to each other."""
    both = {one.key, other.key}
    found = [tie for tie in known if tie.holds and {tie.owner.key, tie.other.key} == both]
    if not found:
        return abstain(whole(f"Nobody told me what {one.called} and {other.called} are to each other"))
    kept = found[-2:]
    askers = [each.key for each in (one, other) if each.asker]
    text = "; ".join(_said(tie, askers) for tie in kept)
    return _answered(state, text, [tie.told for tie in kept], min(one.sure, other.sure))


def _is_so(state: State, who: Sequence[Someone], kin: str, known: Sequence[Tie]) -> Answer:
    """Whether two people are that to each other."""
    if len(who) < 2:
        owner = who[0]
        there = related(owner, kin, known) if kin else []
        if not there:
            return abstain(whole(f"Nobody told me of a {kin or 'relative'} of {owner.called}"))
        return _of_yes(state, owner, kin, there)
    for owner, other in ((who[0], who[1]), (who[1], who[0])):
        told = [tie for tie in known if tie.owner.key == owner.key and tie.other.key == other.key]
        said = [tie for tie in told if not kin or answers(kin, tie.kin)]
        if said and _is_owner(state, owner, who):
            last = said[-1]
            text = f"{'Yes' if last.holds else 'No'}, {_said(last)}" if last.holds else f"No, {_not(last)}"
            return _answered(state, text, [last.told], min(one.sure for one in who))
    return _by_the_other_way(state, who, kin, known)


def _by_the_other_way(state: State, who: Sequence[Someone], kin: str, known: Sequence[Tie]) -> Answer:
    """By what the one is to the other the other way round, or by what excludes it."""
    both = {one.key for one in who[:2]}
    told = [tie for tie in known if tie.holds and {tie.owner.key, tie.other.key} == both]
    sure = min(one.sure for one in who)
    if told and any(inverts(kin, tie.kin) for tie in told):
        return _answered(state, f"Yes, {_said(told[-1])}", [told[-1].told], LESS * sure)
    if told and exclude(kin, told[-1].kin):
        return _answered(state, f"No, {_said(told[-1])}", [told[-1].told], sure)
    if told:
        return abstain(whole(f"Nobody told me that. I only know that {_said(told[-1])}"))
    others = related(who[0], kin, known) if kin and is_one_only(kin) else []
    if others:
        return _answered(state, f"No, {_said_of(who[0], kin, others[0])}", others[0].because, LESS * who[0].sure)
    return abstain(whole(f"Nobody told me what {who[0].called} and {who[1].called} are to each other"))


def _of_yes(state: State, owner: Someone, kin: str, there: Sequence[Someone]) -> Answer:
    cited = [told for one in there for told in one.because]
    return _answered(state, f"Yes, {_said_of(owner, kin, there[0])}", cited, owner.sure * there[0].sure)


def _is_owner(state: State, owner: Someone, who: Sequence[Someone]) -> bool:
    """Whether it is this one's relative that is asked for: "Is Ben Anna's brother?" asks for Anna's."""
    role = role_in(state.reading)
    if role is None:
        return True
    return owner.asker if role.owner.lower() in MY else same_name(role.owner, owner.called)


def _said(tie: Tie, askers: Sequence[str] = ()) -> str:
    """ "Ben is Anna's brother"; `askers`: the key of the one who asks, who is "you"."""
    owner, other = (YOU if one.key in askers else one.called for one in (tie.owner, tie.other))
    return _sentence(owner, tie.kin, other)


def _said_of(owner: Someone, kin: str, other: Someone) -> str:
    return _sentence(owner.called, kin, other.called)


def _sentence(owner: str, kin: str, other: str) -> str:
    whose = "your" if owner == YOU else f"{owner}'s"
    return f"{other} {'are' if other == YOU else 'is'} {whose} {kin}"


def _not(tie: Tie) -> str:
    return _said(tie).replace(" is ", " is not ", 1)


def _answered(state: State, text: str, cited: Sequence[Evidence], sure: float) -> Answer:
    grounds = Grounds(named=sure, asked=state.wish.sure, observations=max((one.count for one in cited), default=1))
    evidence = tuple({one.memory: one for one in cited}.values())
    return resting(Answer(whole(text), Outcome.ANSWERED, evidence=evidence), grounds)
