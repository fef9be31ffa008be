"""Somebody described by what was told of them: "the person who works as a nurse" becomes the one it is, by token.

Done before anything else, as for those described by sight. Who asks just for that ("Who is the person who …?") gets it
from the page of holders.
"""

from __future__ import annotations

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.answering.read_again import read_again
from robot_memory.control.steps import Claims, State, Step
from robot_memory.control.whom.described import Fit, descriptions, fits
from robot_memory.control.whom.persons import which_one
from robot_memory.control.wishes.wish import Kind


def resolved(state: State) -> State | Step | Answer:
    """The question about whom it describes; unchanged where it describes nobody. The look-up that tells who that is, if
    it was not made yet; an answer where it cannot be told.
    """
    if state.wish.kind is Kind.WHO_HAS:
        return state
    text = " ".join(state.reading.words.replace("’", "'").split())
    described = descriptions(text)
    if not described:
        return state
    look = Claims("whom it describes", None, tuple(dict.fromkeys(one.attribute for one in described)))
    found = state.hits(look)
    if found is None:
        return look
    fitting = fits(described, found, state.people, state.question.now_ns)
    words = text[len(described[0].before) :].rstrip("?.! ")
    if not fitting:
        return abstain(f"I don't know whom you mean by “{words}”.", "Nobody told me of anybody like that.")
    if len(fitting) > 1:
        return which_one(words, [one.who for one in fitting], state.people)
    return read_again(state, _named(fitting[0], text, state))


def _named(one: Fit, text: str, state: State) -> str:
    """The question with a token in place of the description, or the name of somebody only talked about."""
    known = state.people.get(one.who.person) if one.who.person is not None else None
    end = "" if one.after.endswith("?") or not text.endswith("?") else "?"
    return f"{one.before}{known.token if known else one.who.called} {one.after}".rstrip() + end
