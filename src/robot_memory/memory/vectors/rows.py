"""The vectors of one moment, in blocks that never change: what a search holds while others add and remove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Cosines, Ids, Vector

Block = NDArray[np.float32]
GATHERED = 256  # chosen rows copied together at a time: they stay in the cache until they are multiplied


@dataclass(frozen=True)
class Rows:
    """Rows in order of id: `ids` and `clips` [n], the vectors in `blocks` of [m, d] that begin at rows `starts`, which
    ends with n.
    """

    ids: Ids
    clips: Ids
    blocks: tuple[Block, ...]
    starts: Ids

    def __len__(self) -> int:
        return len(self.ids)

    def cosines(self, query: Vector) -> Cosines:
        """Of every row [n]."""
        query, found = _plain(query), np.empty(len(self), np.float32)
        for block, start in zip(self.blocks, self.starts[:-1].tolist(), strict=True):
            _multiply(block, query, found[start : start + len(block)])
        return found

    def cosines_of(self, query: Vector, rows: Ids) -> Cosines:
        """Of these rows, which ascend [m]. The same to the last bit as those of `cosines`."""
        if 2 * len(rows) > len(self):  # copying half of the rows takes as long as multiplying all of them
            return self.cosines(query)[rows]
        query, found = _plain(query), np.empty(len(rows), np.float32)
        for block, first, last, start in self._split(rows):
            for begin in range(first, last, GATHERED):
                end = min(begin + GATHERED, last)
                _multiply(block[rows[begin:end] - start], query, found[begin:end])
        return found

    def find(self, ids: Ids) -> tuple[Ids, NDArray[np.bool_]]:
        """The row of each id, and whether it is there; the row of one that is not is any."""
        rows = np.searchsorted(self.ids, ids)
        rows[rows == len(self)] = 0
        return rows, (self.ids[rows] == ids) if len(self) else np.zeros(len(ids), np.bool_)

    def vectors(self, first: int, count: int) -> Block:
        """Up to `count` consecutive vectors from row `first` on: fewer at the end of a block, none at the end."""
        if first >= len(self):
            return np.empty((0, 0), np.float32)
        number = int(np.searchsorted(self.starts, first, "right")) - 1
        at = first - int(self.starts[number])
        return self.blocks[number][at : at + count]

    def _split(self, rows: Ids) -> Iterator[tuple[Block, int, int, int]]:
        """The blocks that the rows lie in, each with the range of `rows` in it and its own first row."""
        edges = np.searchsorted(rows, self.starts).tolist()
        for block, start, first, last in zip(self.blocks, self.starts.tolist(), edges, edges[1:]):
            if first < last:
                yield block, first, last, start


def of(ids: Ids, clips: Ids, blocks: Sequence[Block]) -> Rows:
    """Rows whose blocks lie one after the other."""
    starts = np.cumsum([0, *(len(block) for block in blocks)], dtype=np.int64)
    return Rows(ids, clips, tuple(blocks), starts)


def _plain(query: Vector) -> Vector:
    return np.ascontiguousarray(query, np.float32)


def _multiply(block: Block, query: Vector, found: Cosines) -> None:
    """The block times the query, as one dot product a row.

    Measured: as fast as memory can be read, where BLAS's product of matrix and vector takes twice as long on 100 MB and
    stalls by the tens of milliseconds when its threads are not pinned to one. BLAS does not thread a dot product of
    less than 10,000 numbers, so nothing needs pinning; and a row has the same cosine in any block, so ties are ties.
    """
    np.matmul(block[:, None, :], query[:, None], out=found[:, None, None])
