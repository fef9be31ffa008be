"""Where things are, as told: "I put the car keys in the drawer", "the scissors aren't on the desk any more, they're in
the kitchen". The subject is the thing; whose hands put it there is not kept.

How a place is told, and which nouns are places and things, is in things.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from robot_memory.memorization.speech import places
from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.dates import times_in
from robot_memory.memorization.speech.tables import any_of, listed, phrases, table
from robot_memory.memorization.speech.timed import reported
from robot_memory.memorization.speech.told import Line, Told
from robot_memory.memorization.speech.whole import compiled, filled, group, referents, whole

OWNED = re.compile(r"^(?:the|my|your|our|his|her|their|those|these|that|this)\s+", re.IGNORECASE)
GONE = re.compile(r" (?:go|goes|get|got|gone|end|kept|put|live|belong|left)$")  # "where did the corkscrew go"
PRONOUN = re.compile(r"(?<![\w'])(?:it|they|them)(?![\w'])", re.IGNORECASE)
CLEFT = re.compile(r" (?:was|is) (?:me|you|\w+) who\b")  # "it was Ben who …" means nothing by "it"
LONG_AGO = re.compile(r"\b(?:year|month|summer|winter|spring|autumn|ago|back then)s?\b", re.IGNORECASE)


def claims(clause: Clause, line: Line, before: Sequence[Clause], asked: str = "") -> list[Told]:
    """The places of things that a clause tells, with the rest of its sentence. `asked`: what somebody else asked just
    before, of which "it" may be.
    """
    text = whole(clause, before)
    if not text or _remote(text, line) or reported(text):
        return []
    earlier = before[-1].said if before and before[-1].said != clause.said else ""
    if not earlier or _thing_in(_plain(earlier)) == "":
        earlier = asked
    return list(_told(_named(_plain(referents(text, clause)), _plain(earlier)), clause))


def corrected(text: str, before: Told, line: Line) -> Told | None:
    """The claim as it should have been, where `text` puts its place right ("No, sorry, on the shelf, not the desk")."""
    if before.attribute != "place":
        return None
    said = (places.place(found["at"]) for found in _restated().finditer(_plain(text)))
    right = next((place for place in said if place and place != before.value), "")
    return Told(before.subject, "place", right, 1, before.of, False, text) if right else None


def _told(text: str, clause: Clause) -> Iterator[Told]:
    """What is no longer so first, and each place once."""
    found: dict[tuple[str, str], Told] = {}
    for pattern, row in compiled("things", "claims"):
        for match in pattern.finditer(text):
            if row.get("loose") and (found or _any("unclear").search(text)):
                continue
            if (row.get("loose") or row.get("known")) and not _movable(match):
                continue
            if row["tells"] == "so" and _any("undone").search(text[: match.start()]):
                continue
            one = _claim(match, str(row["tells"]), clause)
            if one and (row["tells"] != "so" or (one.subject, one.value) not in found):
                found[one.subject, one.value] = one
    yield from sorted(found.values(), key=lambda one: not one.past)


def _claim(match: re.Match[str], tells: str, clause: Clause) -> Told | None:
    thing, place = _thing(group(match, "thing")), places.place(_where(match))
    nameless = group(match, "who").lower() in ("he", "she", "they")  # so begins a story
    if not thing or not place or nameless:
        return None
    return Told(thing, "place", place, -1 if tells == "not" else 1, "", tells == "was", clause.said)


def _where(match: re.Match[str]) -> str:
    """Where it is, as said; "moved to the shelf" is on it, "into the drawer" in it."""
    left = group(match, "from")
    if left:
        return f"{places.on_or_in(left)} {left}"
    return group(match, "at") or places.arrived(group(match, "to"))


def _movable(match: re.Match[str]) -> bool:
    """Whether it is one of the things that people put somewhere."""
    head = group(match, "thing").split()[-1].lower()
    return head in listed("things", "things") or head.endswith("-can")


def _plain(text: str) -> str:
    """Without the adverbs that tell nothing of a place; "Dad's parked" as "Dad has parked"."""
    bare = _any("watering_can").sub(r"\1-can", _any("has_put").sub(r"\1 has", text))
    bare = " ".join(any_of(phrases("things", "light")).sub("", bare).split())
    return re.sub(r"\s+([,.?!])", r"\1", bare)


def _remote(text: str, line: Line) -> bool:
    """Whether the sentence is a story, or about a time long gone."""
    past = (one.date for one in times_in(text, line) if one.kind == "past")
    return bool(_any("story").search(text)) or any(LONG_AGO.search(date) for date in past)


def _named(text: str, earlier: str) -> str:
    """The text with "it" and "they" replaced by what they mean: the thing named before them."""
    done, rest, thing = "", text, _thing_in(earlier)
    while found := PRONOUN.search(rest):
        done += rest[: found.start()]
        thing = _thing_in(done) or thing
        refers = thing and not CLEFT.match(rest, found.end())
        done += f"the {thing}" if refers else found[0]
        rest = rest[found.end() :]
    return done + rest


def _thing_in(text: str) -> str:
    """The first noun phrase that may be a thing and is no place."""
    nouns = (match for match in _a_thing().finditer(text) if not places.leads_to(text[: match.start()]))
    found = (_thing(GONE.sub("", noun["thing"])) for noun in nouns)
    return next((one for one in found if one and not places.is_place(one.split()[-1])), "")


def _thing(said: str) -> str:
    """A thing without its article; "" for what is none."""
    words = OWNED.sub("", said.strip()).split()
    if not words or words[-1].lower() in listed("things", "no_things"):
        return ""
    return " ".join(words).replace("-can", " can")


@cache
def _any(key: str) -> re.Pattern[str]:
    """A pattern of the table, in capitals or not."""
    return re.compile(table("things")[key], re.IGNORECASE)


@cache
def _a_thing() -> re.Pattern[str]:
    end = rf"(?=[ ,.?!:]|$)(?! {filled('things', '{word}')})"
    return re.compile(rf"(?<![\w'-]){filled('things', '{thing}')}{end}", re.IGNORECASE)


@cache
def _restated() -> re.Pattern[str]:
    before = "|".join(rf"(?<={word} )" for word in ("[,.:]", "is", "are", "look", "said", "meant", "mean"))
    return re.compile(filled("things", rf"(?:^|{before}){{at}}(?=[,.!?]|$| (?:not|instead)\b)"), re.IGNORECASE)
