"""Which place this is, as people tell a robot: "this is the kitchen", "we're in the study now", "call this spot home".

What is told is a claim about where the robot stands, kept with its pose (memory/rooms.py makes a map of them). Told is
not: a guess, a question, where things are, where somebody is who cannot be seen, a place on the left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from robot_memory.memorization.scene import REJOIN_NS, Scene, Utterance, pose_at
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.rooms import HERE, PLACE_NAME, with_article

WORD = r"[^\W_][\w'&-]*"
CONTRACTED = (  # one spelling of each for the patterns
    (re.compile(r"\b(can)not\b|\b(can)'t\b", re.I), r"can not"),
    (re.compile(r"n't\b", re.I), " not"),
    (re.compile(r"\b(i|you|we|they)'(?:re|m)\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|you|we|they)'ve\b", re.I), r"\1 have"),
    (re.compile(r"\b(i|you|we|they)'ll\b", re.I), r"\1 will"),
    (re.compile(r"\b(it|that|this|here|there|what|where|one|room|place|bit|space|part|area)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b(nobody|no one|anyone|somebody)'s\b", re.I), r"\1 has"),
    (re.compile(r"\blet's\b", re.I), "let us"),
)
SHOWN = ("shown", "you", "ordered_rooms", "on_the_way")
NUMBER = re.compile(r"\d+\w?|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten")
OWNER = re.compile(r"[A-Z].*'s$")
SENTENCE = re.compile(r"[^.!?]+[.!?]*")
BEFORE = r"(?:^|[,:;–—]\s*|\s-\s|\b(?:and|so|now|okay|right|well|robot|no|sorry|yes|then|in)\s+)"
EDGE = r"(?=\s*(?:$|[,:;–—]|\s-\s))"


@dataclass(frozen=True)
class Placed:
    """What a place is called. `polarity` -1: it is not that. `ours`: where the speaker is, in view or not."""

    name: str
    polarity: int = 1
    ours: bool = False


def places_named(scene: Scene) -> Iterator[Sentence]:
    """The semantic sentences of places that were told in a clip."""
    for said in scene.utterances:
        if said.well_heard:
            for placed in places_in(said.turn.text):
                if not placed.ours or _somebody_in_view(scene, said):
                    yield _sentence(scene, said, placed)


def places_in(text: str) -> list[Placed]:
    """What a turn says of the place where the robot is, in order, each once."""
    found: list[Placed] = []
    before = ""
    for sentence in _sentences(text):
        found += _told(sentence, before, denied=bool(found) and found[-1].polarity < 0)
        before = sentence
    return list(dict.fromkeys(found))


def _somebody_in_view(scene: Scene, said: Utterance) -> bool:
    return bool(scene.faces_during(said.turn.start_ns - REJOIN_NS, said.turn.end_ns + REJOIN_NS))


def _sentence(scene: Scene, said: Utterance, placed: Placed) -> Sentence:
    no = "" if placed.polarity > 0 else "not "
    return Sentence(
        "semantic",
        f"This place is {no}{with_article(placed.name)}.",
        said.turn.start_ns,
        said.turn.end_ns,
        "inferred",
        frame=Frame(HERE, PLACE_NAME, placed.name, placed.polarity),
        turn=said.row,
        pose=pose_at(scene, said.turn.end_ns),  # "we've just come into the hall": where it is then
    )


def _sentences(text: str) -> list[str]:
    """The sentences with their marks, contractions written out."""
    plain = " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split())
    for contracted, written in CONTRACTED:
        plain = contracted.sub(written, plain)
    return [one.strip() for one in SENTENCE.findall(plain) if one.strip()]


def _told(sentence: str, before: str, denied: bool) -> list[Placed]:
    if sentence.endswith("?") or '"' in sentence:
        return []
    text = _pattern(rf"^(?:{_choice('no_doubt')})[,:]? *").sub("", sentence.rstrip(".! "))
    if denials := _rooms("denied", text):
        names = [name for name, _ in denials]
        return [Placed(name, -1) for name in names] + _instead(text[denials[-1][1] :])
    told = [Placed(name) for kind in SHOWN for name, _ in _rooms(kind, text)]
    told += [Placed(name, ours=True) for name, _ in _rooms("we", text)]
    told += [Placed(match["name"]) for match in _found("ordered", text)]
    return told or (_instead(text) if denied else []) or _in_two_sentences(before.rstrip(".! "), text)


def _instead(text: str) -> list[Placed]:
    """What it is, where it was just said what it is not."""
    return [Placed(name) for name, _ in _rooms("instead", text)][:1]


def _in_two_sentences(first: str, second: str) -> list[Placed]:
    """ "Let me show you the garage. Here it is." "Next room. The pantry." """
    promised = _rooms("promised", first)
    if promised and _begins("here_it_is", second):
        return [Placed(promised[-1][0])]
    return [Placed(name) for name, _ in _rooms("bare", second)] if _begins("announced", first) else []


def _rooms(kind: str, text: str) -> list[tuple[str, int]]:
    """The rooms that these patterns find, and where their words end."""
    return [(name, match.end()) for match in _found(kind, text) if (name := _name(match))]


def _found(kind: str, text: str) -> list[re.Match[str]]:
    """Where a part of the text is one of these patterns, undoubted."""
    found = []
    for pattern in _patterns(kind):
        for match in pattern.finditer(text):
            if not _doubted(text, match):
                found.append(match)
    return sorted(found, key=lambda match: match.start())


def _begins(kind: str, text: str) -> bool:
    return any(pattern.match(text) for pattern in _patterns(kind))


def _doubted(text: str, match: re.Match[str]) -> bool:
    """Is it doubted before its name, or in the part of the sentence that goes on after it?"""
    doubts = _pattern(rf"\b(?:{_choice('doubts')})\b")
    rest = re.split(r"[;:–—]|\band\b", text[match.end() :])[0]
    said = text[: match.start("name" if "name" in match.groupdict() else "room")]
    return bool(doubts.search(said) or doubts.search(rest))


def _name(match: re.Match[str]) -> str:
    """The room of a match as it is called; empty where the words are no name of a place."""
    words = match["room"].split()
    while len(words) > 1 and words[0].lower() in _words("judging"):
        words = words[1:]
    number = words[-1] if len(words) > 1 and NUMBER.fullmatch(words[-1]) else ""
    *which, head = words[: len(words) - bool(number)]
    if not _is_room(head.lower(), [word.lower() for word in which], bool(number)):
        return ""
    if not match["article"] and not _stands_alone(head.lower(), which, bool(number)):
        return ""
    owned = which[:1] if which and OWNER.match(which[0]) else []
    return " ".join([*owned, *(word.lower() for word in [*which[len(owned) :], head]), *([number] if number else [])])


def _is_room(head: str, which: list[str], numbered: bool) -> bool:
    """ "kitchen", "print room"; neither "room" alone nor "best kitchen"."""
    if any(word in _words("not_names") or (word.endswith("est") and word != "guest") for word in which):
        return False
    return head in _words("heads") or (head in _words("need_a_word") and (bool(which) or numbered))


def _stands_alone(head: str, which: list[str], numbered: bool) -> bool:
    """ "reception", "room 12", "Anna's office": without an article."""
    return head in _words("alone") or (numbered and head in _words("numbered")) or bool(which and OWNER.match(which[0]))


@cache
def _patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list, each with its beginning and its end."""
    parts = {key: f"(?:{_choice(key)})" for key in ("here", "is", "isnt", "in", "into", "this", "please")}
    parts["are"] = _table()["are"]
    parts["room"] = rf"(?P<article>(?:the|our|my) )?(?P<room>{WORD}(?: {WORD}){{0,4}}?)"
    parts["name"] = rf"(?:the |our )?(?P<name>(?!(?:a|an|your|his|her|their|my) ){WORD}(?: {WORD}){{0,3}}?)"
    end = rf"(?:,? (?:{_choice('tails')}))*(?={EDGE}| (?:{_choice('goes_on')})\b)"
    lead = "^" if kind in ("here_it_is", "announced", "bare") else BEFORE
    return tuple(_pattern(lead + one.format_map(parts) + end) for one in _table()[kind])


def _choice(key: str) -> str:
    """The alternatives of a list, on however many lines they stand."""
    return str(_table()[key]).replace("| ", "|")


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(str(_table()[key]).split())


@cache
def _table() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("places.yaml").read_text("utf-8"))
    return loaded
