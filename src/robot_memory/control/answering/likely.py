"""Which attribute a line states, by likeness of meaning to lines that state it (statements.yaml): a last resort for
wordings that no grammar knows.

Kernel ridge regression on the embeddings of the table's lines, one output an attribute (Saunders et al. 1998); how sure
its best output is, is told by what it says of each line when it has not seen it, for which no second training is
needed (the leave-one-out residuals of Allen 1974), put on a scale of odds (Platt 1999). The lines' vectors are kept in
the user's cache; a cache that is missing or broken is made again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from robot_memory.language.embedder import TextEmbedder
from robot_memory.models.places import weights_folder

Vectors = NDArray[np.float32]
NOTHING = "none"  # the table's name for lines that state no attribute
WIDTH, PENALTY = 1.0, 0.1  # chosen by ten-fold cross-validation of the table: 85 % right, nearest neighbours 75 %
STEPS = 50  # of Newton's method, which needs about ten
_MAKING = threading.Lock()
_MADE: dict[tuple[str, int], Likeness] = {}


@dataclass(frozen=True)
class Stated:
    """`attribute`: likeliest of all for a line, "none" for none of them; `p`: how likely it is that it is right."""

    attribute: str
    p: float


class Likeness:
    """Lines of every attribute, in one embedder's space."""

    def __init__(self, vectors: Vectors, labels: Sequence[str]) -> None:
        """`vectors` [n, d], unit norm, of lines that state `labels` [n]."""
        self.attributes = tuple(dict.fromkeys(labels))
        self._vectors = vectors
        wanted = np.array([[float(label == one) for one in self.attributes] for label in labels])
        inverse = np.linalg.inv(_kernel(vectors, vectors) + PENALTY * np.eye(len(vectors)))
        self._weights = inverse @ wanted
        unseen = wanted - self._weights / np.diag(inverse)[:, None]
        right = unseen.argmax(axis=1) == wanted.argmax(axis=1)
        self._slope, self._bias = _odds(_lead(unseen), right)
        self.right = float(right.mean())

    def of(self, vectors: Vectors) -> list[Stated]:
        """What each of these vectors [n, d] states."""
        if not len(vectors):
            return []
        outputs = self._outputs(vectors)
        sure = 1 / (1 + np.exp(-(self._slope * _lead(outputs) + self._bias)))
        return [Stated(self.attributes[best], float(p)) for best, p in zip(outputs.argmax(axis=1), sure)]

    def output(self, vectors: Vectors, attribute: str) -> NDArray[np.float64]:
        """How much these vectors [n, d] look like lines that state it, on a scale of its own."""
        column: NDArray[np.float64] = self._outputs(vectors)[:, self.attributes.index(attribute)]
        return column

    def _outputs(self, vectors: Vectors) -> NDArray[np.float64]:
        outputs: NDArray[np.float64] = _kernel(vectors, self._vectors) @ self._weights
        return outputs


def likeness(embedder: TextEmbedder) -> Likeness:
    """The table in this embedder's space: made when it is first asked for (seconds, where no cache has it), once."""
    key = embedder.name, embedder.dimension
    with _MAKING:
        if key not in _MADE:
            lines, labels = _lines()
            _MADE[key] = Likeness(_embedded(lines, embedder), labels)
        return _MADE[key]


def cache_file(embedder: TextEmbedder) -> Path:
    """Where the vectors of the table's lines are kept for an embedder."""
    table = hashlib.sha256("\n".join(_lines()[0]).encode()).hexdigest()[:16]
    name = re.sub(r"[^\w.-]", "_", embedder.name)
    return weights_folder().parent / "statements" / f"{name}-{embedder.dimension}-{table}.npy"


def _kernel(some: Vectors, others: Vectors) -> NDArray[np.float64]:
    likeness: NDArray[np.float64] = np.exp(WIDTH * ((some @ others.T).astype(np.float64) - 1))
    return likeness


def _lead(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the best output is above the next, of each row."""
    ordered = np.sort(outputs, axis=1)
    lead: NDArray[np.float64] = ordered[:, -1] - ordered[:, -2]
    return lead


def _odds(lead: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and bias of the log-odds that a lead is right, by Newton's method."""
    given, theta = np.stack([lead, np.ones_like(lead)], axis=1), np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-given @ theta))
        curved = given.T @ (given * (p * (1 - p))[:, None]) + 1e-6 * np.eye(2)
        theta = theta + np.linalg.solve(curved, given.T @ (right - p))
    return float(theta[0]), float(theta[1])


@cache
def _lines() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of the table, and what each states."""
    loaded: dict[str, str] = yaml.safe_load(files(__package__).joinpath("statements.yaml").read_text("utf-8"))
    rows = [(line.strip(), label) for label, block in loaded.items() for line in block.splitlines() if line.strip()]
    return tuple(line for line, _ in rows), tuple(label for _, label in rows)


def _embedded(lines: Sequence[str], embedder: TextEmbedder) -> Vectors:
    kept = cache_file(embedder)
    with suppress(OSError, ValueError, EOFError):
        vectors = np.load(kept, allow_pickle=False)
        if vectors.shape == (len(lines), embedder.dimension) and np.isfinite(vectors).all():
            return np.asarray(vectors, np.float32)
    vectors = embedder.embed(lines)
    with suppress(OSError):  # a disk that is full or read-only costs the next start some seconds, no answer
        _keep(vectors, kept)
    return vectors


def _keep(vectors: Vectors, kept: Path) -> None:
    """Written whole or not at all: another process may read it."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=kept.parent, suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            np.save(file, vectors.astype(np.float16))
        os.replace(name, kept)
    except OSError:
        os.unlink(name)
        raise
