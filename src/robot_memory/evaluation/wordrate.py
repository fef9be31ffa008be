"""Word error rate: the least edits from what was said to what was heard, by the words that were said.

Normalisation (NORMALISED says it for reports): lower case, no punctuation, hyphens are spaces, apostrophes vanish,
mr, mrs, dr and numerals up to twelve spelt out. Larger numerals and spelling variants count as errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NORMALISED = "lower case, no punctuation, hyphens as spaces, no apostrophes, mr/mrs/dr and numerals to 12 spelt out"
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SPELT = {"mr": "mister", "mrs": "missus", "dr": "doctor"} | {str(n): word for n, word in enumerate(NUMBERS)}


@dataclass(frozen=True)
class WordErrors:
    """Counts over all utterances."""

    words: int
    substituted: int
    left_out: int
    added: int

    @property
    def errors(self) -> int:
        return self.substituted + self.left_out + self.added

    @property
    def rate(self) -> float:
        return self.errors / max(1, self.words)


def normalised(text: str) -> list[str]:
    plain = re.sub(r"['’]", "", unicodedata.normalize("NFKC", text).lower())
    return [SPELT.get(word, word) for word in re.findall(r"[^\W_]+", plain)]


def word_errors(pairs: Iterable[tuple[str, str]]) -> WordErrors:
    """`pairs` of what was said and what was heard."""
    words = substituted = left_out = added = 0
    for said, heard in pairs:
        truth = normalised(said)
        edits = edited(truth, normalised(heard))
        words += len(truth)
        substituted, left_out, added = substituted + edits[0], left_out + edits[1], added + edits[2]
    return WordErrors(words, substituted, left_out, added)


def edited(said: Sequence[str], heard: Sequence[str]) -> tuple[int, int, int]:
    """(substituted, left out, added) of a shortest way from one to the other (Levenshtein 1966)."""
    row = [(n, 0, 0, n) for n in range(len(heard) + 1)]  # (edits, substituted, left out, added)
    for word in said:
        before, row = row, [(row[0][0] + 1, 0, row[0][2] + 1, 0)]
        for n, other in enumerate(heard, start=1):
            edits, swaps, gone, more = before[n - 1]
            wrong = int(word != other)
            changed = (edits + wrong, swaps + wrong, gone, more)
            edits, swaps, gone, more = before[n]
            dropped = (edits + 1, swaps, gone + 1, more)
            edits, swaps, gone, more = row[n - 1]
            row.append(min(changed, dropped, (edits + 1, swaps, gone, more + 1), key=lambda way: way[0]))
    return row[-1][1:]
