"""Which views of a face or voice to keep: a core, and variety inside it.

The medoid is the view most like all others. What is far from it is dropped, whether it came last or first: one wrong
view that slipped in is thrown out as soon as right ones outnumber it. Of the core those that differ most are kept
(farthest-point sampling, Gonzalez 1985), but few of one day, so that one long afternoon cannot fill the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

MAX_SNAPSHOTS = 20
MAX_PER_DAY = 3
SAME_VIEW = 0.97  # a view this close to one already kept adds nothing
MAJORITY = 3  # of two views alone nobody can say which one is wrong


def choose(vectors: NDArray[np.float32], days: Sequence[Hashable], known: int, floor: float) -> list[int]:
    """Which of the unit vectors [n, d] to keep, ascending. The first `known` were kept before, the others are new, best
    first; `days` [n] says on which day of which session each was seen; `floor` is the least cosine to the medoid.
    """
    distinct = _distinct(vectors, known)
    if len(distinct) == known:
        return distinct  # nothing new: what was chosen before stands
    cosines = (vectors[distinct] @ vectors[distinct].T).round(6)
    medoid, core = _core(cosines, floor)
    varied = _varied(cosines, medoid, core, [days[n] for n in distinct])
    return sorted(distinct[n] for n in varied)


def typical(vectors: NDArray[np.float32], floor: float) -> list[int]:
    """Those of the unit vectors [n, d] of one appearance that are not far from its medoid, ascending: where two people
    were taken for one for a moment, the one who was seen more.
    """
    return _core((vectors @ vectors.T).round(6), floor)[1]


def _core(cosines: NDArray[np.float32], floor: float) -> tuple[int, list[int]]:
    """The medoid, and all that are near it."""
    medoid = int(np.argmax(cosines.mean(axis=1).round(6)))
    return medoid, [n for n in range(len(cosines)) if len(cosines) < MAJORITY or cosines[medoid, n] >= floor]


def _distinct(vectors: NDArray[np.float32], known: int) -> list[int]:
    """The known ones and those new ones that show something new."""
    kept = list(range(known))
    for n in range(known, len(vectors)):
        if not kept or float(np.max(vectors[kept] @ vectors[n])) < SAME_VIEW:
            kept.append(n)
    return kept


def _varied(cosines: NDArray[np.float32], medoid: int, core: list[int], days: Sequence[Hashable]) -> list[int]:
    """The medoid, then again and again the one least like those chosen; of equals the one that came first."""
    chosen = [medoid]
    seen = Counter([days[medoid]])
    nearest = cosines[medoid].copy()
    while len(chosen) < MAX_SNAPSHOTS:
        left = [n for n in core if n not in chosen and seen[days[n]] < MAX_PER_DAY]
        if not left:
            break
        chosen.append(min(left, key=lambda n: (nearest[n], n)))
        seen[days[chosen[-1]]] += 1
        nearest = np.maximum(nearest, cosines[chosen[-1]])
    return chosen
