"""What is archived, searched on demand: neither the index nor the search table holds it, so its rows are read.

One search reads each row at most twice, for its words and for its vector: the time grows with the archive, and that has
a budget. Words match as they do at hand, because the same FTS5 splits and stems them, into a table that lives in memory
as long as this search.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from robot_memory.memory.vectors.index import Ids, Scores, Vector
from robot_memory.memory.vectors.packing import unpack_rows

BLOCK = 1024  # vectors at a time: few enough to stay in the cache until they are compared
WORDS = "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='porter unicode61')"  # as storage/schema.py
# in order of id, or SQLite would jump from page to page, and FTS5 begin anew with every row that is out of order
ROWS = "FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND archived = 1 {more} ORDER BY id"
TEXTS = "SELECT id, text " + ROWS.format(more="")
VECTORS = "SELECT id, embedding " + ROWS.format(more="AND length(embedding) = ? AND (? = '' OR model = ?)")


class Archive:
    """The archive in one reader's view of the store; use it in a `with` statement. `model`: whose vectors are compared;
    empty: all of that length.
    """

    def __init__(self, db: sqlite3.Connection, model: str = "") -> None:
        self._db, self._model = db, model

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        if "_words" in vars(self):
            self._words.close()

    def matches(self, expression: str) -> dict[int, float]:
        """Memory -> its BM25 within the archive, greater is better: all that match an FTS5 expression."""
        return dict(self._words.execute("SELECT rowid, -rank FROM words WHERE words MATCH ?", (expression,)).fetchall())

    def by_words(self, words: Iterable[str]) -> dict[int, float]:
        """Memory -> its BM25, of all that hold any of these words, best first. How rare a word is, is reckoned over the
        archive and what is at hand together: an archive may be small, and its scores stand beside those of the rest.
        """
        scores = defaultdict[int, float](float)
        (at_hand,) = self._db.execute("SELECT count(*) FROM memories_fts_docsize").fetchone()
        count = len(self._ids)
        for word in words:
            found = self.matches(f'"{word}"')
            named = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"
            (more,) = self._db.execute(named, (f'"{word}"',)).fetchone()
            share = _rarity(count + at_hand, len(found) + more) / _rarity(count, len(found))
            for memory, score in found.items():
                scores[memory] += share * score
        return dict(sorted(scores.items(), key=lambda one: (-one[1], one[0])))

    def scores(self, query: Vector, among: Ids | None = None) -> Scores:
        """The cosines of all that is archived, or of what is of these ids; clips are not told."""
        ids = self._ids if among is None else np.intersect1d(self._ids, among)
        size = len(query)
        found, cosines = [np.empty(0, np.int64)], [np.empty(0, np.float32)]
        for start in range(0, len(ids), BLOCK):
            block = str(ids[start : start + BLOCK].tolist())  # is JSON, too
            if rows := self._db.execute(VECTORS, (block, 2 * size, self._model, self._model)).fetchall():
                some, vectors = zip(*rows, strict=True)
                found.append(np.array(some, np.int64))
                cosines.append(unpack_rows(vectors, size) @ query)
        scored = np.concatenate(found)
        return Scores(scored, np.zeros_like(scored), np.concatenate(cosines))

    @cached_property
    def _ids(self) -> Ids:
        """All that is archived, ascending."""
        rows = self._db.execute("SELECT id FROM memories WHERE archived = 1")
        return np.sort(np.fromiter((row[0] for row in rows), np.int64))

    @cached_property
    def _words(self) -> sqlite3.Connection:
        words = sqlite3.connect(":memory:")
        words.execute(WORDS)
        rows = self._db.execute(TEXTS, (str(self._ids.tolist()),))
        words.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", map(tuple, rows))
        return words


def _rarity(rows: int, matching: int) -> float:
    """What FTS5's bm25() weighs a word by that so many of the rows hold."""
    weight = math.log((rows - matching + 0.5) / (matching + 0.5))
    return weight if weight > 0 else 1e-6
