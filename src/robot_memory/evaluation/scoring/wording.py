"""Words as a judge compares them: without case, accents, articles and plurals, numbers as numerals.

Deliberately blunt: it must treat every memory alike and read no mind. What it does to an answer it does to the truth.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ARTICLES = frozenset({"a", "an", "the"})
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
SMALL = {word: n for n, word in enumerate(ONES.split())}
ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: 10 * n for n, word in enumerate(ROUND.split(), start=2)}
NEGATIONS = frozenset({"not", "never", "no", "nobody", "none", "neither", "nor", "without", "cannot"})
HARMLESS = frozenset({"only", "just", "doubt", "wonder"})  # "not only", "no doubt" deny nothing
DISLIKE = frozenset({"dislike", "hate", "avoid", "refuse", "detest", "loathe", "despise"})
LIKE = frozenset({"like", "love", "enjoy", "adore", "prefer", "fond", "keen"})
NEGATIVE = NEGATIONS | DISLIKE | {"except"}  # of questions
TURNS = frozenset({"but", "however", "although", "though", "while", "whereas"})  # what is denied before, is not after
SCOPE, NEAR = 6, 3  # words that a negation reaches, and a verb of liking
WORD = re.compile(r"\d+(?:[:.,]\d+)*|\w+|[^\w\s]")
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "’": "'", "ʼ": "'", "`": "'"})


@dataclass(frozen=True)
class Words:
    """A text as its words; `clauses` [words] numbers the clause each stands in."""

    words: tuple[str, ...]
    clauses: tuple[int, ...]

    def find(self, phrase: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where a phrase stands, from word to word (half-open); an empty phrase stands nowhere."""
        n = len(phrase)
        for start in range(len(self.words) - n + 1 if n else 0):
            if self.words[start : start + n] == tuple(phrase):
                yield start, start + n

    def denied(self, start: int) -> bool:
        """Is what stands at `start` said not to be so: "not tea", "rather than tea"?"""
        before = self._before(start)
        near = before[-NEAR:]
        instead = any(pair in (("rather", "than"), ("instead", "of")) for pair in zip(near, near[1:]))
        negated = any(word in NEGATIONS and then not in HARMLESS for word, then in zip(before, [*before[1:], ""]))
        return instead or negated != ("except" in before)  # "nobody except Ann" affirms

    def dislikes(self, start: int) -> bool:
        """Does a verb say so of it: "hates tea"?"""
        return not DISLIKE.isdisjoint(self._before(start)[-NEAR:])

    def likes(self, start: int) -> bool:
        return not LIKE.isdisjoint(self._before(start)[-NEAR:])

    def _before(self, start: int) -> list[str]:
        """The words of the same clause that may bear on what stands at `start`."""
        first = max(0, start - SCOPE)
        pairs = zip(self.words[first:start], self.clauses[first:start])
        return [word for word, clause in pairs if clause == self.clauses[start]]


def words_of(text: str, stemmed: bool = True) -> Words:
    """`stemmed` False leaves plurals alone: names have none."""
    words, clauses, clause = list[str](), list[int](), 0
    for token in WORD.findall(plain(text)):
        if not (token[0].isalnum() or token[0] == "_"):
            clause += 1
            continue
        clause += token in TURNS
        if token not in ARTICLES:
            words.append(token)
            clauses.append(clause)
    words, clauses = _numerals(words, clauses)
    return Words(tuple(stem(word) if stemmed else word for word in words), tuple(clauses))


def phrase(text: str, stemmed: bool = True) -> tuple[str, ...]:
    """A short text as its words."""
    return words_of(text, stemmed).words


def plain(text: str) -> str:
    """Lower case, no accents, contractions written out, hyphens as spaces, possessives dropped."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold().translate(LETTERS))
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = re.sub(r"\bno[ -]one\b", "nobody", text)
    text = re.sub(r"\bcan't\b", "can not", text)
    text = re.sub(r"\bwon't\b", "will not", text)
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"'s\b", "", text)
    return re.sub(r"(?<=\w)['_](?=\w)", "", re.sub(r"(?<=\w)-(?=\w)", " ", text))


def stem(word: str) -> str:
    """The singular of a regular plural; also "likes" to "like". Numerals and short words stay."""
    if len(word) < 4 or not word.isalpha() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ses", "xes", "zes", "ches", "shes")) else word[:-1]


def _numerals(words: list[str], clauses: list[int]) -> tuple[list[str], list[int]]:
    """Number words made numerals: "twenty one" to "21", "two hundred" to "200"; "1,000" to "1000"."""
    out, where, n = list[str](), list[int](), 0
    while n < len(words):
        value, taken = _number(words[n : n + 4])
        out.append(str(value) if taken else words[n].replace(",", "") if words[n][0].isdigit() else words[n])
        where.append(clauses[n])
        n += max(taken, 1)
    return out, where


def _number(words: list[str]) -> tuple[int, int]:
    """The number that words begin with, and how many words it took (0: none)."""
    value, taken = _below_hundred(words)
    if taken and words[taken : taken + 1] == ["hundred"]:
        rest, more = _below_hundred([word for word in words[taken + 1 :] if word != "and"])
        return 100 * value + rest, taken + 1 + more + (words[taken + 1 : taken + 2] == ["and"] and more > 0)
    return value, taken


def _below_hundred(words: list[str]) -> tuple[int, int]:
    if not words:
        return 0, 0
    if words[0] in TENS:
        unit = SMALL.get(words[1], 0) if len(words) > 1 else 0
        return (TENS[words[0]] + unit, 2) if 0 < unit < 10 else (TENS[words[0]], 1)
    return (SMALL[words[0]], 1) if words[0] in SMALL else (0, 0)
