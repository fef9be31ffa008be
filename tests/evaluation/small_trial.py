"""A morning small enough to check by hand: three people, six clips, twelve questions, every form of answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robot_memory.evaluation.trial import HEARD, SEEN, Clip, Expected, Moment, Question, Trial
from robot_memory.evaluation.truth import Appearance, Box, Fact, Said, Truth
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from robot_memory.streams.sessions import Session
from told import at, likeness

SESSION = Session("small", bag_uri="small", bag_fingerprint="small", zone="UTC")
FIRST, CLIPS = 0, 6  # 30 s each from 09:30 on
SEEN_AT = [("Anna", 1, 58), ("Ben", 40, 58), ("Ben", 62, 88), ("Anna", 95, 118), ("Clara", 122, 170), ("Ben", 152, 172)]
LINES = [
    ("Anna", 3, 7, "Hello, my name is Anna."),
    ("Anna", 9, 13, "I drink my tea with lemon."),
    ("Ben", 41, 45, "I am Ben, the new carpenter."),
    ("Anna", 47, 51, "The keys lie in the blue bowl."),
    ("Ben", 65, 70, "I have three cats at home."),
    ("Ben", 72, 77, "I don't like olives."),
    ("Anna", 97, 102, "I was a teacher, now I am a nurse."),
    ("Anna", 104, 109, "Ben plays chess on Fridays."),
    ("Clara", 124, 129, "My name is Clara, I live in Bonn."),
    ("Clara", 132, 137, "We meet at the station."),
    ("Ben", 155, 160, "Clara, do you want tea?"),
    ("Clara", 162, 166, "Coffee for me, please."),
]


def trial() -> Trial:
    """The same each time."""
    return Trial("small", TRUTH, QUESTIONS, clips, {"everything": "oracle"})


def clips() -> Iterator[Clip]:
    for number in range(CLIPS):
        yield _clip(number)


def line(number: int) -> Moment:
    """The evidence that line `number` is."""
    return Moment(at(LINES[number][1]), at(LINES[number][2]), HEARD)


def sight(number: int) -> Moment:
    return Moment(at(SEEN_AT[number][1]), at(SEEN_AT[number][2]), SEEN)


def _clip(number: int) -> Clip:
    start, end = 30 * number, 30 * number + 30
    seen = [(who, max(a, start), min(b, end - 0.2)) for who, a, b in SEEN_AT if a < end and b > start]
    said = [line for line in LINES if start <= line[1] < end]
    voices = list(dict.fromkeys(who for who, *_ in said))
    turns = tuple(
        SpeechTurn(at(a), at(b), text, voices.index(who), likeness("voice", who, 256), 0.95, 0.02)
        for who, a, b, text in said
    )
    observation = ClipObservation(SESSION.id, number, at(start), at(end), tuple(_track(*one) for one in seen), turns)
    words = tuple(text for *_, text in said)
    return Clip(observation, SESSION, tuple(who for who, *_ in seen), tuple(who for who, *_ in said), words)


def _track(who: str, start_s: float, end_s: float) -> FaceTrack:
    stamps = np.arange(at(start_s), at(end_s) + 1, SECOND // 5, dtype=np.int64)
    boxes = np.tile(np.array([100, 100, 80, 100], np.float32), (len(stamps), 1))
    return FaceTrack(stamps, boxes, likeness("face", who, 128)[None], b"jpeg", 0.8)


def _appearance(who: str, start_s: float, end_s: float) -> Appearance:
    return Appearance(who, tuple(Box(at(s), 100, 100, 80, 100) for s in (start_s, end_s)), "kitchen")


def _fact(subject: str, attribute: str, value: str, told: int, **more: int) -> Fact:
    return Fact(subject, attribute, value, told=(at(LINES[told][1]),), **more)  # type: ignore[arg-type]


TRUTH = Truth(
    name="small",
    zone="UTC",
    start_ns=at(0),
    end_ns=at(30 * CLIPS),
    people=("Anna", "Ben", "Clara", "Dora"),  # Dora never comes
    appearances=tuple(_appearance(*one) for one in SEEN_AT),
    lines=tuple(Said(who, at(a), at(b), text, "kitchen") for who, a, b, text in LINES),
    facts=(
        _fact("Anna", "name", "Anna", 0),
        _fact("Anna", "likes", "tea with lemon", 1),
        _fact("Ben", "name", "Ben", 2),
        _fact("Ben", "job", "carpenter", 2),
        _fact("keys", "place", "in the blue bowl", 3),
        _fact("Ben", "likes", "olives", 5, polarity=-1),
        _fact("Anna", "job", "teacher", 6, valid_until_ns=at(-100)),
        _fact("Anna", "job", "nurse", 6, valid_from_ns=at(-100)),
        _fact("Ben", "routine", "chess on Fridays", 7),
        _fact("Clara", "name", "Clara", 8),
        _fact("Clara", "home", "Bonn", 8),
        Fact("Clara", "age", "41"),  # never said
    ),
)


@dataclass(frozen=True)
class _Ask:
    type: str
    text: str
    expected: Expected
    evidence: tuple[Moment, ...] = ()
    at_s: float = 180
    asker: str = ""
    swap: str = ""
    sight: bool = False


NEVER = Expected("none")
ASKED = (
    _Ask("general", "What does Anna take in her tea?", Expected("text", ("lemon",), traps=("milk",)), (line(1),), 70),
    _Ask("place", "Where are the keys?", Expected("text", ("blue bowl",), traps=("drawer",)), (line(3),)),
    _Ask("count", "How many cats does Ben have?", Expected("number", ("3",)), (line(4),)),
    _Ask("general", "Does Ben like olives?", Expected("yesno", ("no",)), (line(5),)),
    _Ask("changed", "What is Anna's job?", Expected("text", ("nurse",), earlier=("teacher",)), (line(6),)),
    _Ask("person", "Who plays chess?", Expected("names", ("Ben",)), (line(7),)),
    _Ask("time", "When did Clara come?", Expected("time", span_ns=(at(92), at(152))), (sight(4),), sight=True),
    _Ask("cross-modal", "Who was with Clara?", Expected("names", ("Ben",)), (sight(5), line(10)), sight=True),
    _Ask("multi-hop", "Where does she live who wants coffee?", Expected("text", ("Bonn",)), (line(8), line(11))),
    _Ask("first-person", "What is my job?", Expected("text", ("carpenter",)), (line(2),), asker="Ben"),
    _Ask("general", "What does Clara take in her tea?", NEVER, swap="person"),
    _Ask("place", "Where is the ladder?", NEVER, swap="never"),
    _Ask("general", "Does Anna like olives?", NEVER, swap="person"),
    _Ask("time", "When did Dora come?", NEVER, swap="person"),
    _Ask("person", "Who was here last night?", NEVER, swap="time"),
)
QUESTIONS = tuple(
    Question(f"q{n}", a.text, at(a.at_s), a.type, a.expected, a.evidence, a.sight, a.asker, a.swap)
    for n, a in enumerate(ASKED)
)
