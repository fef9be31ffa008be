"""BM25 and a window: plain keyword search over the raw transcripts, the baseline that everything has to beat.

SQLite's FTS5 with Porter stems, one document a turn; the question's function words ("what", "did", "the") are not
searched for. The answer quotes the best turn and cites the turns around it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from robot_memory.evaluation.subjects.transcript import Line, Scores, Speakers, TranscriptSubject, with_names

_SMALL = "a an the of to in on at for with and or"
_ASKING = "what when where who whom whose which why how did does do is was are were has have had"
FUNCTION_WORDS = frozenset(f"{_SMALL} {_ASKING}".split())
HALF_SURE = 10.0  # the BM25 score that counts as a confidence of one half


class Keywords:
    """Texts, numbered as they come, and how well each fits a question (BM25: FTS5's k1 = 1.2, b = 0.75)."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
        self._count = 0

    def add(self, texts: list[str]) -> None:
        rows = list(enumerate(texts, start=self._count))
        self._db.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", rows)
        self._count += len(texts)

    def scores(self, question: str) -> Scores:
        """[texts] 0 where no word is shared."""
        scores = np.zeros(self._count)
        words = re.findall(r"\w+", question)
        if wanted := [word for word in words if word.lower() not in FUNCTION_WORDS] or words:
            match = " OR ".join(f'"{word}"' for word in wanted)
            for row, score in self._db.execute("SELECT rowid, bm25(texts) FROM texts WHERE texts MATCH ?", (match,)):
                scores[row] = -score  # FTS5's better is lower
        return scores

    def close(self) -> None:
        self._db.close()


class Bm25Subject(TranscriptSubject):
    def __init__(self, folder: Path | None = None, speakers: Speakers | None = None, least: float = 0.0) -> None:
        super().__init__("bm25", speakers, least)
        self._keywords = Keywords()

    @property
    def models(self) -> Mapping[str, str]:
        return {**super().models, "keywords": "BM25 (FTS5, Porter stems)"}

    def _added(self, lines: list[Line]) -> None:
        self._keywords.add([line.reads for line in lines])

    def _score(self, question: str) -> Scores:
        return self._keywords.scores(question)

    def confidence(self, question: str) -> float:
        best = float(self.scores(question).max(initial=0.0))
        return best / (best + HALF_SURE)

    def close(self) -> None:
        super().close()
        self._keywords.close()


named = with_names(Bm25Subject)
