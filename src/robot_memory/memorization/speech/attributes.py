"""Reads likes, job, home, age, possessions and other names from a clause, by the tables of those names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from robot_memory.memorization.speech import values
from robot_memory.memorization.speech.agents import trade_of_doing
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.patterns import compiled
from robot_memory.memorization.speech.persons import NAME, UPPER, Person, person, persons
from robot_memory.memorization.speech.stance import weigh_text
from robot_memory.memorization.speech.subjects import is_name, subject_at
from robot_memory.memorization.speech.tables import listed
from robot_memory.memorization.speech.told import Told

Reader = Callable[[str], list[str]]
NEGATION = re.compile(r"\b(?:not|never|no|nobody|none|neither|nor|no longer)\b", re.I)
LONG_AGO = re.compile(
    r"\b(?:used to|once|until|no longer|not now|any ?more|always|in those days|back "
    r"then|as a (?:child|kid|boy|girl))\b",
    re.I,
)
DENYING = re.compile(r"\bnot\b|would|could|nobody|nothing")
FEELING_PAST = re.compile(r"^(?:liked|loved|enjoyed|hated|adored|disliked|was|were|did)\b")


@dataclass(frozen=True)
class Section:
    """What a pattern of a section tells: `sign` of the claim, `past`, and whether its denial tells the opposite."""

    name: str
    reader: Reader
    sign: int = 1
    past: bool = False
    deniable: bool = True
    begun: bool = False  # it has begun: "moved to" in the past is so now


TABLES: dict[str, tuple[Section, ...]] = {
    "likes": (
        Section("ended", values.liking, past=True, deniable=False),
        Section("against", values.liking, sign=-1, deniable=False),
        Section("strong", values.liking, deniable=False),
        Section("said", values.liking),
    ),
    "job": (
        Section("ended", partial(values.trade, sure=True), past=True, deniable=False),
        Section("sure", partial(values.trade, sure=True)),
        Section("said", values.trade),
        Section("doing", trade_of_doing),
    ),
    "home": (
        Section("ended", values.dwelling, past=True, deniable=False),
        Section("moved", values.dwelling, begun=True),
        Section("said", values.dwelling),
    ),
    "age": (Section("said", values.years),),
    "owns": (
        Section("ended", partial(values.thing, sure=True), past=True, deniable=False),
        Section("ended_known", values.known_thing, past=True, deniable=False),
        Section("against", values.known_thing, sign=-1, deniable=False),
        Section("sure", partial(values.thing, sure=True)),
        Section("said", values.thing),
    ),
    "name": (Section("said", values.called),),
}
WHOLE: dict[str, tuple[Section, ...]] = {
    "likes": (Section("whole_not", values.liking, sign=-1), Section("whole", values.liking)),
    "job": (
        Section("whole_ended", partial(values.trade, sure=True), past=True),
        Section("whole_not", values.trade, sign=-1),
        Section("whole", values.trade),
    ),
    "home": (Section("whole", values.dwelling),),
    "age": (Section("whole_ended", values.years, past=True), Section("whole", values.years)),
    "owns": (
        Section("ended_whole", partial(values.thing, sure=True), past=True),
        Section("whole", partial(values.thing, sure=True)),
    ),
    "name": (
        Section("whole_not", values.called, sign=-1),
        Section("whole_ended", values.called, past=True),
        Section("whole", values.called),
    ),
}


def claims(clause: Clause, topic: str = "") -> list[Told]:
    """What is told of the clause's subject. `topic`: what "it" and "them" stand for."""
    clause = unfronted(clause)
    subjects = persons(clause.subject) if clause.subject else []
    found: list[Told] = []
    if not subjects or clause.modal in ("will",):
        return found
    for attribute, sections in TABLES.items():
        found += _first(attribute, sections, clause, subjects, topic)
    return found


def _first(
    attribute: str, sections: tuple[Section, ...], clause: Clause, subjects: list[Person], topic: str
) -> list[Told]:
    predicate = _with_topic(clause.predicate, topic)
    if attribute == "likes" and topic and any(one.fullmatch(clause.predicate) for one in compiled("likes", "topic")):
        return [Told(s.name, attribute, topic, clause.polarity, s.of, clause.past, clause.said) for s in subjects]
    for section in sections:
        if clause.polarity < 0 and not section.deniable:
            continue
        for pattern in compiled(attribute, section.name):
            fit = pattern.fullmatch(predicate)
            if fit and (read := section.reader(fit["v"])):
                if (
                    attribute == "likes"
                    and clause.past
                    and FEELING_PAST.match(predicate)
                    and not LONG_AGO.search(clause.text)
                ):
                    return []  # "I loved the film" is of an evening, not of a taste
                past = section.past or (clause.past and not section.begun)
                if attribute == "age" and past and not LONG_AGO.search(clause.text):
                    return []  # "when I was ten"
                sign = section.sign * clause.polarity
                return [
                    Told(s.name, attribute, value, sign, s.of, past, clause.said) for s in subjects for value in read
                ]
    return []


FRONTED = re.compile(
    r"(?i:(?:in|on|at|by|from|since|after|of|among|with|as of|up until|until|ever "
    r"since|over|during|between|for) [\w' -]{1,40}?|(?:\w+ly|once|now|today|soon)|"
    r"(?:[a-z]+|\d+) (?:long |whole )?(?:years|months|weeks)(?: ago| now)?|every \w+|"
    r"one \w+|last \w+|(?:these|those) days),? "
    rf"(?=(?:I|we|he|she|you|they|my|our|his|her|everyone|everybody|people|home|[{UPPER}][\w'-]*)\b)"
)


