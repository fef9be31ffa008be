"""Claims as answers weigh them: whose word each is, which of them hold, and what was so before.

A person's own word counts more than what others say of them; among equals the newest counts. What somebody said by
mistake of another is no "used to": only what its own teller, or the person, has since replaced was so once. That a
date was moved is no mistake of anybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from robot_memory.control.answer import Evidence, Fact
from robot_memory.control.facts.matching import contents
from robot_memory.control.facts.times import TIMED, parted
from robot_memory.memory.insertion.attributes import named, spelled
from robot_memory.memory.insertion.claim import MATTER, normalise
from robot_memory.memory.insertion.sentence import Frame
from robot_memory.streams.media import SECOND

OF_THINGS = ("place",)
CHAINED = ("one", "one_each")  # kinds of attributes whose memories end where the next begins, whenever told again
TOLD_AS_PAST_NS = 1  # how long before what is so now, in one breath with it, what was so is kept
DERIVED = "derived"  # the source of memories that consolidation made
SLIP_NS = 120 * SECOND  # what is put right within this time was never so


@dataclass(frozen=True)
class Claimed:
    """A claim that was told. `own`: by the one it is about, or in nobody's words; of a thing everybody's word is as
    good. `matter`: what it can be replaced in, as the appointment at the dentist's; `norm`: the value as compared.
    `last_ns`: when it was told last. `holds`: it is so as far as is known; `former`: it was so and is no longer;
    `over`: it held at the time asked about and has been replaced since.
    """

    told: Evidence
    subject: str
    attribute: str
    value: str
    polarity: int
    norm: str
    matter: str
    own: bool
    last_ns: int
    holds: bool = False
    former: bool = False
    over: bool = False

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """Of two that exclude each other, the higher one counts: what somebody said before what was only derived."""
        return not self.derived, self.own, self.last_ns, self.since_ns, self.told.memory

    @property
    def derived(self) -> bool:
        """Nobody said so: it was found by counting."""
        return self.told.source == DERIVED

    @property
    def since_ns(self) -> int:
        return self.told.start_ns if self.told.valid_from_ns is None else self.told.valid_from_ns

    @property
    def hearsay(self) -> bool:
        """Somebody known says so of somebody else."""
        return not self.own


def standing(
    found: Iterable[Evidence], by_ns: int | None = None, who: Callable[[str], str] = lambda subject: subject
) -> list[Claimed]:
    """The claims among memories, the earliest first, as they stood at `by_ns`. `who`: the same for all subjects that
    mean one human.
    """
    claims = [_claimed(each, fact) for each in found for fact in each.facts]
    claims = [claim for claim in claims if by_ns is None or claim.since_ns < by_ns]
    groups: dict[tuple[str, str, str], list[Claimed]] = defaultdict(list)
    for claim in claims:
        groups[who(claim.subject), claim.attribute, claim.matter].append(claim)
    weighed = [claim for group in groups.values() for claim in _weighed(group)]
    return sorted(weighed, key=lambda claim: (claim.since_ns, claim.told.memory))


def standing_then(found: Sequence[Evidence], by_ns: int, who: Callable[[str], str]) -> list[Claimed]:
    """As they stood at an earlier moment. Where nothing was told by then, what was told later counts: it is likely to
    have been so, but for the place of a thing.
    """
    then = standing(found, by_ns, who)
    now = {claim.told.memory for claim in standing(found, who=who) if claim.holds}
    seen = [replace(claim, over=claim.holds and claim.told.memory not in now) for claim in then]
    told_by_then = {claim.attribute for claim in then}
    later = [c for c in standing(found, who=who) if c.attribute not in (*told_by_then, *OF_THINGS) and c.holds]
    return seen + later


def one_human(subject: str) -> str:
    """For `standing` of claims that are all about one."""
    return ""


def _claimed(told: Evidence, fact: Fact) -> Claimed:
    made = normalise(Frame(fact.subject, fact.attribute, fact.value))
    kind = named(spelled(fact.attribute), 1)[0].kind
    about = made.norm.split(MATTER)[0]
    since_ns = told.start_ns if told.valid_from_ns is None else told.valid_from_ns
    return Claimed(
        told,
        fact.subject,
        fact.attribute,
        fact.value,
        -1 if fact.negated else 1,
        made.norm,
        made.norm if told.source == DERIVED else _matter_of(fact, kind, about),
        own=fact.attribute in OF_THINGS or told.speaker == fact.subject or not (told.speaker or told.quote),
        last_ns=since_ns if kind in CHAINED else max(since_ns, told.end_ns),
    )


def _matter_of(fact: Fact, kind: str, about: str) -> str:
    """What a claim can be replaced in; one that was derived is replaced by none."""
    if kind == "one":
        return ""
    return _matter(fact) if fact.attribute in TIMED else about


def _matter(fact: Fact) -> str:
    """What is to be done, whenever: "fix gate" of "fix the gate on Friday"."""
    return " ".join(contents(parted(fact.value)[0]))


def _weighed(group: Sequence[Claimed]) -> list[Claimed]:
    """Claims of one matter, with what holds and what held."""
    ordered = sorted(group, key=lambda one: one.rank)
    said = [one for one in ordered if one.polarity > 0]
    best = said[-1] if said else None
    denied = best is not None and any(_denies(one, best) for one in ordered)
    denials = {one.norm for one in ordered if one.polarity < 0 and not any(_denies(yes, one) for yes in said)}
    return [_stood(one, best, denied, denials) for one in ordered]


def _denies(one: Claimed, other: Claimed) -> bool:
    return one.norm == other.norm and one.polarity != other.polarity and one.rank > other.rank


def _stood(one: Claimed, best: Claimed | None, denied: bool, denials: set[str]) -> Claimed:
    if one.polarity < 0:
        return replace(one, holds=one.norm in denials)
    if one.derived and one.told.valid_until_ns is not None:
        return replace(one, former=True)
    assert best is not None
    if one.norm == best.norm:
        return replace(one, holds=not denied, former=denied)
    trusted = one.own or one.attribute in TIMED or one.told.speaker == best.told.speaker
    return replace(one, former=_lasted(best.since_ns - one.since_ns) and trusted)


def _lasted(length_ns: int) -> bool:
    """Whether something was so at all, or was only a slip of the tongue. What is told as past is kept a moment before
    what follows it.
    """
    return length_ns == TOLD_AS_PAST_NS or length_ns > SLIP_NS
