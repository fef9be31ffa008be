"""Sentences as unit vectors: what every text embedder promises, and the light one.

A static table (WordLlama) is the mean of its tokens' vectors, 0.1 ms a sentence on one core: for the profile `light`.
It is weak on real dialogue, where keywords do better and the default, a small transformer (sentence.py), much better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.models.manifest import Model


class TextEmbedder(Protocol):
    """Turns text into comparable vectors; vectors of different `name`s never meet."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[n, dimension] float32, unit norm; a text without a known token gives zeros, which match nothing."""
        ...


class StaticEmbedder:
    """A token table and its tokenizer, from the profile's text_embedding model. Raises ModelMissing."""

    def __init__(self, model: Model) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        table, tokenizer = (model.path(name) for name in _table_and_tokenizer(model))
        self.name = model.name
        self._table: NDArray[np.float16] = load_file(table)["embedding.weight"]
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self.dimension = int(self._table.shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            tokens = [t for t in self._tokenizer.encode(text, add_special_tokens=False).ids if t < len(self._table)]
            if tokens:
                mean = self._table[tokens].astype(np.float32).mean(axis=0)
                row[:] = mean / max(float(np.linalg.norm(mean)), 1e-9)
        return vectors


def _table_and_tokenizer(model: Model) -> tuple[str, str]:
    names = [file.name for file in model.files]
    return next(n for n in names if n.endswith(".safetensors")), next(n for n in names if n.endswith(".json"))