def unfronted(clause: Clause) -> Clause:
    """The clause that follows "As of today", "Among other things" or "For ten years", if its subject does."""
    if clause.subject:
        return clause
    small = clause.text[:1].lower() + clause.text[1:]
    lead = FRONTED.match(small)
    if lead is None or (subject := subject_at(small[lead.end() :])) is None:
        return clause
    inner = weigh_text(small[lead.end() :])
    return replace(
        clause,
        subject=subject.text,
        predicate=inner.predicate,
        polarity=inner.polarity,
        past=clause.past or inner.past,
        modal=inner.modal,
        asserts=clause.asserts and inner.asserts,
    )


def _with_topic(predicate: str, topic: str) -> str:
    """With the name of the thing for "it", "them" or "one" behind the verb."""
    if not topic:
        return predicate
    put = re.sub(
        r"(?<=\w )(?:it|them|that)(?=$|,| (?:very|so|a lot|to bits|now|all|at all|really|too|any|there|that|as)\b)",
        lambda _: topic,
        predicate,
        count=1,
    )
    return re.sub(r"(?<=\bhave )one$|(?<=\bhas )one$|(?<=got )one$", lambda _: topic, put)


def whole_claims(text: str, said: str) -> list[Told]:
    """What a sentence tells as a whole: "What I love most is sailing", "Olives are Ben's favourite"."""
    first = text.split(" ", 1)[0]
    small = text[:1].lower() + text[1:] if first != "I" and not is_name(first) else text
    found: list[Told] = []
    fronted = FRONTED.match(small)
    lead = small[fronted.end() :] if fronted else small
    for attribute, sections in WHOLE.items():
        found += _whole(
            attribute, sections, (small, text[:1].lower() + text[1:], lead) if first != "I" else (small,), said
        )
    return found


def _whole(attribute: str, sections: tuple[Section, ...], texts: tuple[str, ...], said: str) -> list[Told]:
    for section in sections:
        for pattern in compiled(attribute, section.name):
            for text in dict.fromkeys(texts):
                fit = pattern.fullmatch(text)
                if not fit or (_denied(fit) and not DENYING.search(pattern.pattern)):
                    continue
                if fit.end("v") < len(text) and values.cut_off(fit["v"]) != fit["v"].strip(" ,"):
                    continue  # what is cut off here is another clause
                whom = _whom(fit)
                first_word = attribute == "likes" and fit.start("v") == 0
                v = values.small_at_start(fit["v"]) if first_word else fit["v"]
                if whom and (read := section.reader(v)):
                    return [
                        Told(whom.name, attribute, v, section.sign, whom.of, section.past, said)
                        for v in read
                        if whom.name != v
                    ]
    return []


def _denied(fit: re.Match[str]) -> bool:
    outside = fit.string[: fit.start("v")] + " " + fit.string[fit.end("v") :]
    return bool(re.search(r"\b(?:not|never|no longer|hardly|would|could|might)\b", outside))


def _whom(fit: re.Match[str]) -> Person | None:
    groups = fit.groupdict()
    said = groups.get("who") or groups.get("whose") or groups.get("long")
    if said is None:
        return Person("I")
    return person(said) or person(said.removesuffix("s"))


MINE = re.compile(rf"\b(?P<whose>[Mm]y|[Hh]is|[Hh]er|{NAME}'s) (?P<v>(?:[\w'-]+ ){{0,2}}?[\w'-]+)")
AT_HOME = re.compile(
    rf"\b(?P<whose>my|his|her|{NAME}'s) (?:[\w-]+ )?(?:flat|house|place|home|apartment|cottage) "
    rf"(?P<v>(?:in|on) (?:the )?[{UPPER}][\w'-]+(?: [{UPPER}][\w'-]+)*)"
)
NOT_MINE = re.compile(
    r"\b(?:not|no|never|sold|selling|lost|gone|imagine|dream|wish|if|gave|given|rid|"
    r"without|miss|used|was|had|old|other|"
    r"nobody|wants?|else|left|moved|over)\b",
    re.I,
)


def presupposed(text: str, said: str, him: Person | None = None) -> list[Told]:
    """What "my canoe", "Ben's parrot" and "her flat in York" tell by the way: that there is one. Of possessions only
    those worth a word. `him`: the only person a sentence names, whom "his" and "her" mean.
    """
    found: list[Told] = []
    if NOT_MINE.search(text):
        return found
    for fit in MINE.finditer(text):
        whom = _owner(fit["whose"], him)
        words = text[fit.start("v") :].split()[:4]
        if whom and (thing := _longest_thing(words)):
            found.append(Told(whom.name, "owns", thing, 1, whom.of, False, said))
    for fit in AT_HOME.finditer(text):
        whom = _owner(fit["whose"], him)
        found += [Told(whom.name, "home", v, 1, whom.of, False, said) for v in values.dwelling(fit["v"]) if whom]
    return found


def _owner(whose: str, him: Person | None) -> Person | None:
    return him if whose.lower() in ("his", "her") else person(whose.removesuffix("'s"))


def _longest_thing(words: list[str]) -> str:
    for length in range(min(3, len(words)), 0, -1):
        thing = " ".join(words[:length]).strip(",.!?;:")
        if (
            not set(thing) & set(",':;")
            and values.is_thing(thing)
            and thing.split()[-1].lower() not in listed("owns", "no_mine")
        ):
            return thing
    return ""
