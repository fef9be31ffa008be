"""What retrieval needs of an index of unit vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Cosines = NDArray[np.float32]
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Scores:
    """The cosine of every memory in the index with one query; all [n], in order of id."""

    ids: Ids
    clips: Ids
    cosines: Cosines

    def of(self, ids: Ids) -> Scores:
        """Those of `ids`, which ascend, that were scored."""
        at = np.searchsorted(self.ids, ids)
        there = at < len(self.ids)
        there[there] = self.ids[at[there]] == ids[there]
        at = at[there]
        return Scores(self.ids[at], self.clips[at], self.cosines[at])


class VectorIndex(Protocol):
    """Memories' vectors by id, compared by cosine. One thread changes it, any number may search meanwhile: each search
    sees the index of one moment.
    """

    @property
    def dimension(self) -> int: ...

    def __len__(self) -> int: ...

    def add(self, ids: Ids, vectors: NDArray[np.float32], clips: Ids) -> None:
        """Append vectors [n, d] and the clips [n] that they are of; ids [n] ascend over the life of the index."""

    def remove(self, ids: Ids) -> None:
        """Take these out; ids that are not there are no matter."""

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, Cosines]:
        """The `k` nearest of all, or of `among`: ids and cosines, best first; ties in order of id."""

    def cosines(self, query: Vector, ids: Ids) -> Cosines:
        """The cosines [n] of these, in their order; 0 where an id has no vector here."""

    def scores(self, query: Vector) -> Scores:
        """The cosines of all."""
