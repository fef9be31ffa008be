"""People on a page: a face, a name, when they were there, and how the robot knows them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from robot_memory.control.answering.times import between
from robot_memory.control.clock import Zone
from robot_memory.control.page.markup import Markup, join, tag
from robot_memory.control.page.pictures import Pictures
from robot_memory.control.roster import Known
from robot_memory.memory.people.explain import why


def section(db: sqlite3.Connection, people: Sequence[Known], pictures: Pictures, now_ns: int, zone: Zone) -> Markup:
    """A card a person."""
    cards = [_card(db, one, pictures, now_ns, zone) for one in people]
    empty = tag("p", "Nobody yet.", class_="quiet")
    return tag("section", tag("h2", "People"), tag("div", *cards, class_="cards") if cards else empty, id="people")


def _card(db: sqlite3.Connection, one: Known, pictures: Pictures, now_ns: int, zone: Zone) -> Markup:
    faces = [int(face.removeprefix("face_")) for face in one.faces]
    known_by = [
        f"{len(kind)} {word}{'s' if len(kind) > 1 else ''}"
        for kind, word in ((one.faces, "face"), (one.voices, "voice"))
        if kind
    ]
    return tag(
        "article",
        pictures.face(faces, one.name or one.description),
        tag("h3", one.name if one.name else one.description),
        tag("p", _sure(one), class_="quiet"),
        tag("p", f"{' and '.join(known_by)}; {between(one.first_ns, one.last_ns, now_ns, zone)}"),
        tag("details", tag("summary", "How do you know?"), _reasons(db, one)),
        class_="card",
    )


def _sure(one: Known) -> str:
    others = f"; also heard: {', '.join(one.other_names)}" if one.other_names else ""
    states = {
        "given": "named by an operator",
        "confirmed": "name confirmed",
        "heard": "name heard once",
        "none": "no name heard",
    }
    return states.get(one.state, one.state) + others


def _reasons(db: sqlite3.Connection, one: Known) -> Markup:
    return tag("ul", *(tag("li", line) for line in why(db, one.id)))


def chip(one: Known, pictures: Pictures) -> Markup:
    """A small face with its name, for use in a line."""
    faces = [int(face.removeprefix("face_")) for face in one.faces]
    return tag("span", pictures.face(faces, one.name or one.description), one.name or one.description, class_="chip")


def nobody() -> Markup:
    """A chip for a voice or face that is nobody's."""
    return tag("span", join(tag("span", "?", class_="face letter")), "somebody", class_="chip")
