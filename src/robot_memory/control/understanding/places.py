"""Phrases of place in a question, and the names of places that are known.

A phrase counts if its noun is a known place, a room or a piece of furniture, or if its preposition can mean nothing
else ("next to …"). Whether to filter by a place is the caller's choice: only a `known` one is sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from robot_memory.control.understanding.reading import Place
from robot_memory.control.understanding.tables import any_of, listed, pattern, phrases

PREPOSITIONS = "|".join(phrases("place_prepositions")).replace(" ", r"\s+")
PHRASE = re.compile(
    rf"(?<!\w)({PREPOSITIONS})\s+"
    r"((?:the|a|an|my|our|your|his|her|their|this|that)\s+)?((?:[^\W_][\w'-]*)(?:\s+[^\W_][\w'-]*){0,2})",
    re.IGNORECASE,
)
WORD = re.compile(r"\S+")
VAGUE = listed("vague_prepositions") | {"in", "on", "into"}  # take a noun that is no room to mean much else


class Places:
    """The places known by name: rooms, furniture, whatever poses or memories have been given names for."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {" ".join(name.casefold().split()): name for name in names if name.strip()}
        self._pattern = any_of(sorted(self._names, key=lambda name: (-len(name), name)))

    def known(self, text: str) -> str:
        """The known place that a phrase begins with, as it is called; empty if it begins with none."""
        match = self._pattern.match(text)
        return self._names.get(" ".join(match[0].casefold().split()), "") if match else ""

    def find(self, text: str) -> tuple[Place, ...]:
        """The places of a question, in order: phrases, then known places that stand without a preposition."""
        found: list[tuple[int, int, Place]] = []
        at = 0
        while match := PHRASE.search(text, at):
            place = self._of(match)
            at = match.start(3) if place is None else match.start(3) + len(place.name)
            if place:
                found.append((match.start(), at, place))
        for match in pattern("bare_places").finditer(text):
            if not any(start <= match.start() < end for start, end, _ in found):
                found.append((*match.span(), Place(match[0], "", match[0].split()[-1])))
        for match in self._pattern.finditer(text):
            if not any(start <= match.start() < end for start, end, _ in found):
                found.append((*match.span(), Place(match[0], "", self.known(match[0]), known=True)))
        return tuple(place for _, _, place in sorted(found, key=lambda one: one[:2]))

    def _of(self, match: re.Match[str]) -> Place | None:
        """The place of a phrase, None where it is of something else."""
        relation, article, words = " ".join(match[1].lower().split()), match[2], match[3]
        if known := self.known(words):
            return Place(match[0][: match.start(3) - match.start() + len(known)], relation, known, known=True)
        noun = _room(words) if article or relation not in listed("vague_prepositions") else ""
        if not noun and relation in listed("before_a_place") and not article:
            noun = _proper(words)
        if not noun and article and relation not in VAGUE:
            noun = _noun(words)
        if not noun or noun.split()[-1].lower() in listed("not_places") | listed("not_names"):
            return None
        return Place(match[0][: match.start(3) - match.start() + len(noun)], relation, noun)


def _room(words: str) -> str:
    """The words up to a room or a piece of furniture: "living room", "Lily's desk"; empty where there is none."""
    for match in WORD.finditer(words):
        plain = match[0].lower().removesuffix("'s")
        if plain in listed("rooms_and_furniture"):
            following = WORD.match(words, match.end() + 1)
            longer = following is not None and following[0].lower() in listed("rooms_and_furniture")
            return words[: following.end() if longer and following else match.end()]
        if plain in listed("empty"):
            break
    return ""


def _proper(words: str) -> str:
    """The capitals that a place's name begins with: "Quebec City"; not "Lily's tea", which is Lily's."""
    taken = re.match(r"(?:[^\W\d_a-z][\w'-]*)(?:\s+[^\W\d_a-z][\w'-]*)*", words)
    return taken[0] if taken and not taken[0].endswith("'s") and taken[0][0].isupper() else ""


def _noun(words: str) -> str:
    """The words up to the first that says nothing; "next to the old oak"."""
    end = 0
    for match in WORD.finditer(words):
        if match[0].lower() in listed("empty") | listed("speaking"):
            break
        end = match.end()
    return words[:end]
