"""An answer made of claims: its sentence, what it cites, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence

from robot_memory.control.answer import Answer, Evidence, Outcome
from robot_memory.control.answering.grounds import Grounds, resting
from robot_memory.control.answering.told_wording import whole
from robot_memory.control.facts.claimed import Claimed
from robot_memory.control.steps import State
from robot_memory.control.whom.someone import Someone


def answered(
    text: str,
    state: State,
    someone: Someone,
    claims: Sequence[Claimed],
    beside: Sequence[Claimed] = (),
    supported: float = 1.0,
    rivals: float = 0.0,
) -> Answer:
    """The answer that these claims make, one sentence or more. `beside`: what they replaced, or what speaks against
    them; cited as well.
    """
    grounds = Grounds(
        named=someone.sure,
        asked=state.wish.sure,
        own=1.0 if all(one.own for one in claims[:1]) else 0.0,
        observations=max((one.told.count for one in claims), default=1),
        heard=min((one.told.confidence for one in claims if one.told.confidence), default=1.0),
        supported=supported,
        rivals=rivals,
    )
    cited = (*(one.told for one in claims), *someone.because, *(one.told for one in beside))
    return resting(Answer(whole(text), Outcome.ANSWERED, evidence=_each_once(cited)), grounds)


def _each_once(cited: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple({one.memory: one for one in cited}.values())
