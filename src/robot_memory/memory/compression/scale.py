"""Weighs memories of a store by what is known now, and writes down what each is worth (memories.keep)."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.compression.coverage import WINDOW, coverage
from robot_memory.memory.compression.nodes import Nodes, read_nodes
from robot_memory.memory.compression.protection import protected
from robot_memory.memory.compression.repetition import repeated
from robot_memory.memory.compression.running import Running
from robot_memory.memory.compression.weighing import parts
from robot_memory.memory.compression.worth import PROTECTED, Switches, keeps
from robot_memory.memory.vectors.packing import unpack_rows

FOREIGN = 0.5  # how far apart what another model embedded is taken to be: nobody knows
NO_MATTER = 0.005  # half a percent of its value: not worth writing a page for


@dataclass(frozen=True)
class Scale:
    """`model` embeds; `seen` is the sum of all its vectors; `now_lived` in days."""

    db: sqlite3.Connection
    model: str
    seen: Running
    now_lived: float
    half_life_days: float
    switches: Switches

    def weigh(self, memories: Collection[int]) -> None:
        """Those that have no score yet. What is about nobody waits for a window as well."""
        if not memories:
            return
        nodes = self._read(memories)
        self._write(nodes, self._scores(nodes, np.full(len(nodes), np.nan, np.float32)))
        alone = nodes.ids[nodes.isolated].tolist()
        self.db.executemany("INSERT OR IGNORE INTO windows VALUES (?)", [(memory,) for memory in alone])

    def weigh_window(self) -> None:
        """Where a window of what is about nobody is full, its memories are weighed against each other."""
        rows = self.db.execute("SELECT memory FROM windows ORDER BY memory LIMIT ?", (WINDOW,))
        waiting = [row["memory"] for row in rows]
        if len(waiting) < WINDOW:
            return
        nodes = self._read(waiting)
        self._write(nodes, self._scores(nodes, coverage(nodes.vectors)))
        self.db.executemany("DELETE FROM windows WHERE memory = ?", [(memory,) for memory in waiting])

    def weigh_again(self, before: Mapping[int, float]) -> tuple[Nodes, NDArray[np.float64]]:
        """Those that have a score, which has no protection in it; with their new scores [n]. What a window has weighed,
        or has no vector to compare, keeps its own, unless it is protected now.
        """
        nodes = self._read(before)
        scores = self._scores(nodes, np.full(len(nodes), np.nan, np.float32))
        old = np.array([before[memory] for memory in nodes.ids.tolist()])
        settled = nodes.foreign | (nodes.isolated & ~self._waiting(nodes))
        scores = np.where(settled & (scores < PROTECTED / 2), old, scores)
        changed = np.abs(scores - old) > NO_MATTER
        self._write(nodes, scores, changed)
        return nodes, scores

    def _read(self, memories: Collection[int]) -> Nodes:
        return read_nodes(self.db, memories, (self.model, len(self.seen.total)))

    def _scores(self, nodes: Nodes, covered: NDArray[np.float32]) -> NDArray[np.float64]:
        nobody = np.zeros(len(nodes), np.bool_)  # of a few a day none is one until others are to go (floor.py)
        held = protected(nodes, self.now_lived, nobody) if self.switches.protection else nobody
        covered = np.where(nodes.foreign, np.float32(FOREIGN), covered)
        return keeps(parts(nodes, self.seen, self._repeats(nodes), covered, held), self.half_life_days, self.switches)

    def _write(self, nodes: Nodes, scores: NDArray[np.float64], which: NDArray[np.bool_] | None = None) -> None:
        rows = np.ones(len(nodes), np.bool_) if which is None else which
        self.db.executemany(
            "UPDATE memories SET keep = ? WHERE id = ?",
            zip(scores[rows].tolist(), nodes.ids[rows].tolist(), strict=True),
        )

    def _waiting(self, nodes: Nodes) -> NDArray[np.bool_]:
        """Which of the nodes [n] wait for a window."""
        waiting = np.array([row["memory"] for row in self.db.execute("SELECT memory FROM windows")], np.int64)
        found: NDArray[np.bool_] = np.isin(nodes.ids, waiting)
        return found

    def _repeats(self, nodes: Nodes) -> NDArray[np.float32]:
        """How much of each node [n] an earlier memory says: of those that were found similar when it was inserted."""
        cosines = np.full(len(nodes), -1.0, np.float32)
        at = {memory: row for row, memory in enumerate(nodes.ids.tolist())}
        for memory, vectors in self._similar(nodes.ids.tolist()).items():
            row = at[memory]
            cosines[row] = float((vectors @ nodes.vectors[row]).max())
        return repeated(cosines)

    def _similar(self, memories: Collection[int]) -> dict[int, NDArray[np.float32]]:
        """The vectors [m, d] of the memories, not archived, that each of these was found to resemble."""
        marks = ", ".join("?" * len(memories))
        rows = self.db.execute(
            "SELECT relations.memory, embedding FROM relations JOIN memories ON memories.id = other "
            f"WHERE relations.kind = 'similar' AND relations.memory IN ({marks}) AND archived = 0 AND model = ?",
            (*memories, self.model),
        ).fetchall()
        found: dict[int, list[bytes]] = {}
        for row in rows:
            found.setdefault(row["memory"], []).append(row["embedding"])
        return {memory: unpack_rows(blobs, len(self.seen.total)) for memory, blobs in found.items()}
