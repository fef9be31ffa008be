"""What a search may be asked for, and what of it is refused: each refusal says what to write instead."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

from robot_memory.control.agent import LONGEST_QUESTION
from robot_memory.control.clock import Zone, iso
from robot_memory.control.operator import BREAKING, quoted, token_of
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.retrieval.filters import LARGEST, WORD
from robot_memory.memory.retrieval.query import Mode, Place

USUAL, MOST = 10, 1000  # results in a page: where none is said, and however many are
MOST_PERSONS = 100
LONGEST_NAME = 200  # of a session, a frame, a map, a place
KINDS = ("", "episodic", "semantic")
MODES = tuple(mode.value for mode in Mode)


class SearchInvalid(RobotMemoryError):
    """The request contradicts itself, or lacks something."""


@dataclass(frozen=True)
class SearchRequest:
    """What is looked for. Empty, 0 and None: whatever it is. `persons` are ids (person_4): about all of them. The range
    is half-open. `as_of_ns`, `before_clip`: only what was recorded by then. `place.map_id` empty: of the current map;
    `place_name`: what names that place. `asker`: who is "I" in the text.
    """

    text: str = ""
    mode: str = Mode.HYBRID.value
    persons: tuple[str, ...] = ()
    kind: str = ""
    start_ns: int | None = None
    end_ns: int | None = None
    as_of_ns: int | None = None
    before_clip: int | None = None
    session: str = ""
    place: Place | None = None
    place_name: str = ""
    archived: bool = False
    asker: str = ""
    limit: int = 0
    cursor: str = ""

    @property
    def size(self) -> int:
        """Results in a page."""
        return min(self.limit or USUAL, MOST)

    @property
    def compares(self) -> bool:
        """Does it need the text's vector?"""
        return bool(self.text.strip()) and self.mode != Mode.KEYWORD.value


def checked(request: SearchRequest) -> SearchRequest:
    """The request with its texts made even. Raises SearchInvalid or CorrectionInvalid."""
    text = _line(request.text, "text", LONGEST_QUESTION)
    if request.mode not in MODES:
        raise SearchInvalid(f"there is no mode {quoted(request.mode)}: write {', '.join(MODES)}")
    if request.kind not in KINDS:
        raise SearchInvalid(f"there is no kind {quoted(request.kind)}: write episodic or semantic, or leave it out")
    if len(request.persons) > MOST_PERSONS:
        raise SearchInvalid(f"{len(request.persons)} persons: at most {MOST_PERSONS} are taken")
    for one in (*request.persons, *([request.asker] if request.asker else ())):
        token_of(one, "person")
    if request.before_clip is not None and not 0 <= request.before_clip <= LARGEST:
        raise SearchInvalid(f"there is no clip {request.before_clip}: give the number of one")
    if request.limit < 0:
        raise SearchInvalid(f"a page of {request.limit} results: give a number above 0, or none for {USUAL}")
    _check_times(request)
    return replace(
        request,
        text=text,
        persons=tuple(dict.fromkeys(request.persons)),
        session=_line(request.session, "session", LONGEST_NAME),
        **_checked_place(request),
    )


def _check_times(request: SearchRequest) -> None:
    start_ns, end_ns = request.start_ns, request.end_ns
    for stamp_ns in (start_ns, end_ns, request.as_of_ns):
        if stamp_ns is not None and not -LARGEST <= stamp_ns <= LARGEST:
            raise SearchInvalid("a time is out of range: give nanoseconds that fit 64 bits")
    if start_ns is not None and end_ns is not None and start_ns >= end_ns:
        ends, begins = iso(end_ns, Zone()), iso(start_ns, Zone())
        raise SearchInvalid(f"the time range ends ({ends}) before it begins ({begins}): swap its ends")


def _checked_place(request: SearchRequest) -> dict[str, Any]:
    place, name = request.place, _line(request.place_name, "name of a place", LONGEST_NAME)
    if name and place is not None:
        raise SearchInvalid("a point and the name of a place: give one of them")
    if name and not WORD.search(name):
        raise SearchInvalid(f"{quoted(name)} is no name of a place: write its words, e.g. kitchen")
    if place is None:
        return {"place_name": name}
    if not all(map(math.isfinite, (place.x, place.y, place.radius_m))) or place.radius_m <= 0:
        raise SearchInvalid(
            f"within {place.radius_m:g} m of ({place.x:g}, {place.y:g}): give finite numbers, and a radius above 0"
        )
    frame = _line(place.frame, "frame", LONGEST_NAME) or "map"
    return {"place": replace(place, frame=frame, map_id=_line(place.map_id, "map's id", LONGEST_NAME))}


def _line(text: str, what: str, longest: int) -> str:
    """A text in one line. Raises SearchInvalid for what is too long or is no text."""
    if len(text) > longest:
        raise SearchInvalid(f"the {what} has {len(text):,} characters: at most {longest:,} are taken")
    line = " ".join(text.split())
    if any(unicodedata.category(letter) in BREAKING for letter in line):
        raise SearchInvalid(f"the {what} {quoted(line)} holds control characters: leave them out")
    return line
