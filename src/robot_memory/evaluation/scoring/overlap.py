"""How many words an answer shares with the published one: the F1 by which LoCoMo scores (Maharana et al. 2024, §4).

Words are compared as Porter stems, without case, punctuation and articles; each word counts as often as it stands.
A listed answer (LoCoMo's "multi-hop") is taken apart at its commas: each of its parts counts with the part of ours that
fits it best, and their mean is the score. Of an answer with an explanation behind a semicolon ("general") only the
answer counts. Who is silent where nobody can know scores 1; silence, in words too, scores 0 everywhere else.
"""

from __future__ import annotations

import re
import sqlite3
import string
from collections import Counter
from functools import lru_cache

from robot_memory.evaluation.scoring.judge import ABSTAINED, RIGHT, WRONG, Verdict
from robot_memory.evaluation.subject import Reply
from robot_memory.evaluation.trial import Question

LISTED, EXPLAINED = "multi-hop", "general"  # types of question, as public/locomo.py names LoCoMo's categories
IGNORED = frozenset({"a", "an", "the", "and"})
PUNCTUATION = str.maketrans("", "", string.punctuation + "“”‘’…")  # the curly ones are ours: we quote with them


def f1(question: Question, reply: Reply | None, verdict: Verdict) -> float:
    """0 to 1. `verdict` says whether the reply claims anything."""
    if not question.answerable:
        return float(verdict.kind == ABSTAINED)
    if reply is None or verdict.kind not in (RIGHT, WRONG):
        return 0.0
    return overlap(reply.text, question.expected.values[0], question.type)


def overlap(answer: str, gold: str, of_type: str = "") -> float:
    """The F1 of an answer to a question of a type, 0 to 1."""
    if of_type == EXPLAINED:
        gold = gold.split(";")[0]
    if of_type != LISTED:
        return _shared(_stems(answer), _stems(gold))
    parts = [_stems(part) for part in answer.split(",")]
    best = [max(_shared(part, _stems(wanted)) for part in parts) for wanted in gold.split(",")]
    return sum(best) / len(best)


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """The harmonic mean of precision and recall, words counted as often as they stand."""
    both = (one & other).total()
    return 2 * both / (one.total() + other.total()) if both else 0.0


def _stems(text: str) -> Counter[str]:
    words = text.lower().translate(PUNCTUATION).split()
    return Counter(_stem(word) for word in words if word not in IGNORED)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """The Porter stem (1980) of a word of letters and digits; of any other, the word itself."""
    if not re.fullmatch(r"[^\W_]+", word):
        return word
    stemmer = _stemmer()
    with stemmer:
        stemmer.execute("DELETE FROM texts")
        stemmer.execute("INSERT INTO texts VALUES (?)", (word,))
        found = stemmer.execute("SELECT term FROM terms").fetchone()
    return str(found[0]) if found else word


@lru_cache(maxsize=1)
def _stemmer() -> sqlite3.Connection:
    """SQLite's full-text search has Porter's rules, and shows what they make of a word."""
    stemmer = sqlite3.connect(":memory:", check_same_thread=False)
    stemmer.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
    stemmer.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, row)")
    return stemmer
