"""Does the product hear what was said? Word error rate of a rendered bag, by person and in all.

The bag's sound goes through the product's own ears (speech detector, transcriber); a turn belongs to the line that it
overlaps most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation import truth
from robot_memory.evaluation.rendering import watching
from robot_memory.evaluation.truth import Said
from robot_memory.evaluation.wordrate import WordErrors, word_errors
from robot_memory.perception.senses import open_senses
from robot_memory.streams.observation import SpeechTurn


@dataclass(frozen=True)
class Heard:
    """A line and what was made of it."""

    line: Said
    text: str

    @property
    def errors(self) -> WordErrors:
        return errors_in((self,))


def errors_in(heard: Iterable[Heard]) -> WordErrors:
    return word_errors((one.line.text, one.text) for one in heard)


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
