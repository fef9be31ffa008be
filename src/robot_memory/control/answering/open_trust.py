"""Whether an answer found in words alone may be given: is all of it held up, and is the question of a kind that one
line can answer?

What was before, which came first, what did not happen, who was in view, who is meant by "the person who …": one line
that fits tells nothing of these. They have pages of their own, or no answer.
"""

from __future__ import annotations

import re

from robot_memory.control.answering.open_choices import Choice
from robot_memory.control.steps import State
from robot_memory.control.understanding.reading import NAME, ROLE, Reading
from robot_memory.control.understanding.tables import listed
from robot_memory.control.verification.asked import Support, Verdict
from robot_memory.control.verification.wording import words

TOLD_PLAINLY = frozenset(("when", "where", "how long", "how often", "how much"))  # a rule can tell such an answer
SUPPORTED = 0.8  # the verdict's least support
HELD, WHOLE, ABOUT = 0.5, 0.9, 0.7  # of the sentence that would answer
_ANYONE = "person|people|one|man|woman|guy|somebody|someone|anybody|anyone"
DESCRIBED = re.compile(rf"\b(?:{_ANYONE}) (?:who|that|whose)\b", re.IGNORECASE)


def strangers(reading: Reading) -> list[str]:
    """Names in the question that nobody known goes by."""
    named = [mention.words for mention in reading.mentions if mention.how == NAME and not mention.persons]
    return [*named, *reading.unknown_names]


def trusted(state: State, best: Choice) -> bool:
    """Is the best choice good enough to be said? Of "what" and "why" no rule tells whether a phrase answers them: of
    those that it was sure of, one in three was right.
    """
    if state.reading.asks not in TOLD_PLAINLY or not best.fits or not borne_out(state, best):
        return False
    return simple(state.reading)


def borne_out(state: State, best: Choice) -> bool:
    """Is what the question takes for granted held up, and by the sentence chosen?"""
    if state.verdict is None or strangers(state.reading):
        return False
    close = best.told.held >= HELD and best.told.about >= ABOUT and not best.told.noted
    return close and _supported(state.verdict, state.reading, whole=best.told.held >= WHOLE)


def simple(reading: Reading) -> bool:
    """Can one line that fits answer it?"""
    harder = reading.validity == "earlier" or reading.order or reading.negated or reading.compares or reading.counts
    about_saying = any(mention.speaks for mention in reading.mentions)
    described = DESCRIBED.search(reading.words) or any(mention.how == ROLE for mention in reading.mentions)
    seen = set(words(reading.words)) & (listed("seeing") | listed("presence"))
    return not (harder or about_saying or described or seen or reading.pronoun or reading.span.anchor)


def _supported(verdict: Verdict, reading: Reading, whole: bool) -> bool:
    """The person, the matter and the time that are asked, each by what was found. `whole`: one sentence holds all of
    the question's words, so the matter is held up whatever is rare about them.
    """
    matter = whole or verdict.attribute.standing is Support.SUPPORTED
    person = not reading.persons or verdict.person.standing is Support.SUPPORTED
    against = Support.UNSUPPORTED in (verdict.time.standing, verdict.place.standing)
    return matter and person and not against and verdict.supported >= SUPPORTED
