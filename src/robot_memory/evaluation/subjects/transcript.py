"""What the plain baselines share: a list of everything heard, ranked anew for each question, the best line quoted.

They keep no people, no facts and no pictures. Who spoke is unknown to them, unless a trial's true speakers are handed
in, as in a written chat; such a baseline is named "…+names" in every table, because a robot has to find out itself.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.subject import Asked, Found, Key, Labels, Reply
from robot_memory.evaluation.trial import HEARD, Trial
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session

NEIGHBOUR_NS = 60 * SECOND  # lines further apart are of two conversations
Speakers = Callable[[Key, int], str]  # a clip and the number of a turn in it -> who spoke, empty if unknown
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """Something heard."""

    start_ns: int
    end_ns: int
    speaker: str
    text: str

    @property
    def reads(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


class TranscriptSubject(ABC):
    """A Subject that only searches what was said. `least`: it abstains where the best line is less sure."""

    def __init__(self, name: str, speakers: Speakers | None = None, least: float = 0.0) -> None:
        self._name = f"{name}+names" if speakers else name
        self._speakers, self._least = speakers, least
        self._lines: list[Line] = []
        self._ranked: tuple[str, int, Scores] = ("", 0, np.zeros(0))

    @abstractmethod
    def _added(self, lines: list[Line]) -> None:
        """Take in lines just heard; `self._lines` ends with them."""

    @abstractmethod
    def _score(self, question: str) -> Scores:
        """[lines] how well each line fits; what is 0 or less was not found."""

    @abstractmethod
    def confidence(self, question: str) -> float:
        """How well the best line fits, 0 to 1: grows with the fit, and is no probability."""

    @property
    def name(self) -> str:
        return self._name

    @property
    def models(self) -> Mapping[str, str]:
        named = "true speakers' names (from the trial)" if self._speakers else "none"
        return {"speakers": named, "answers": "the best line quoted"}

    def watch(self, observation: ClipObservation, session: Session) -> None:
        key = observation.session, observation.sequence
        lines = [
            Line(turn.start_ns, turn.end_ns, self._speakers(key, n) if self._speakers else "", turn.text)
            for n, turn in enumerate(observation.turns)
            if turn.text
        ]
        self._lines += lines
        if lines:
            self._added(lines)

    def ask(self, question: Asked) -> Reply:
        begun = time.perf_counter()
        best = self.recall(question, 1)
        sure = self.confidence(question.text) if best else 0.0
        if not best or sure < self._least:
            return Reply("I don't know.", "ABSTAINED", sure, (), time.perf_counter() - begun)
        return Reply(f"“{best[0].text}”", "ANSWERED", sure, self._window(best[0]), time.perf_counter() - begun)

    def recall(self, question: Asked, k: int) -> tuple[Found, ...]:
        scores = self.scores(question.text)
        order = np.argsort(-scores, kind="stable")[:k]
        return tuple(self._found(int(n), float(scores[n])) for n in order if scores[n] > 0)

    def scores(self, question: str) -> Scores:
        """[lines] of the last question are kept: it is asked, then looked into."""
        asked, count, scores = self._ranked
        if (asked, count) != (question, len(self._lines)):
            scores = self._score(question) if self._lines else np.zeros(0)
            self._ranked = question, len(self._lines), scores
        return scores

    def labels(self) -> Mapping[Key, Labels]:
        return {}

    def names(self) -> Mapping[str, str]:
        return {}

    def claims(self) -> None:
        return None

    def bytes_used(self) -> int:
        return sum(len(line.reads.encode()) for line in self._lines)

    def close(self) -> None:
        self._lines.clear()

    def _found(self, number: int, score: float) -> Found:
        line = self._lines[number]
        return Found(line.start_ns, line.end_ns, HEARD, line.reads, score)

    def _window(self, best: Found) -> tuple[Found, ...]:
        """The best line, then its neighbours: what a reader would be shown."""
        at = next(n for n, line in enumerate(self._lines) if (line.start_ns, line.reads) == (best.start_ns, best.text))
        near = [n for n in (at - 1, at + 1) if 0 <= n < len(self._lines) and neighbours(self._lines, n, at)]
        return best, *(self._found(n, best.score) for n in near)


def neighbours(lines: list[Line], one: int, other: int) -> bool:
    """Were two adjoining lines said in one conversation?"""
    first, second = sorted((one, other))
    return lines[second].start_ns - lines[first].end_ns <= NEIGHBOUR_NS


def true_speakers(trial: Trial) -> Speakers:
    """Who really spoke, by the trial."""
    known = {clip.key: clip.voices for clip in trial.clips()}

    def speaker(key: Key, turn: int) -> str:
        voices = known.get(key, ())
        return voices[turn] if turn < len(voices) else ""

    return speaker


T = TypeVar("T")


def with_names(make: Callable[..., T]) -> Callable[[Path, Trial], T]:
    """The same baseline, told who speaks."""

    def named(folder: Path, trial: Trial) -> T:
        return make(folder, speakers=true_speakers(trial))

    return named
