"""What is about nobody is kept for how well it covers what there is: farthest-point sampling, in windows.

EMsampling (StreamMeCo) clusters the memories of each clip and takes, in each cluster, what is nearest to its centre and
then what is farthest from all taken. The second half alone, over a window of some hundred, covers no worse, and takes a
millisecond where clustering takes seconds (parity/ has the paper's way).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WINDOW = 512


def taken_in_order(vectors: NDArray[np.float32]) -> NDArray[np.intp]:
    """The rows [n] of unit vectors [n, d] as farthest-point sampling takes them: the one nearest to the mean first,
    then always the one whose nearest taken one is farthest. Ties go to the first.
    """
    count = len(vectors)
    order = np.empty(count, np.intp)
    if not count:
        return order
    gram = vectors @ vectors.T
    best = int(np.argmax(vectors @ vectors.mean(0)))
    nearest = np.full(count, -np.inf, np.float32)  # cosine with the nearest taken one
    for n in range(count):
        order[n] = best
        nearest = np.maximum(nearest, gram[best])
        nearest[best] = np.inf
        best = int(np.argmin(nearest))
    return order


def coverage(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """How early each of the vectors [n, d] is taken, 1 down to 0 [n], in windows of WINDOW rows."""
    early = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), WINDOW):
        window = vectors[start : start + WINDOW]
        early[start + taken_in_order(window)] = np.linspace(1.0, 0.0, len(window), dtype=np.float32)
    return early
