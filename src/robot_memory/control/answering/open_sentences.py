"""The sentences that may answer a question, and how well each fits: what is in it, around it, and about whom it is.

The answer often stands beside the question's words, not among them: in the sentence after ("I went to the workshop.
They talked about methods"), or in a reply ("What did you bake?" "A cake"). So a sentence gets something for the words
of the one before it in its line, and for those of a question that it answers. What is asked in a line answers nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from robot_memory.control.answer import Evidence
from robot_memory.control.answering.open_asked import Wanted
from robot_memory.control.steps import State
from robot_memory.control.verification import wording
from robot_memory.control.verification.asked import Asked, Passage
from robot_memory.control.verification.attribution import share
from robot_memory.memory.retrieval.wording import asks
from robot_memory.streams.media import SECOND

REPLY_NS = 20 * SECOND  # a reply comes within this
LOOKED_AT = 40  # memories
BRACKETED = re.compile(r"\[[^\]]*?:\s*([^\]]*)\]")  # a note in a line, "[shares a picture: a red kite]"
WEIGHTS = {
    "held": 1.5,  # the question's words in it, by rarity
    "prev": 0.7,  # more of them in the sentence before
    "replied": 3.3,  # those in the question it replies to
    "meaning": 0.7,  # its memory's cosine
    "rank": 2.8,  # its memory's place among what was found
    "about": 0.8,  # how much of it is about the persons asked about
}


@dataclass(frozen=True)
class Told:
    """A sentence of a memory. `features`: by the names of WEIGHTS, each 0 to 1; `score`: their weighted sum. `noted`:
    it is a note in the line (what a picture shows), and was not said.
    """

    evidence: Evidence
    text: str
    features: Mapping[str, float]
    score: float
    noted: bool = False

    @property
    def held(self) -> float:
        """The part of the question's words in it or right before it, by rarity: 0 to 1."""
        return self.features["held"] + self.features["prev"]

    @property
    def about(self) -> float:
        return self.features["about"]


def told(state: State, hits: Sequence[Evidence], wanted: Wanted) -> list[Told]:
    """Every sentence of the first hits that states something, best first."""
    asked = _asked(state)
    weights = rarity(wanted.words, hits)
    before = _before(hits)
    found = [
        one
        for rank, hit in enumerate(hits[:LOOKED_AT])
        for one in _of_line(hit, rank, before.get(hit.memory), asked, weights)
    ]
    return sorted(found, key=lambda one: -one.score)


def sentences(text: str) -> list[tuple[str, bool]]:
    """A text in sentences, and whether each is a note between brackets, which is one of its own."""
    said = [(one, False) for one in wording.sentences(BRACKETED.sub(" ", text))]
    return [*said, *((one, True) for one in BRACKETED.findall(text))]


def rarity(words: Sequence[str], hits: Sequence[Evidence]) -> dict[str, float]:
    """Stem -> its part of the question; what fewer of the memories hold weighs more. They sum to 1."""
    counts = Counter(stem for hit in hits for stem in wording.stems(hit.quote or hit.text))
    raw = {stem: math.log(1 + (len(hits) + 1) / (counts[stem] + 0.5)) for stem in map(wording.stem, words)}
    total = sum(raw.values())
    return {stem: value / total for stem, value in raw.items()} if total else {}


def _of_line(
    hit: Evidence, rank: int, before: Evidence | None, asked: Asked, weights: Mapping[str, float]
) -> Iterator[Told]:
    passage, last = _passage(hit, before), 0.0
    questions = [one for one in wording.sentences(before.quote) if asks(one)] if before else []
    replied = max((_held(one, weights) for one in questions), default=0.0)
    for text, noted in sentences(hit.quote or hit.text):
        held = _held(text, weights)
        if not asks(text):
            features = {
                "held": held,
                "prev": max(last - held, 0.0),
                "replied": replied,
                "meaning": dict(hit.channels).get("vector", 0.0),
                "rank": 1 / math.sqrt(1 + rank),
                "about": share(text, passage, asked),
            }
            score = sum(WEIGHTS[name] * value for name, value in features.items())
            yield Told(hit, text, features, score, noted)
        last = held


def _held(text: str, weights: Mapping[str, float]) -> float:
    stems = wording.stems(text)
    return sum(weight for stem, weight in weights.items() if stem in stems)


def _before(hits: Sequence[Evidence]) -> dict[int, Evidence]:
    """Memory -> the line that somebody else said just before it, as far as it was found."""
    lines = sorted((hit for hit in hits if hit.quote), key=lambda hit: hit.start_ns)
    pairs = zip(lines, lines[1:])
    return {two.memory: one for one, two in pairs if one.speaker != two.speaker and _replies(one, two)}


def _replies(one: Evidence, two: Evidence) -> bool:
    return two.start_ns - one.end_ns < REPLY_NS


def _passage(hit: Evidence, before: Evidence | None) -> Passage:
    """Who is spoken to is taken from the line before; it is enough to tell whose a sentence is."""
    about = frozenset(f"person_{person}" for person in hit.people)
    hearers = frozenset({before.speaker} if before else ())
    return Passage(hit.memory, hit.quote or hit.text, hit.speaker if hit.quote else "", hearers, about)


def _asked(state: State) -> Asked:
    persons = frozenset(f"person_{state.people.now(person)}" for person in state.reading.persons)
    return Asked((), 0, persons, {person.name: person.token for person in state.people.all() if person.name})
