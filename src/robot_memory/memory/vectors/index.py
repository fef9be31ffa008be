"""What retrieval needs of an index of unit vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Ids = NDArray[np.int64]


class VectorIndex(Protocol):
    """Memories' vectors by id, searched by cosine."""

    def __len__(self) -> int: ...

    def add(self, ids: Ids, vectors: NDArray[np.float32]) -> None: ...

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, NDArray[np.float32]]: ...
