"""StreamMeCo's time-decay retrieval: a share of the memories shown for each clip, by its mean cosine and its age.

The importance of a clip is its mean cosine times exp(-rate * age), its share of K is its part of the sum. Whole parts
are given first, then one each by largest remainder, over and over until K are given or every clip is empty. Clips
shown before are left out, even if only a part of them was shown. Without `before_clip` nothing has an age.

As published, negative means are counted like any others: they make the rest too generous, so that more than K memories
may come. Where no importance is left (sum not above 0), the K best memories are shown.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.retrieval.parity.candidates import Candidates
from robot_memory.memory.retrieval.parity.presets import PUBLISHED, Decay
from robot_memory.memory.vectors.index import Ids
from robot_memory.memory.vectors.ranking import best_rows

Floats = NDArray[np.float64]
Counts = NDArray[np.intp]
MOST_OWED = 1e12  # a bound that keeps sums within 64 bits; no real scores come near it


def search_tmr(
    among: Candidates, seen: Collection[int] = (), before_clip: int | None = None, rule: Decay = PUBLISHED
) -> dict[int, list[int]]:
    """What one round shows: clip -> memories, clips ascending, in each the best first."""
    return {
        clip: [int(memory) for memory in among.ids[rows]]
        for clip, rows in shown(among, seen, before_clip, rule).items()
    }


def shown(
    among: Candidates, seen: Collection[int] = (), before_clip: int | None = None, rule: Decay = PUBLISHED
) -> dict[int, NDArray[np.intp]]:
    """As `search_tmr`, by the rows of `among`."""
    numbers = among.numbers
    if before_clip is not None:
        numbers = numbers[: np.searchsorted(numbers, before_clip, side="right")]
    fresh = np.flatnonzero(~np.isin(numbers, list(seen)))
    if not len(fresh):
        return {}
    importance = _importance(among.means[fresh], numbers[fresh], before_clip, rule.rate)
    total = importance.sum()
    if total <= 0:
        return _best_of_all(among, fresh, rule.k)
    sizes, best = among.sizes[fresh], among.best[fresh].astype(np.float64)
    shares = _shares(importance, total, sizes, best, min(rule.k, int(sizes.sum())))
    return {int(numbers[fresh[n]]): _best_of(among, int(fresh[n]), int(shares[n])) for n in np.flatnonzero(shares > 0)}


def _importance(means: Floats, numbers: Ids, before_clip: int | None, rate: float) -> Floats:
    """[clips], 1 for the most important; all 0 where none is above 0."""
    importance = means
    if before_clip is not None:
        importance = means * np.exp(-rate * (before_clip - numbers))
    highest = importance.max()
    return importance / highest if highest > 0 else np.zeros(len(means))


def _shares(importance: Floats, total: float, sizes: Counts, best: Floats, k: int) -> Counts:
    """[clips] how many memories of each clip are shown; below 0 for a clip that owes some."""
    wanted = np.maximum(importance / total * k, -MOST_OWED)
    shares = np.minimum(sizes, np.trunc(wanted)).astype(np.intp)
    over = wanted - shares
    left = k - int(shares.sum())
    if left >= np.count_nonzero(shares < sizes):
        given = np.minimum(sizes - shares, _whole_rounds(left, sizes - shares))
        shares += given
        left -= int(given.sum())
    if left > 0:
        ready = np.flatnonzero(shares < sizes)  # more than are left, so most of them need no sorting
        ready = ready[over[ready] >= -np.partition(-over[ready], left - 1)[left - 1]]
        # of equals the more important one, then the one whose best memory is nearer
        order = np.lexsort((-best[ready], -importance[ready], -over[ready]))
        shares[ready[order[:left]]] += 1
    return shares


def _whole_rounds(left: int, room: Counts) -> int:
    """How many rounds `left` lasts for, found by halving: clips that owe many would take as many rounds."""
    low, high = 0, left
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if int(np.minimum(room, middle).sum()) <= left else (low, middle - 1)
    return low


def _best_of(among: Candidates, place: int, count: int) -> NDArray[np.intp]:
    """The rows of a clip's best memories, best first."""
    start, size = int(among.starts[place]), int(among.sizes[place])
    cosines = among.cosines[start : start + size]
    rows = np.argmax(cosines, keepdims=True) if count == 1 else np.argsort(-cosines, kind="stable")[:count]
    return rows + start


def _best_of_all(among: Candidates, fresh: Counts, k: int) -> dict[int, NDArray[np.intp]]:
    """The best of all fresh clips together."""
    is_fresh = np.zeros(len(among.starts), bool)
    is_fresh[fresh] = True
    rows = np.flatnonzero(np.repeat(is_fresh, among.sizes))
    rows = rows[best_rows(among.cosines[rows], k)]
    clips = among.clips[rows]
    return {int(clip): rows[clips == clip] for clip in np.unique(clips)}
