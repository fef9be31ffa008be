"""Keywords and vectors fused by rank (RRF, Cormack et al. 2009): what a careful engineer builds in an afternoon.

`ContextSubject` also indexes each turn together with the one before it, since many a turn is an answer, and lifts the
turns of the person asked about, where names are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

import numpy as np

from robot_memory.evaluation.subjects.bm25 import Keywords
from robot_memory.evaluation.subjects.flat import FlatSubject, Vectors, wordllama
from robot_memory.evaluation.subjects.transcript import Line, Scores, neighbours, with_names
from robot_memory.language.embedder import TextEmbedder

RRF = 60
BOOST = 0.5 / (RRF + 1)  # half of a first place, for a line of the person asked about


def fused(*channels: Scores) -> Scores:
    """[lines] the sum of 1 / (60 + rank) over the channels that found a line."""
    total = np.zeros(len(channels[0]))
    for scores in channels:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, 1 / (RRF + ranks), 0.0)
    return total


class HybridSubject(FlatSubject):
    """BM25 and cosine. Its confidence is the best cosine: a fused rank says nothing about how good the best is."""

    NAME = "hybrid"

    def _begin(self, embedder: TextEmbedder) -> None:
        super()._begin(embedder)
        self._keywords = Keywords()

    @property
    def models(self) -> Mapping[str, str]:
        return {**super().models, "keywords": "BM25 (FTS5, Porter stems)"}

    def _added(self, lines: list[Line]) -> None:
        super()._added(lines)
        self._keywords.add([line.reads for line in lines])

    def _score(self, question: str) -> Scores:
        return fused(self._keywords.scores(question), self._vectors.scores(question))

    def confidence(self, question: str) -> float:
        return min(1.0, float(self._vectors.scores(question).max(initial=0.0)))

    def close(self) -> None:
        super().close()
        self._keywords.close()


class ContextSubject(HybridSubject):
    """Four channels: keywords and vectors of each turn alone, and with the turn before it."""

    NAME = "context"

    def _begin(self, embedder: TextEmbedder) -> None:
        super()._begin(embedder)
        self._pair_keywords, self._pair_vectors = Keywords(), Vectors(embedder)

    def _added(self, lines: list[Line]) -> None:
        super()._added(lines)
        first = len(self._lines) - len(lines)
        pairs = [self._with_the_one_before(n) for n in range(first, len(self._lines))]
        self._pair_keywords.add(pairs)
        self._pair_vectors.add(pairs)

    def _score(self, question: str) -> Scores:
        return fused(
            self._keywords.scores(question),
            self._vectors.scores(question),
            self._pair_keywords.scores(question),
            self._pair_vectors.scores(question),
        ) + BOOST * self._asked_about(question)

    def _with_the_one_before(self, number: int) -> str:
        here = self._lines[number].reads
        if number and neighbours(self._lines, number - 1, number):
            return f"{self._lines[number - 1].reads} {here}"
        return here

    def _asked_about(self, question: str) -> Scores:
        """[lines] 1 where the speaker is named in the question."""
        speakers = {line.speaker for line in self._lines if line.speaker}
        asked = {one for one in speakers if re.search(rf"\b{re.escape(one)}\b", question, re.IGNORECASE)}
        return np.array([line.speaker in asked for line in self._lines], np.float64)

    def bytes_used(self) -> int:
        return super().bytes_used() + self._pair_vectors.bytes

    def close(self) -> None:
        super().close()
        self._pair_keywords.close()


named = with_names(HybridSubject)
with_wordllama = partial(HybridSubject, open_embedder=wordllama, name="hybrid-wordllama")
with_wordllama_named = with_names(with_wordllama)
context_named = with_names(ContextSubject)
context_with_wordllama = partial(ContextSubject, open_embedder=wordllama, name="context-wordllama")
context_with_wordllama_named = with_names(context_with_wordllama)
