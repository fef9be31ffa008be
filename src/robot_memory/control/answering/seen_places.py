"""The place a question speaks of: a room the robot knows by name, one that it does not know, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robot_memory.control.answer import Answer
from robot_memory.control.answering.seen_answers import unknown
from robot_memory.control.answering.seen_vocabulary import INDOORS, NO_PLACES, WITHIN
from robot_memory.control.answering.times import joined
from robot_memory.control.steps import State
from robot_memory.control.understanding.tables import listed
from robot_memory.control.whom.described import descriptions
from robot_memory.memory.rooms import phrase

ARTICLE = re.compile(r"^(?:the|a|an|my|our|your|his|her|their|this|that)\s+", re.IGNORECASE)
# "while you were in the library": the robot's own place, told as a time
OWN_PLACE = re.compile(r"(?:you|the robot) (?:were|was|stood|are|is)(?: standing)? (?P<place>(?:in|on|at) .+)", re.I)
PLACED = re.compile(r"\b(?:in|inside|on|at) (?P<name>(?:the|my|our|your) [a-z][\w-]*(?: [a-z][\w-]*)?)", re.IGNORECASE)


def room_asked(state: State) -> str | Answer:
    """The room a question speaks of, as the robot calls it; empty: none. An answer where it is not known to the robot:
    to leave it out of account would answer another question.
    """
    for words in place_phrases(state):
        name = plain(words)
        if known := _known(name, state.rooms.names()):
            return known
        if name and name not in INDOORS:
            shown = words if ARTICLE.match(words) else f"the {words}"
            return unknown(f"I don't know which place {shown} is", "Tell me when I am there: “this is …”.")
    return ""


def place_phrases(state: State) -> list[str]:
    """What stands where a place is told: "the kitchen"; "who lives in Leeds" tells none where anybody was."""
    told = [one.rest.casefold() for one in descriptions(state.reading.words)]
    found = [
        place.name
        for place in state.reading.places
        if place.relation in WITHIN and not any(rest.startswith(place.words.casefold()) for rest in told)
    ]
    if own := own_place(state):
        found.append(own)
    if not found:
        span = state.reading.span.words
        text = state.reading.words.replace(span, " ") if span else state.reading.words
        found = [one["name"] for one in PLACED.finditer(text) if _may_be_place(plain(one["name"]))]
    return found


def own_place(state: State) -> str:
    """Where the robot itself was, where the question tells its time so; else empty."""
    anchor = state.reading.span.anchor
    match = OWN_PLACE.match(anchor[1]) if anchor else None
    return match["place"].split(" ", 1)[1] if match else ""


def somewhere(rooms: Sequence[str]) -> str:
    """ "in the kitchen and on the balcony"."""
    return joined([phrase(room) for room in rooms])


def plain(name: str) -> str:
    """Without article, capitals and hyphens."""
    return ARTICLE.sub("", " ".join(name.casefold().replace("-", " ").split()))


def _known(name: str, rooms: Sequence[str]) -> str:
    """The room of that name, or that a longer phrase begins with."""
    by_name = {plain(room): room for room in rooms}
    words = name.split()
    return next((by_name[part] for n in range(len(words), 0, -1) if (part := " ".join(words[:n])) in by_name), "")


def _may_be_place(name: str) -> bool:
    first = name.split()[0]
    return not {first, name.split()[-1]} & (NO_PLACES | listed("not_places")) and first not in listed("empty")
