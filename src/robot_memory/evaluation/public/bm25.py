"""BM25 (Robertson & Zaragoza 2009) over short texts: the plain keyword search that everything else has to beat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.75
WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Lower-case words, digits included, without a possessive's s."""
    return WORD.findall(re.sub(r"['’]s\b", "", text.lower()))


class BM25:
    """An index of texts, numbered as given."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(words(text)) for text in texts]
        self._size = len(texts)
        lengths = np.array([counts.total() for counts in counted], np.float64)
        weights = K1 * (1 - B + B * lengths / (lengths.mean() if lengths.any() else 1.0))
        postings: dict[str, list[tuple[int, int]]] = {}
        for n, counts in enumerate(counted):
            for word, count in counts.items():
                postings.setdefault(word, []).append((n, count))
        self._postings = {word: self._gains(np.array(rows), weights) for word, rows in postings.items()}

    def scores(self, query: str) -> NDArray[np.float64]:
        """[texts]; 0 where a text shares no word with the query."""
        scores = np.zeros(self._size)
        for word in dict.fromkeys(words(query)):
            if word in self._postings:
                texts, gains = self._postings[word]
                scores[texts] += gains
        return scores

    def _gains(
        self, rows: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The texts that hold a word, and what it adds to the score of each."""
        texts, counts = rows[:, 0], rows[:, 1]
        rarity = np.log(1 + (self._size - len(rows) + 0.5) / (len(rows) + 0.5))
        return texts, rarity * counts * (K1 + 1) / (counts + weights[texts])


def best(scores: NDArray[np.float64]) -> int | None:
    """The place of the highest score, the first of equals; None if all are 0."""
    at = int(np.argmax(scores)) if len(scores) else 0
    return at if len(scores) and scores[at] > 0 else None
