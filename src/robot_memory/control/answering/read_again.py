"""The question with somebody known in place of words that describe them: read anew, so that every page profits."""

from __future__ import annotations

from dataclasses import replace

from robot_memory.control.answer import Answer, abstain
from robot_memory.control.steps import State
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.places import Places
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.wishes.wanted import by_form
from robot_memory.control.wishes.wish import Kind


def read_again(state: State, text: str) -> State | Answer:
    """The inquiry as if `text` had been asked; what was found before stays."""
    reader = Reader(state.people, Places(state.rooms.names()))
    try:
        reading = reader.read(" ".join(text.split()), state.question.now_ns, state.zone, state.question.asker)
    except UnknownTime as error:
        return abstain(f"I can't tell which time “{error}” means.", error.hint)
    wish = by_form(reading) if state.wish.kind is Kind.OTHER else None
    return replace(state, reading=reading, wish=wish or state.wish)
