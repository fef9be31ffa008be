"""How much of a memory an earlier one says already, by vectors; and whether it says the very same, by words.

Vectors only nominate (a sentence and its denial are 0.88 alike): what collapses into another has the same people, and
nothing stands against it that insertion/vetoes.py knows of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.insertion.vetoes import veto

ALIKE, SAME = 0.85, 1.0  # cosines: from which on a memory repeats another a little, and altogether
COLLAPSES = 0.92
WINDOW = 256  # rows that are compared with each other where all of a store is


def repeated(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """0..1 [n] by each memory's cosine with the nearest earlier one about the same people."""
    share: NDArray[np.float32] = np.clip((cosines - ALIKE) / (SAME - ALIKE), 0.0, 1.0).astype(np.float32)
    return share


def nearest_earlier(vectors: NDArray[np.float32], groups: NDArray[np.int64]) -> NDArray[np.float32]:
    """The cosine [n] of each vector [n, d] with the nearest earlier one of its group [n] in its window; -1 for none.

    Windows run over the rows of a group one after the other, so each is compared with those just before it.
    """
    found = np.full(len(vectors), -1.0, np.float32)
    order = np.argsort(groups, kind="stable")
    for start in range(0, len(order), WINDOW):
        rows = order[start : start + WINDOW]
        block = vectors[rows]
        cosines = block @ block.T
        earlier = (groups[rows][:, None] == groups[rows][None, :]) & np.tri(len(rows), k=-1, dtype=np.bool_)
        found[rows] = np.where(earlier, cosines, -1.0).max(1)
    return found


def says_the_same(one: str, other: str, cosine: float) -> bool:
    """May two memories about the same people be counted as one sentence?"""
    return cosine >= COLLAPSES and veto(one, other) is None
