"""How well what was found fits what was asked, sentence by sentence, and the few features a verdict is made of.

Every feature is 0 where it says nothing and grows with the support, so that its weight can only be positive.

| feature  | what it is                                                                  | lowered where         |
|----------|-----------------------------------------------------------------------------|-----------------------|
| words    | the question's rare words in sentences about the asked person, against all  | it was said of        |
|          | others: log of the ratio, -3 to 3; 0 if nobody is asked about               | somebody else         |
| meaning  | the same with cosines, which hear "owns" in "a tractor of my own"           | the same, reworded    |
| covered  | the most of the question's words, by rarity, in one sentence about them     | it was not said       |
| unsaid   | minus the part of the question's words that no memory holds                 | it was never said     |
| near     | the best cosine about the asked person                                      | nothing like it is    |
| affirmed | minus the part of the support in sentences with "not", unless asked for     | it is said not to be  |
| time     | what the best fit about them loses if only the time asked for counts, <= 0  | it was at other times |
| place    | what that loses if only the place asked for counts, of memories that know   | it was elsewhere      |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from robot_memory.control.verification import wording
from robot_memory.control.verification.asked import Asked, Passage
from robot_memory.control.verification.attribution import share

WORDS_SCALE, MEANING_SCALE = 0.1, 0.05  # a match this much better counts e times as much
LIMIT = 3.0
FAINT = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Features:
    """See the module's table."""

    words: float = 0.0
    meaning: float = 0.0
    covered: float = 0.0
    unsaid: float = 0.0
    near: float = 0.0
    affirmed: float = 0.0
    time: float = 0.0
    place: float = 0.0

    def values(self) -> tuple[float, ...]:
        return tuple(float(getattr(self, one.name)) for one in fields(self))


@dataclass(frozen=True)
class Matches:
    """The sentences of all passages, in order. Arrays are [sentences].

    `passage`: the number of the passage. `share`: how much is about the asked. `covered`: part of the question's words,
    by rarity. `cosine`: of its passage. `denied`: 1 where it says "not". `timely`, `placed`: 0 where it was at
    another time or place, else 1; `located`: 1 where its place is known.
    """

    passage: NDArray[np.int64]
    share: Floats
    covered: Floats
    cosine: Floats
    denied: Floats
    timely: Floats
    placed: Floats
    located: Floats

    @property
    def about(self) -> Floats:
        """The fit of what is about the persons asked about."""
        return self.fit * self.share

    @property
    def fit(self) -> Floats:
        """Words and meaning together, as one score, 0 or more."""
        fit: Floats = np.maximum(self.covered + self.cosine, 0.0)
        return fit


def match(asked: Asked, passages: Sequence[Passage]) -> Matches:
    """Every sentence of the passages beside the question."""
    weights = _weights(asked)
    rows = [
        (
            number,
            share(sentence, passage, asked),
            sum(weight for stem, weight in weights.items() if stem in wording.stems(sentence)),
            passage.cosine,
            wording.denies(sentence),
            _timely(asked, passage),
            not (asked.place and passage.place) or asked.place == passage.place,
            bool(passage.place),
        )
        for number, passage in enumerate(passages)
        for sentence in wording.sentences(passage.text)
    ]
    table = np.array(rows, np.float64).reshape(len(rows), 8)
    return Matches(table[:, 0].astype(np.int64), *(table[:, n] for n in range(1, 8)))


def features(asked: Asked, found: Matches) -> Features:
    """Without a passage nothing is about anybody."""
    unsaid = -_unsaid(asked)
    if not len(found.share):
        contrast = -LIMIT if asked.persons else 0.0
        return Features(words=contrast, meaning=contrast, unsaid=unsaid)
    by_words = np.exp(found.covered / WORDS_SCALE)
    by_meaning = np.exp(found.cosine / MEANING_SCALE)
    support = by_words * found.share
    return Features(
        words=_against(by_words, found.share) if asked.persons else 0.0,
        meaning=_against(by_meaning, found.share) if asked.persons else 0.0,
        covered=float((found.covered * found.share).max()),
        unsaid=unsaid,
        near=float((found.cosine * found.share).max()),
        affirmed=0.0 if asked.denied else -float((support * found.denied).sum() / max(support.sum(), FAINT)),
        time=_lost(found.about, found.timely),
        place=_lost(found.about * found.timely, found.placed),
    )


def _weights(asked: Asked) -> dict[str, float]:
    """Stem -> its part of the question, by rarity; they sum to 1."""
    rarity = {word.stem: asked.rarity(word) for word in asked.words}
    total = sum(rarity.values())
    return {stem: own / total for stem, own in rarity.items()} if total > 0 else {}


def _unsaid(asked: Asked) -> float:
    total = sum(asked.rarity(word) for word in asked.words)
    return sum(asked.rarity(word) for word in asked.words if word.memories <= 0) / total if total > 0 else 0.0


def _timely(asked: Asked, passage: Passage) -> bool:
    begun = asked.end_ns is None or passage.start_ns < asked.end_ns
    return begun and (asked.start_ns is None or passage.end_ns >= asked.start_ns)


def _against(strength: Floats, own: Floats) -> float:
    """Log of what is about the asked against what is not, -LIMIT to LIMIT."""
    mine, theirs = float((strength * own).sum()), float((strength * (1 - own)).sum())
    return float(np.clip(np.log(mine + FAINT) - np.log(theirs + FAINT), -LIMIT, LIMIT))


def _lost(fit: Floats, inside: Floats) -> float:
    """What the best fit loses where only that inside counts: 0 if nothing, else negative."""
    return float((fit * inside).max() - fit.max())
