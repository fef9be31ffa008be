"""An answer with what it cites: confidence from its grounds, the text as a sentence, memories at most as many as are
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robot_memory.control.answer import Answer, Evidence, Outcome, abstain
from robot_memory.control.answering.grounds import Grounds, resting
from robot_memory.control.steps import State

CITED = 50  # memories at most: the first and the last of them
PROVISIONAL = 0.5  # how far it is to be trusted before its clip is understood


def answered(text: str, evidence: Sequence[Evidence], state: State, grounds: Grounds) -> Answer:
    """What was found out. The question's own clearness is added to the grounds."""
    given = {id(one) if one.provisional else one.memory: one for one in evidence}
    every = sorted(given.values(), key=lambda one: (one.start_ns, one.end_ns))
    sure = replace(grounds, asked=min(grounds.asked, state.wish.sure), observations=max(1, len(every)))
    cited, message = tuple(every), ""
    if len(cited) > CITED:
        message = f"{len(cited)} memories say so; the first and the last {CITED // 2} are cited."
        cited = (*cited[: CITED // 2], *cited[-CITED // 2 :])
    return resting(Answer(sentence(text), Outcome.ANSWERED, message, evidence=cited), sure)


def unknown(text: str, message: str = "") -> Answer:
    """Why it cannot be told; `message` is what bears on it all the same."""
    return abstain(sentence(text), message)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return text[:1].upper() + text[1:].rstrip(".") + "."
