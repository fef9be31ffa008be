"""Somebody described by when they were seen: "the person you saw first yesterday" becomes the one it was, by token.

Done before anything else, so that every page that answers deals with somebody known, whatever is asked of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from robot_memory.control.answer import Answer, Evidence
from robot_memory.control.answering.read_again import read_again
from robot_memory.control.answering.seen_answers import unknown
from robot_memory.control.answering.visits import TOGETHER_NS, visits
from robot_memory.control.steps import Search, State, Step

FIRST = ("first", "earliest")
_PERSON = r"(?:person|one|man|woman|guy|lady|girl|boy|visitor|guest|face|somebody|someone|human)"
_SAW = r"(?:(?:you|the robot)(?:'ve| have| had)?(?: ever)? (?:saw|seen|met|noticed|spotted|see|meet))"
_CAME = r"(?:came|arrived|entered|appeared|showed up|turned up|walked in|was here|was in view|was seen|got here)"
_ORDER = r"(?:first|earliest|last|latest)"
_IN = r"(?: in| here| by)?"


def resolved(state: State) -> State | Step | Answer:
    """The question about whom it describes by sight; unchanged where it describes nobody so. The search that tells who
    it was, if it was not made yet; an answer where it cannot be told.
    """
    text = " ".join(state.reading.words.replace("’", "'").split())
    described = _description().search(text)
    if described is None:
        return state
    order = next(group for group in (described["before"], described["after"]) if group).lower()
    look = Search(f"who was seen {order} {state.reading.span.words}".strip(), None, ("seen",))
    hits = state.hits(look)
    if hits is None:
        return look
    if (person := first_seen(hits, last=order not in FIRST)) is None:
        return unknown(f"I can't tell whom I saw {order} {state.reading.span.words}")
    known = state.people.get(person)
    named = text[: described.start()] + (known.token if known else "") + text[described.end() :]
    words = state.reading.span.words
    if words and words.casefold() not in described[0].casefold():  # a time that belongs to the description alone
        named = re.sub(rf",?\s*{re.escape(words)}\s*,?", " ", named, count=1, flags=re.IGNORECASE)
    return read_again(state, named)


def first_seen(seen: Sequence[Evidence], last: bool) -> int | None:
    """The id of who was seen first, or last. None where nobody was, or several at the same time."""
    found = visits(one for one in seen if not one.provisional)
    if not found:
        return None
    edges = sorted(((-one.end_ns if last else one.start_ns), one.person) for one in found)
    near = {person for edge, person in edges if edge - edges[0][0] < TOGETHER_NS}
    return edges[0][1] if len(near) == 1 else None


@cache
def _description() -> re.Pattern[str]:
    """ "the first person you saw", "the person that you saw first", "whoever came in last"."""
    that = r"(?:(?:that|who|whom) )?"
    return re.compile(
        rf"\bthe (?P<before>{_ORDER}) {_PERSON} {that}(?:{_SAW}|{_CAME}|to (?:come|arrive|enter|appear)){_IN}\b"
        rf"|\b(?:(?:the|that) {_PERSON} {that}|whoever |whomever )(?:{_SAW}|{_CAME}){_IN} (?P<after>{_ORDER})\b",
        re.IGNORECASE,
    )
