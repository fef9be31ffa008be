"""What a published search chooses from: scored memories in order of clip, so that a clip is one stretch of rows.

Everything about a clip (best, mean, size) is then one pass over the rows; no loop runs over memories.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Cosines, Ids, Scores


@dataclass(frozen=True)
class Candidates:
    """Memories `ids` [n] of `clips` [n] and how near each is to the question; by clip, in a clip as they came."""

    ids: Ids
    clips: Ids
    cosines: Cosines

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """[clips] the first row of each clip."""
        if not len(self.clips):
            return np.zeros(0, np.intp)
        borders = np.flatnonzero(self.clips[1:] != self.clips[:-1])
        return np.concatenate(([0], borders + 1))

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """[clips] how many memories each clip has."""
        return np.diff(self.starts, append=len(self))

    @cached_property
    def numbers(self) -> Ids:
        """[clips] ascending."""
        return self.clips[self.starts]

    @cached_property
    def best(self) -> Cosines:
        """[clips] the highest cosine of each clip."""
        return np.maximum.reduceat(self.cosines, self.starts) if len(self) else self.cosines

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """[clips] the mean cosine of each clip."""
        if not len(self):
            return np.zeros(0)
        sums: NDArray[np.float64] = np.add.reduceat(self.cosines, self.starts, dtype=np.float64)
        return sums / self.sizes

    def before(self, clip: int | None) -> Candidates:
        """Those of clips up to and including this one; None: all."""
        if clip is None:
            return self
        end = int(np.searchsorted(self.clips, clip, side="right"))
        return Candidates(self.ids[:end], self.clips[:end], self.cosines[:end])

    def among(self, memories: Collection[int] | Ids | None) -> Candidates:
        """Those of these memories; None: all. Nobody's memories are nothing, not everything."""
        if memories is None:
            return self
        return self.rows(np.flatnonzero(np.isin(self.ids, np.fromiter(memories, np.int64, len(memories)))))

    def rows(self, rows: NDArray[np.intp]) -> Candidates:
        """Those of these rows, which ascend."""
        return Candidates(self.ids[rows], self.clips[rows], self.cosines[rows])


def candidates(variants: Sequence[Scores]) -> Candidates:
    """Every memory that was scored, with its best score over the variants of a question.

    The variants are scores of the same rows. Raises ValueError where they are not, or where there is none.
    """
    if not variants:
        raise ValueError("a search without a question: give the scores of at least one wording")
    first = variants[0]
    if any(not np.array_equal(other.ids, first.ids) for other in variants[1:]):
        raise ValueError("the wordings of a question were scored on different memories: score them on one state")
    cosines = first.cosines
    for other in variants[1:]:
        cosines = np.maximum(cosines, other.cosines)
    return by_clip(first.ids, first.clips, cosines)


def by_clip(ids: Ids, clips: Ids, cosines: Cosines) -> Candidates:
    """Rows in order of clip; in a clip they keep their order. Memories come with their clips, so mostly they lie so."""
    if (clips[1:] < clips[:-1]).any():
        order = np.argsort(clips, kind="stable")
        ids, clips, cosines = ids[order], clips[order], cosines[order]
    return Candidates(ids, clips, cosines)
