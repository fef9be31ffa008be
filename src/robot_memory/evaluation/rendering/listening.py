"""Does the product hear what was said? Word error rate of a rendered bag, by person and in all.

The bag's sound goes through the product's own ears (speech detector, transcriber); a turn belongs to the line that it
overlaps most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation import truth
from robot_memory.evaluation.rendering import watching
from robot_memory.evaluation.truth import Said
from robot_memory.perception.senses import open_senses
from robot_memory.streams.observation import SpeechTurn

SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {str(number): word for number, word in enumerate(SMALL)}


@dataclass(frozen=True)
class Heard:
    """A line and what was made of it; `errors` of `words` words were wrong, missing or too many."""

    line: Said
    text: str

    @property
    def words(self) -> int:
        return len(spoken(self.line.text))

    @property
    def errors(self) -> int:
        return distance(spoken(self.line.text), spoken(self.text))


def listen(bag: Path, progress: Callable[[float], None] = lambda done: None) -> tuple[Heard, ...]:
    """What is heard of each line of a bag with its truth. Raises BagUnreadable, TruthUnreadable, ModelMissing."""
    known, sound = truth.read(watching.truth_beside(bag)), watching.read(bag).sound
    ears = open_senses(PerceptionSettings()).ears
    turns: list[SpeechTurn] = []
    for number, span in enumerate(sound, start=1):
        turns += ears.listen((span,))
        progress(number / len(sound))
    return matched(known.lines, turns)


def matched(lines: Sequence[Said], turns: Sequence[SpeechTurn]) -> tuple[Heard, ...]:
    """Each line with the text of its turns, in order of time. A turn far from every line is nobody's."""
    texts: list[list[str]] = [[] for _ in lines]
    for turn in turns:
        overlaps = [min(turn.end_ns, line.end_ns) - max(turn.start_ns, line.start_ns) for line in lines]
        if overlaps and max(overlaps) > 0:
            texts[overlaps.index(max(overlaps))].append(turn.text)
    known = zip(lines, texts, strict=True)
    return tuple(Heard(line, " ".join(text)) for line, text in known if line.text)  # a reader's words may be unknown


def word_error_rate(heard: Sequence[Heard]) -> float:
    """Errors per word; 0 for no words."""
    return sum(one.errors for one in heard) / max(1, sum(one.words for one in heard))


def spoken(text: str) -> list[str]:
    """The words as they sound: small letters, no punctuation, small numbers written out."""
    return [NUMBERS.get(word, word) for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower().replace("’", "'"))]


def distance(right: Sequence[str], heard: Sequence[str]) -> int:
    """Fewest words to change, drop or add (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(right, start=1):
        corner, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (word != other))
    return row[-1]
