"""From a question to whom it is about: by name, as the one who asks, by what they are to somebody, by what was told of
them. What that takes to look up is a step; what cannot be told is an answer that says so, or asks back.

Descriptions by sight are read as tokens before (answering/seen_described.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.answer import Answer, Outcome, abstain
from robot_memory.control.steps import Claims, State, Step
from robot_memory.control.understanding.reading import ALIAS, ASKER, ROLE, SOUND, Mention
from robot_memory.control.whom.described import Description, descriptions, those
from robot_memory.control.whom.relations import RELATIONS, Tie, related, ties
from robot_memory.control.whom.roles import MY, Role, role_in, same_name
from robot_memory.control.whom.someone import YOU, Someone, heard_of, met
from robot_memory.memory.people.people import People

SURENESS = {ALIAS: 0.9, SOUND: 0.7}
TALKED_OF = 0.9  # of a name that nobody met goes by

Whom = list[Someone]


def persons(state: State) -> Whom | Step | Answer:
    """Everyone a question is about, in the order of mention; a step that has to be made first; or why that is not
    clear. Empty where the question is about nobody.
    """
    if role := role_in(state.reading, f"{state.wish.subject} {state.wish.value}"):
        return _by_role(role, state)
    if described := descriptions(state.reading.words):
        return _by_fact(described, state)
    return named(state)


def named(state: State) -> Whom | Answer:
    """Those a question names, whatever they are to each other; the one who asks where it names nobody else."""
    found = list[Someone]()
    others = [one for one in state.reading.mentions if one.how != ASKER and not one.of]
    for mention in [one for one in others if not one.in_time] or others:
        someone = _of_mention(mention, state)
        if isinstance(someone, Answer):
            return someone
        found.append(someone)
    if not found:
        found = [heard_of(name, state.people, TALKED_OF) for name in state.reading.unknown_names]
    if not found and any(one.how == ASKER for one in state.reading.mentions):
        return asker(state)
    return list({one.key: one for one in found}.values())


def talked_of(state: State) -> Whom | Step:
    """Those only talked about whose names stand in the question where no name was looked for."""
    step = Claims("who was talked of", None, (state.wish.attribute,) if state.wish.attribute else ())
    found = state.hits(step)
    if found is None:
        return step
    text = state.reading.words
    subjects = dict.fromkeys(fact.subject for one in found for fact in one.facts)
    names = [one for one in subjects if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)]
    return [Someone(one.title(), None, (one,), TALKED_OF) for one in names]


def asker(state: State) -> Whom | Answer:
    """The one who asks, as "you"."""
    mention = next((one for one in state.reading.mentions if one.how == ASKER), None)
    person = state.people.get(mention.persons[0]) if mention and mention.persons else None
    if person is None:
        return abstain("I don't know who you are.", "Say your name, or ask from where I can see or hear you.")
    known = met(person, state.people)
    return [Someone(YOU, known.person, known.subjects)]


def which_one(words: str, candidates: Sequence[Someone], people: People) -> Answer:
    """The question asked back where words mean several people: "Do you mean Ann or Anne?"."""
    known = [person for one in candidates if one.person is not None and (person := people.get(one.person))]
    names = [one.called for one in candidates]
    if len({name.casefold() for name in names}) < len(names):
        names = [f"{one.called} (person {one.person})" if one.person is not None else one.called for one in candidates]
    tokens = tuple(person.token for person in known)
    either = " or ".join((", ".join(names[:-1]), names[-1]))
    return Answer(
        f"Do you mean {either}?",
        Outcome.AMBIGUOUS,
        f"“{words}” may be several people. Ask again with one of: {', '.join(tokens or tuple(names))}.",
        candidates=tokens,
    )


def _of_mention(mention: Mention, state: State) -> Someone | Answer:
    if mention.how == ROLE:  # one of nobody, as "the postman"
        return Someone(mention.words, None, (mention.words,), TALKED_OF)
    sure = SURENESS.get(mention.how, 1.0)
    known = [met(person, state.people, sure) for id in mention.persons if (person := state.people.get(id))]
    if not known:
        return heard_of(mention.words, state.people, TALKED_OF)
    if len({one.person for one in known}) > 1:
        return which_one(mention.words, known, state.people)
    return known[0]


def _by_role(role: Role, state: State) -> Whom | Step | Answer:
    """Whoever is that to somebody, and what was told of "Anna's brother" without a name."""
    found = state.hits(RELATIONS)
    if found is None:
        return RELATIONS
    owner = _owner(role.owner, state)
    if isinstance(owner, Answer):
        return owner
    return _followed(owner, role, ties(found, state.people), state)


def _followed(owner: Someone, role: Role, known: Sequence[Tie], state: State) -> Whom | Answer:
    at = owner
    for step, kin in enumerate(role.kin):
        last = step == len(role.kin) - 1
        there = related(at, kin, known)
        if len(there) > 1:
            return which_one(role.words, there, state.people)
        unnamed = tuple(f"{one}'s {kin}" for one in at.subjects)
        if not there and not last:
            return abstain(f"Nobody told me who {role.words} is.")
        if not there:
            return [Someone(role.words, None, unnamed, at.sure, at.because)]
        one = there[0]
        at = Someone(one.called, one.person, (*one.subjects, *unnamed), at.sure * one.sure, (*at.because, *one.because))
    return [at]


def _owner(words: str, state: State) -> Someone | Answer:
    if words.lower() in MY:
        own = asker(state)
        return own if isinstance(own, Answer) else own[0]
    for mention in state.reading.mentions:
        if mention.how not in (ASKER, ROLE) and same_name(mention.words, words):
            return _of_mention(mention, state)
    return heard_of(words, state.people, TALKED_OF)


def _by_fact(described: Sequence[Description], state: State) -> Whom | Step | Answer:
    attributes = tuple(dict.fromkeys(one.attribute for one in described))
    step = Claims("whom it describes", None, attributes)
    found = state.hits(step)
    if found is None:
        return step
    fit = those(described, found, state.people, state.question.now_ns)
    if not fit:
        return abstain("I don't know whom you mean: nobody told me of anybody like that.")
    if len(fit) > 1:
        return which_one("the person you describe", fit, state.people)
    return fit
