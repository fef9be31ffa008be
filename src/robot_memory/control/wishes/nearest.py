"""What a question is most like, where it has none of the forms known: its nearest neighbours among ways of asking.

Names count as one name, so that only the asking is compared. The kind of the nearest few is taken if it is clearly
nearer than any other, and if every word of the question belongs to asking for it or is what it gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from robot_memory.control.understanding.reading import ASKER, ROLE, Reading
from robot_memory.control.understanding.tables import listed as understood
from robot_memory.control.understanding.words import Word, words_in
from robot_memory.control.verification.wording import stem
from robot_memory.control.wishes.given import without_article
from robot_memory.control.wishes.tables import table
from robot_memory.control.wishes.tokens import named, plain
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder

NAME = "Alex"
NEAREST = 3
NEAR, AHEAD = 0.5, 0.06  # cosines: the least that the nearest kind must have, and have more than the next
FILLED = {  # where what the question gives goes: without it nothing is asked
    (Kind.VALUE, "opinion"): "value",
    (Kind.VALUE, "place"): "subject",
    (Kind.WHEN_DUE, "appointment"): "value",
    (Kind.WHEN_DUE, "promise"): "value",
    (Kind.WHEN_DUE, "plan"): "value",
    (Kind.WHEN_DUE, "routine"): "value",
    (Kind.WHO_SAID, ""): "value",
    (Kind.WHEN_SAID, ""): "value",
    (Kind.WHERE_SAID, ""): "value",
}
WHO, WHERE, WHEN = ("who", "whose", "which"), ("where", "which"), ("when", "how long")
ASKED = {  # what the question asks for where its kind is this; "which room" and "what day" are where and when
    **dict.fromkeys((Kind.WHO_WAS_HERE, Kind.COMPANY, Kind.WHO_SAID, Kind.TALKED_TO), WHO),
    **dict.fromkeys((Kind.WHERE_SEEN, Kind.WHERE_SAID), WHERE),
    **dict.fromkeys((Kind.WHEN_SEEN, Kind.WHEN_SAID), WHEN),
    Kind.HOW_OFTEN_SEEN: ("how often", "how many"),
    Kind.HOW_LONG_SEEN: ("how long", "how much"),
    Kind.HOW_MANY_PEOPLE: ("how many", "how"),
    Kind.WHAT_SAID: ("what", "how"),
}
MAY_BE_FILLED = (Kind.WHAT_SAID,)
_kept: WeakKeyDictionary[TextEmbedder, NDArray[np.float32]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Like:
    """What a question is like: `near`, the cosine of the nearest of that kind, `ahead` of the best of another."""

    wish: Wish
    near: float
    ahead: float


def by_likeness(reading: Reading, embedder: TextEmbedder) -> Wish | None:
    """The wish of the ways of asking that a question is nearest to; None where that is not clear."""
    like = most_like(reading, embedder)
    if like.near < NEAR or like.ahead < AHEAD or not _may_be_asked(like.wish.kind, reading):
        return None
    return _filled(replace(like.wish, sure=min(0.9, 0.5 + 3.5 * like.ahead)), reading)


def _may_be_asked(kind: Kind, reading: Reading) -> bool:
    """Whether a kind of answer goes with what is asked for: no "who" where it is asked when."""
    if kind is Kind.WHEN_DUE and reading.asks != "yes/no":
        done = any(token.past for token in plain(reading))
        return reading.asks in ("when", "how often") and not done
    return kind is not Kind.OTHER and (kind not in ASKED or reading.asks in (*ASKED[kind], "yes/no", "list"))


def most_like(reading: Reading, embedder: TextEmbedder) -> Like:
    """The kind of question that a reading is nearest to."""
    vectors = _kept.get(embedder)
    if vectors is None:
        vectors = _kept[embedder] = embedder.embed(_ways()[1])
    cosines = vectors @ embedder.embed([neutral(reading)])[0]
    scores = {wish: _score(cosines[rows]) for wish, rows in _groups().items()}
    best, second = sorted(scores, key=lambda wish: -scores[wish])[:2]
    return Like(best, scores[best], scores[best] - scores[second])


def neutral(reading: Reading) -> str:
    """The question with one name for every person and without its time."""
    text = reading.wording or reading.words
    names = [one.words for one in reading.mentions if one.how != ASKER] + list(reading.unknown_names)
    for name in sorted(names, key=len, reverse=True):
        text = named(name).sub(NAME, text)
    return text


def _score(cosines: NDArray[np.float32]) -> float:
    """How near a kind is: half the nearest of its sentences, half the nearest few."""
    nearest = np.sort(cosines)[-NEAREST:]
    return float(nearest.mean() + nearest[-1]) / 2


def _filled(wish: Wish, reading: Reading) -> Wish | None:
    """The wish with what the question gives; None where it gives too little, or more than is asked."""
    foreign = _foreign(reading)
    slot = FILLED.get((wish.kind, wish.attribute))
    if slot:
        if not foreign:
            return None
        return replace(wish, subject=foreign) if slot == "subject" else replace(wish, value=foreign)
    if wish.kind in MAY_BE_FILLED:
        return replace(wish, value=foreign)
    if foreign:
        return None
    if wish.attribute == "relation":
        roles = [one.words.split()[-1] for one in reading.mentions if one.how == ROLE and one.of]
        named = [one.words for one in reading.mentions if one.how not in (ROLE, ASKER)]
        if not roles and len(named) < 2:
            return None
        return replace(wish, relation=roles[0] if roles else "", value="" if roles else named[1])
    return wish


def _foreign(reading: Reading) -> str:
    """The words of a question that are not for asking, as they stand, from the first to the last of them."""
    named = {piece.plain for one in reading.mentions for piece in words_in(one.words)}
    named |= {piece.plain for name in reading.unknown_names for piece in words_in(name)}
    words = [word for word in words_in(reading.words) if not _within(word, reading.span.words, reading.words)]
    foreign = [word for word in words if word.plain not in named and _is_foreign(word)]
    return without_article(reading.words[foreign[0].start : foreign[-1].end]) if foreign else ""


def _within(word: Word, span: str, text: str) -> bool:
    at = text.find(span) if span else -1
    return at >= 0 and at <= word.start < at + len(span)


def _is_foreign(word: Word) -> bool:
    if word.plain in understood("empty") | understood("auxiliaries") | understood("question_words"):
        return False
    return stem(word.plain) not in _asking_words()


@cache
def _asking_words() -> frozenset[str]:
    """The stems of the words that are used in asking."""
    ways: Sequence[str] = [text for name, text in table("prototypes").items() if name != "OTHER"]
    return frozenset(stem(word.plain) for text in ways for word in words_in(text))


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
    """The rows of each kind's ways."""
    wishes = _ways()[0]
    return {wish: np.array([n for n, one in enumerate(wishes) if one == wish]) for wish in dict.fromkeys(wishes)}
