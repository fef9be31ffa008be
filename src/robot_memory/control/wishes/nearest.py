"""What a question is most like, where it has none of the forms known: its nearest neighbours among ways of asking.

Names count as one name, so that only the asking is compared. The kind of the nearest few is taken, if it is clearly
nearer than any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from robot_memory.control.understanding.reading import ASKER, Reading
from robot_memory.control.wishes.tables import table
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder

NAME = "Alex"
NEAREST = 3
_kept: WeakKeyDictionary[TextEmbedder, NDArray[np.float32]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Like:
    """What a question is like: `near`, the cosine of the nearest of that kind, `ahead` of the best of another."""

    wish: Wish
    near: float
    ahead: float


def most_like(reading: Reading, embedder: TextEmbedder) -> Like:
    """The kind of question that a reading is nearest to."""
    wishes, sentences = _ways()
    vectors = _kept.get(embedder)
    if vectors is None:
        vectors = _kept[embedder] = embedder.embed(sentences)
    cosines = vectors @ embedder.embed([neutral(reading)])[0]
    scores = {wish: float(np.sort(cosines[at])[-NEAREST:].mean() * 0.5 + cosines[at].max() * 0.5) for wish, at in _groups().items()}
    best, second = sorted(scores, key=lambda wish: -scores[wish])[:2]
    return Like(best, scores[best], scores[best] - scores[second])


def neutral(reading: Reading) -> str:
    """The question with one name for every person, the asker too, and without its time."""
    text = reading.wording or reading.words
    names = [one.words for one in reading.mentions if one.how != ASKER] + list(reading.unknown_names)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", NAME, text)
    return text


@cache
def _ways() -> tuple[tuple[Wish, ...], tuple[str, ...]]:
    """Each way of asking, and what it wants."""
    wishes: list[Wish] = []
    sentences: list[str] = []
    for name, text in table("prototypes").items():
        kind, *rest = name.split()
        wish = Wish(
            Kind[kind],
            attribute=next((word for word in rest if word not in ("-1", "silent")), ""),
            polarity=-1 if "-1" in rest else 1,
            silent="silent" in rest,
        )
        for sentence in text.splitlines():
            wishes.append(wish)
            sentences.append(sentence)
    return tuple(wishes), tuple(sentences)


@cache
def _groups() -> dict[Wish, NDArray[np.intp]]:
    wishes = _ways()[0]
    return {wish: np.array([n for n, one in enumerate(wishes) if one == wish]) for wish in dict.fromkeys(wishes)}
