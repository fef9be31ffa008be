"""The keyword channel: BM25 over stemmed words (FTS5, Porter; Robertson & Zaragoza 2009).

What is asked for is words and never syntax, whatever was typed or misheard. Function words are left out, unless there
is nothing else: they match every row, cost the most and say the least.
"""

from __future__ import annotations

import re
import sqlite3
from itertools import islice

from robot_memory.language.function_words import FUNCTION_WORDS
from robot_memory.memory.retrieval.filters import Filter

WORD = re.compile(r"\w+")
PLAIN = "SELECT rowid, -rank FROM memories_fts WHERE memories_fts MATCH ?"
JOINED = "SELECT id, -rank FROM memories_fts JOIN memories ON id = memories_fts.rowid WHERE memories_fts MATCH ?"
WIDE = 4  # times as many are looked at as are wanted, before every match is asked whether it passes
SPEECH = frozenset(("say", "says", "said", "tell", "tells", "told", "talk", "talked"))  # one stands in every line heard


def by_keyword(db: sqlite3.Connection, text: str, passing: Filter, most: int) -> dict[int, float]:
    """Memory -> its BM25, greater is better, of the best `most` that pass and hold any of the words."""
    expression = as_match(text)
    if not expression:
        return {}
    wide = dict(db.execute(f"{PLAIN} ORDER BY rank, rowid LIMIT ?", (expression, WIDE * most)).fetchall())
    fitting = passing.passing(db, wide)
    if len(fitting) >= most or len(wide) < WIDE * most:
        return dict(islice(((one, score) for one, score in wide.items() if one in fitting), most))
    rows = db.execute(f"{JOINED} AND {passing.sql} ORDER BY rank, id LIMIT ?", (expression, *passing.values, most))
    return dict(rows.fetchall())


def as_match(text: str) -> str:
    """The text as an FTS5 expression that any of its words satisfies; empty where it has none."""
    words = list(dict.fromkeys(word.casefold() for word in WORD.findall(text)))
    telling = [word for word in words if word not in FUNCTION_WORDS and word not in SPEECH]
    return " OR ".join(f'"{word}"' for word in telling or words)
