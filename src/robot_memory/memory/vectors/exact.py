"""Exact nearest-neighbour search over unit vectors: every vector is scored, or every one of those asked for.

The vectors are float32 in blocks that are appended in place. Neither growing nor removing copies more than one block
at a time, and a search keeps the blocks it began with, without a lock. Measured: float16 would halve the memory, but to
make float32 of it, block by block, alone takes twice as long as the whole scan (ten times and more with numpy's own
conversion); so it is how the store keeps vectors, not how they are scored.
The index is made of the store when that opens, so it can never be lost or stale (the store is the truth).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors import rows as rows_of
from robot_memory.memory.vectors.index import Cosines, Ids, Scores, Vector
from robot_memory.memory.vectors.ranking import best_rows
from robot_memory.memory.vectors.rows import Block, Rows

BLOCK_BYTES = 4 << 20  # what the removal of one vector copies
HUGE_PAGE = 2 << 20


class ExactIndex:
    """Every vector is scored. Safe for threads that change it, one at a time, and any number of searchers."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._block = max(1, BLOCK_BYTES // (4 * dimension))  # rows
        self._changing = threading.Lock()
        self._ids: Ids = np.empty(1024, np.int64)
        self._clips: Ids = np.empty(1024, np.int64)
        self._room: Block = np.empty((0, dimension), np.float32)  # the last block, and rows that no reader sees yet
        self.rows: Rows = rows_of.of(self._ids[:0], self._clips[:0], ())

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors: what one search reads."""
        return 4 * self.dimension * len(self)

    def add(self, ids: Ids, vectors: NDArray[np.float32], clips: Ids) -> None:
        """Append `vectors` [n, d]; ids [n] ascend over the life of the index. Raises ValueError where they do not."""
        ids = np.asarray(ids, np.int64)
        vectors = np.asarray(vectors, np.float32).reshape(len(ids), self.dimension)
        with self._changing:
            known = self.rows.ids[-1:]
            if (np.diff(np.concatenate([known, ids])) <= 0).any():
                raise ValueError(f"memories {ids[:5]}… do not come after {known}: make the index anew")
            blocks = self._with(vectors)
            self.rows = rows_of.of(*self._named(ids, clips), blocks)

    def remove(self, ids: Ids) -> None:
        """Take these out; ids that are not there are no matter. Their memory is freed, not wiped, when no search that
        began before is under way.
        """
        with self._changing:
            rows, there = self.rows.find(np.asarray(ids, np.int64))
            if not there.any():
                return
            stays = np.ones(len(self), np.bool_)
            stays[rows[there]] = False
            blocks = self._without(stays)
            self._ids, self._clips = self.rows.ids[stays], self.rows.clips[stays]
            if blocks and len(blocks[-1]) < self._block:
                blocks[-1] = self._together(blocks[-1:])  # in the room that goes on being filled
            else:
                self._room = np.empty((0, self.dimension), np.float32)  # it may be of a block that is gone
            self.rows = rows_of.of(self._ids, self._clips, blocks)

    def search(self, query: Vector, k: int, among: Ids | None = None) -> tuple[Ids, Cosines]:
        """The `k` nearest of all, or of `among`: ids and cosines, best first; ties in order of id."""
        rows = self.rows
        if among is None:
            chosen, cosines = rows.ids, rows.cosines(query)
        else:
            at, there = rows.find(_ascending(among))
            at = at[there]
            chosen, cosines = rows.ids[at], rows.cosines_of(query, at)
        best = best_rows(cosines, k)
        return chosen[best], cosines[best]

    def cosines(self, query: Vector, ids: Ids) -> Cosines:
        """The cosines [n] of these, in their order; 0 where an id has no vector here."""
        rows, found = self.rows, np.zeros(len(ids), np.float32)
        at, there = rows.find(np.asarray(ids, np.int64))
        order = np.flatnonzero(there)
        order = order[np.argsort(at[order], kind="stable")]
        found[order] = rows.cosines_of(query, at[order])
        return found

    def scores(self, query: Vector) -> Scores:
        """The cosines of all."""
        rows = self.rows
        return Scores(rows.ids, rows.clips, rows.cosines(query))

    def _with(self, vectors: NDArray[np.float32]) -> list[Block]:
        """The blocks with these appended, in rows that no reader sees yet."""
        blocks = list(self.rows.blocks)
        filled = len(blocks[-1]) if blocks and len(blocks[-1]) < self._block else 0
        if filled:
            blocks.pop()
        for start in range(-filled, len(vectors), self._block):
            if not filled:
                self._room = self._new_room()
            part = vectors[max(start, 0) : start + self._block]
            self._room[filled : filled + len(part)] = part
            blocks.append(self._room[: filled + len(part)])
            filled = 0
        return blocks

    def _without(self, stays: NDArray[np.bool_]) -> list[Block]:
        """The blocks without the rows that go. One that loses none is kept as it is; what is left of others is put
        together while it fits into a block.
        """
        blocks, pending, touched = list[Block](), list[Block](), False
        for block, start in zip(self.rows.blocks, self.rows.starts.tolist()):
            mine = stays[start : start + len(block)]
            rest = block if mine.all() else block[mine]
            loses = len(rest) < len(block)
            if not (touched or loses) or sum(map(len, pending)) + len(rest) > self._block:
                blocks += [self._together(pending)] if touched and pending else pending
                pending, touched = [], False
            pending += [rest] if len(rest) else []
            touched = touched or loses
        return blocks + ([self._together(pending)] if touched and pending else pending)

    def _together(self, parts: Sequence[Block]) -> Block:
        self._room, filled = self._new_room(), 0
        for part in parts:
            self._room[filled : filled + len(part)] = part
            filled += len(part)
        return self._room[:filled]

    def _named(self, ids: Ids, clips: Ids) -> tuple[Ids, Ids]:
        count = len(self.rows)
        need = count + len(ids)
        if need > len(self._ids):
            self._ids, self._clips = (
                np.concatenate([column[:count], np.empty(max(need, 2 * count) - count, np.int64)])
                for column in (self._ids, self._clips)
            )
        self._ids[count:need], self._clips[count:need] = ids, clips
        return self._ids[:need], self._clips[:need]

    def _new_room(self) -> Block:
        """Rows for a block; those that are not written take no memory yet. They begin where a huge page does: numpy
        asks for those, and without them a scan of 100 MB took half as long again.
        """
        size = 4 * self._block * self.dimension
        room = np.empty(size + HUGE_PAGE, np.uint8)
        start = -room.ctypes.data % HUGE_PAGE
        return room[start : start + size].view(np.float32).reshape(self._block, self.dimension)


def _ascending(ids: Ids) -> Ids:
    """Each once, in order: what comes from the store mostly is, and telling that is a hundred times faster."""
    ids = np.asarray(ids, np.int64)
    return ids if (ids[1:] > ids[:-1]).all() else np.unique(ids)
