"""What was told, on a page: each claim with the words it comes from; what no longer holds is struck out, not hidden."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from robot_memory.control.answer import Evidence
from robot_memory.control.answering.times import at
from robot_memory.control.clock import Zone
from robot_memory.control.page.markup import Markup, tag
from robot_memory.memory.people.people import People

HIDDEN = frozenset({"name"})  # said on the cards of people


def section(claims: Sequence[Evidence], people: People, now_ns: int, zone: Zone) -> Markup:
    """Claims under whom or what they are about."""
    under: dict[str, list[Evidence]] = defaultdict(list)
    for one in sorted(claims, key=lambda claim: claim.start_ns):
        if one.facts and one.facts[0].attribute not in HIDDEN:
            under[_subject(one.facts[0].subject, people)].append(one)
    parts = [
        tag("article", tag("h3", whose), tag("ul", *(_claim(one, people, now_ns, zone) for one in own)), class_="card")
        for whose, own in sorted(under.items())
    ]
    empty = tag("p", "Nothing was told.", class_="quiet")
    return tag("section", tag("h2", "What was told"), tag("div", *parts, class_="cards") if parts else empty, id="told")


def _subject(token: str, people: People) -> str:
    name = people.name_of(token) if token.startswith(("person_", "face_", "voice_")) else token
    return name[:1].upper() + name[1:]


def _claim(one: Evidence, people: People, now_ns: int, zone: Zone) -> Markup:
    gone = one.valid_until_ns is not None
    text = tag("s", one.text) if gone else tag("span", one.text)
    until = f", until {at(one.valid_until_ns, now_ns, zone)}" if one.valid_until_ns is not None else ""
    often = f", said {one.count} times" if one.count > 1 else ""
    by = people.name_of(one.speaker) if one.speaker else "somebody"
    source = f"{by}, {at(one.start_ns, now_ns, zone)}{often}{until}"
    return tag("li", text, tag("blockquote", tag("q", one.quote), tag("small", source)) if one.quote else "")
