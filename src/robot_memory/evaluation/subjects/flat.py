"""A flat text memory: a vector for each turn, the nearest by cosine. No graph, no keywords, no people.

With the product's own text embedder, or with the light profile's (`wordllama`), which is weaker on real dialogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation.subjects.transcript import Line, Scores, Speakers, TranscriptSubject, with_names
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.models.manifest import load_profile

MOST_KEPT = 50_000  # vectors, 77 MB of 384 numbers each


class Keeping:
    """An embedder that works each text out once in its life: several baselines read the same lines."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder, self._known = embedder, dict[str, NDArray[np.float32]]()
        self.name, self.dimension = embedder.name, embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > MOST_KEPT:
            self._known.clear()
            new = list(dict.fromkeys(texts))
        self._known.update(zip(new, self._embedder.embed(new), strict=True))
        found = [self._known[text] for text in texts]
        return np.stack(found) if found else np.zeros((0, self.dimension), np.float32)


@lru_cache(maxsize=1)
def product() -> TextEmbedder:
    """The text embedder of the product's profile. Raises ModelMissing."""
    return Keeping(open_text_embedder(load_profile(PerceptionSettings().profile).model("text_embedding")))


@lru_cache(maxsize=1)
def wordllama() -> TextEmbedder:
    """WordLlama. Raises ModelMissing, which names the command that fetches it."""
    return Keeping(open_text_embedder(load_profile("light").model("text_embedding")))


class Vectors:
    """Texts, numbered as they come, and the cosine of each with a question."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self._waiting: list[str] = []
        self._vectors = np.zeros((0, embedder.dimension), np.float32)

    def add(self, texts: Sequence[str]) -> None:
        self._waiting += texts

    def scores(self, question: str) -> Scores:
        """[texts]"""
        if self._waiting:  # embedded in one go: many texts at once are faster
            self._vectors = np.concatenate([self._vectors, self._embedder.embed(self._waiting)])
            self._waiting.clear()
        cosines: Scores = (self._vectors @ self._embedder.embed([question])[0]).astype(np.float64)
        return cosines

    @property
    def bytes(self) -> int:
        return self._vectors.nbytes


class FlatSubject(TranscriptSubject):
    """`open_embedder` gives what makes the vectors; `name` is by default the class's own. Raises ModelMissing."""

    NAME = "flat"

    def __init__(
        self,
        folder: Path | None = None,
        open_embedder: Callable[[], TextEmbedder] = product,
        speakers: Speakers | None = None,
        least: float = 0.0,
        name: str = "",
    ) -> None:
        super().__init__(name or self.NAME, speakers, least)
        self._begin(open_embedder())

    def _begin(self, embedder: TextEmbedder) -> None:
        """Make ready, with nothing heard yet."""
        self._embedder = embedder
        self._vectors = Vectors(embedder)

    @property
    def models(self) -> Mapping[str, str]:
        return {**super().models, "text_embedding": self._embedder.name}

    def _added(self, lines: list[Line]) -> None:
        self._vectors.add([line.reads for line in lines])

    def _score(self, question: str) -> Scores:
        return self._vectors.scores(question)

    def confidence(self, question: str) -> float:
        """The best cosine."""
        return min(1.0, float(self.scores(question).max(initial=0.0)))

    def bytes_used(self) -> int:
        return super().bytes_used() + self._vectors.bytes


named = with_names(FlatSubject)
with_wordllama = partial(FlatSubject, open_embedder=wordllama, name="flat-wordllama")
with_wordllama_named = with_names(with_wordllama)
