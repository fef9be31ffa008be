"""The keyword channel: BM25 over stemmed words (FTS5, Porter; Robertson & Zaragoza 2009).

What is asked for is words and never syntax, whatever was typed or misheard. Function words are left out, unless there
is nothing else: they match every row, cost the most and say the least.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Set
from itertools import islice

import numpy as np

from robot_memory.language.function_words import FUNCTION_WORDS
from robot_memory.memory.retrieval.archived import Archive
from robot_memory.memory.retrieval.filters import LARGEST, WORD, Passing

RANKED = (
    "SELECT rowid, -rank FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank, rowid"
)
WIDE = 4  # times as many are looked at as are wanted, before every match is asked whether it passes
SPEECH = frozenset(("say", "says", "said", "tell", "tells", "told", "talk", "talked"))  # one stands in every line heard


def by_keyword(
    db: sqlite3.Connection, text: str, passing: Passing, most: int, archive: Archive | None = None
) -> dict[int, float]:
    """Memory -> its BM25, greater is better, of the best `most` that pass and hold any of the words; if given, of the
    archive as well.
    """
    expression = as_match(text)
    ids = passing.ids
    if not expression or (ids is not None and not len(ids)):
        return {}
    found = _at_hand(db, expression, passing, most)
    if archive is None:
        return found
    found |= _passing(archive.by_words(_telling(text)), passing, most)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:most])


def _at_hand(db: sqlite3.Connection, expression: str, passing: Passing, most: int) -> dict[int, float]:
    ids = passing.ids
    span = (0, LARGEST) if ids is None else (int(ids[0]), int(ids[-1]))  # ids ascend with time, and so do most filters
    best = dict(db.execute(f"{RANKED} LIMIT ?", (expression, *span, WIDE * most)).fetchall())
    fitting = passing.of(best)
    if len(fitting) < most and len(best) == WIDE * most:  # what passes may lie further down
        return _passing(dict(db.execute(RANKED, (expression, *span)).fetchall()), passing, most)
    return _first(best, fitting, most)


def _passing(scores: Mapping[int, float], passing: Passing, most: int) -> dict[int, float]:
    """The best that pass, of many."""
    if passing.ids is not None:
        some = np.intersect1d(np.fromiter(scores, np.int64), passing.ids, assume_unique=True)
        scores = {one: scores[one] for one in sorted(some.tolist(), key=lambda one: (-scores[one], one))}
    return _first(scores, passing.of(scores), most)


def _first(scores: Mapping[int, float], fitting: Set[int], most: int) -> dict[int, float]:
    return dict(islice(((one, score) for one, score in scores.items() if one in fitting), most))


def as_match(text: str) -> str:
    """The text as an FTS5 expression that any of its words satisfies; empty where it has none."""
    return " OR ".join(f'"{word}"' for word in _telling(text))


def _telling(text: str) -> list[str]:
    """The words to look for, each once."""
    words = list(dict.fromkeys(word.casefold() for word in WORD.findall(text)))
    telling = [word for word in words if word not in FUNCTION_WORDS and word not in SPEECH]
    return telling or words
