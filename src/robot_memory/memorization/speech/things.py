"""Where things are, as told: "I put the car keys in the drawer", "the scissors aren't on the desk any more, they're in
the kitchen". The subject is the thing; whose hands put it there is not kept.

How a place is told, and which nouns are places and things, is in things.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from robot_memory.memorization.speech.clause import Clause
from robot_memory.memorization.speech.dates import times_in
from robot_memory.memorization.speech.tables import any_of, listed, phrases, table
from robot_memory.memorization.speech.told import Line, Told
from robot_memory.memorization.speech.whole import compiled, filled, group, referents, whole

OWNED = re.compile(r"^(?:the|my|your|our|his|her|their|those|these|that|this)\s+", re.IGNORECASE)
PREPOSITION = re.compile(r"\b(?:in|on|at|by|to|into|onto|under|behind|next|of|with|from|and|inside|above|below|near|beside)\b")
SURE = re.compile(
    r"\b(?:under|underneath|beneath|behind|beside|next to|on top of|inside|in front of|between|above|below|opposite|"
    r"at the (?:back|bottom|front|top|end|side|foot|far end) of|to the (?:left|right) of)\b",
    re.IGNORECASE,
)
STORY = re.compile(r"\b(?:he|she|they) (?:had |then )?(?:\w+ed|went|put|left|took|came|ran|sat|stood|laid|was|were)\b(?!.*\?)")
UNDONE = re.compile(r"\b(?:will|would|could|should|can|may|might|must|shall|to|let us|please|if|unless|suppose|imagine|why)\W+(?:\w+\W+)?$", re.I)
HAS = re.compile(r"\b((?!It|That|There)[A-Z][\w-]+)'s (?=(?:put|left|parked|moved|hidden|hung|stored|placed|taken|stuck|kept|locked|dropped)\b)")
CAN = re.compile(r"\b(watering|oil|petrol|trash|garbage|rubbish|jerry|paint) can\b", re.IGNORECASE)
LONG_AGO = re.compile(r"\b(?:year|month|summer|winter|spring|autumn|ago|back then)s?\b", re.IGNORECASE)
INTO = re.compile(r"^((?:up|down|out|over|away|through|right) )?(into|in to|onto|on to|to)\b ?", re.IGNORECASE)


def claims(clause: Clause, line: Line, before: Sequence[Clause]) -> list[Told]:
    """The places of things that a clause tells, with the rest of its sentence."""
    text = whole(clause, before)
    if not text or _remote(text, line):
        return []
    if STORY.search(text):
        return []
    text = _plain(referents(text, clause))
    earlier = before[-1].said if before and before[-1].said != clause.said else ""
    return list(_told(_named(text, _plain(earlier)), clause))


def corrected(text: str, before: Told, line: Line) -> Told | None:
    """The claim as it should have been, where `text` puts its place right ("No, sorry, on the shelf")."""
    found = _restated().search(_plain(text))
    if before.attribute != "place" or not found:
        return None
    place = _place(found["at"])
    return Told(before.subject, "place", place, 1, before.of, False, text) if place and place != before.value else None


def _told(text: str, clause: Clause) -> Iterator[Told]:
    found: dict[tuple[str, str], Told] = {}
    for pattern, row in compiled("things", "claims"):
        for match in pattern.finditer(text):
            if row["tells"] == "so" and UNDONE.search(text[: match.start()]):
                continue
            if row.get("loose") and (found or not _movable(match) or _unclear().search(text)):
                continue
            if row.get("known") and not _movable(match):
                continue
            one = _claim(match, str(row["tells"]), clause)
            if one is None:
                continue
            key = (one.subject, one.value)
            if key not in found or row["tells"] != "so":
                found[key] = one
    yield from sorted(found.values(), key=lambda one: not one.past)


def _movable(match: re.Match[str]) -> bool:
    """Whether it is one of the things that people put somewhere."""
    return group(match, "thing").split()[-1].lower().replace("watering-can", "can") in listed("things", "things") | {"can"}


def _claim(match: re.Match[str], tells: str, clause: Clause) -> Told | None:
    thing, said = _thing(group(match, "thing")), _where(match)
    place = _place(said) if said else ""
    if not thing or not place or _unknown_person(group(match, "who")):
        return None
    return Told(thing, "place", place, -1 if tells == "not" else 1, "", tells == "was", clause.said)


def _where(match: re.Match[str]) -> str:
    """Where it is, as said; "moved to the shelf" is on it, "into the drawer" in it."""
    if at := group(match, "at"):
        return at
    if left := group(match, "from"):
        return f"{_on_or_in(left)} {left}"
    moved = group(match, "to")
    return INTO.sub(lambda found: f"{found[1] or ''}{_led(found[2], moved[found.end() :])}", moved, count=1)


def _led(preposition: str, rest: str) -> str:
    """The preposition of rest for one of movement."""
    if re.match(r"(?:under|behind|in|on|at|inside|above|next|beside)\b", rest):
        return ""
    word = preposition.lower()
    return f"{'in' if word.startswith('in') else 'on' if word.startswith('on') else _on_or_in(rest)} "


def _on_or_in(place: str) -> str:
    return "on" if _head(place) in listed("things", "surfaces") else "in"


def _plain(text: str) -> str:
    """Without the adverbs that tell nothing of a place."""
    bare = CAN.sub(r"\1-can", HAS.sub(r"\1 has", text))
    bare = " ".join(any_of(phrases("things", "light")).sub("", bare).split())
    return re.sub(r"\s+([,.?!])", r"\1", bare)


def _remote(text: str, line: Line) -> bool:
    """Whether the sentence is about a time long gone."""
    return any(one.kind == "past" and LONG_AGO.search(one.date) for one in times_in(text, line))


def _named(text: str, earlier: str) -> str:
    """The text with "it" and "they" replaced by the one thing they can mean: the last one named before them."""
    pronoun = re.compile(r"(?<![\w'])(?:it|they|them)(?![\w'])", re.IGNORECASE)
    done, rest, thing = "", text, _last_thing(earlier)
    while found := pronoun.search(rest):
        done += rest[: found.start()]
        thing = _last_thing(done) or thing
        refers = thing and not re.match(r" (?:was|is) (?:me|you|\w+) who\b", rest[found.end() :])
        done += f"the {thing}" if refers else found[0]
        rest = rest[found.end() :]
    return done + rest


def _last_thing(text: str) -> str:
    """The last noun phrase that may be a thing and is no place."""
    found = [_thing(match["thing"]) for match in _a_thing().finditer(text) if not _is_place(text, match)]
    things = [one for one in found if one and _singular(one.split()[-1]) not in listed("things", "places")]
    return things[0] if things else ""


def _is_place(text: str, match: re.Match[str]) -> bool:
    return bool(re.search(r"\b(?:in|on|at|by|to|into|onto|under|behind|inside|above|near|beside|of|with|from) $", text[: match.start()]))


def _thing(said: str) -> str:
    """A thing without its article; "" for what is none."""
    words = OWNED.sub("", said.strip()).split()
    if not words or any(word.lower() in listed("things", "no_things") for word in words[-1:]):
        return ""
    return " ".join(words).replace("-can", " can")


def _place(said: str) -> str:
    """A place as it reads later; "" for what is none."""
    place = " ".join(said.strip(" ,.:;").split())
    lower = place[:1].lower() + place[1:]
    if re.match(_bare(), lower):
        return lower
    head = _head(lower)
    if head in listed("things", "no_places") and _singular(head) not in listed("things", "places"):
        return ""
    known = _singular(head) in listed("things", "places") or head in listed("things", "places")
    return lower if known or SURE.match(re.sub(r"^(?:up|down|out|over|away|right) ", "", lower)) else ""


def _head(place: str) -> str:
    """The noun of a place: the last word before the next preposition."""
    bare = re.sub(r"^(?:(?:up|down|out|over|away|right) )?(?:(?:in front of|in the \w+ of|at the \w+(?: end)? of|on the (?:\w+ )?\w+ of|to the \w+ of|next to|close to|on top of|on the top of|in|on|at|by|under|underneath|beneath|behind|inside|outside|beside|between|above|below|against|opposite|near|over|around|round|within|among) )?", "", place)
    first = PREPOSITION.split(bare)[0].split()
    return first[-1].lower().removesuffix("'s") if first else ""


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _unknown_person(who: str) -> bool:
    """Whoever nobody has named yet did it: so begins a story."""
    return who.lower() in ("he", "she", "they")


@cache
def _unclear() -> re.Pattern[str]:
    return re.compile(table("things")["unclear"], re.IGNORECASE)


@cache
def _a_thing() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){filled('things', '{thing}')}(?=[ ,.?!:]|$)(?! {filled('things', '{word}')})", re.IGNORECASE)


@cache
def _bare() -> str:
    return filled("things", "(?:{bare})(?![\\w'])")


@cache
def _restated() -> re.Pattern[str]:
    return re.compile(filled("things", r"(?:^|(?<=[,.:] )|(?<=is )|(?<=are )|(?<=look )|(?<=said )|(?<=meant )){at}(?=[,.!?]|$| (?:not|instead)\b)"), re.IGNORECASE)
