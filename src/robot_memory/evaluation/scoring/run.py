"""A trial is run with a memory under test: clips in order, each question at its time, and everything it says is kept.

Nothing is judged here. A memory that fails at a question or a clip loses that one alone; the run goes on. Where the
machine fails, the disk or a store on it, the run ends: figures would not be the memory's.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from robot_memory.errors import Cancelled, RobotMemoryError
from robot_memory.evaluation.scoring.identities import FACE, VOICE, Item, label_of
from robot_memory.evaluation.subject import Asked, Claim, Found, Key, Labels, Reply, Subject
from robot_memory.evaluation.trial import Clip, Question, Trial
from robot_memory.streams.media import SECOND

LOG = logging.getLogger("robot_memory.evaluation")
KS = (1, 5, 10, 20)
T = TypeVar("T")


class MachineFailed(RobotMemoryError):
    """The disk is full, or a file or a store cannot be read or written."""


@dataclass(frozen=True)
class Asking:
    """A question and what came of it. `reply` is None where the memory failed; `error` says how. `took_s` is timed
    here, whatever the memory says.
    """

    question: Question
    reply: Reply | None
    found: tuple[Found, ...]
    error: str = ""
    took_s: float = 0.0


@dataclass(frozen=True)
class Result:
    """All that a memory said and did in a trial, not judged. `items`, `called` and `claims` are as known at the end;
    `claims` is None for a memory that keeps none; `problems` lists what it failed at besides questions.
    """

    trial: str
    subject: str
    models: Mapping[str, str]
    askings: tuple[Asking, ...]
    items: tuple[Item, ...]
    called: Mapping[str, str]
    claims: tuple[Claim, ...] | None
    clips: int
    stream_s: float
    watch_s: float
    ask_s: float
    bytes_used: int
    problems: tuple[str, ...] = ()


def run(
    trial: Trial,
    subject: Subject,
    ks: Sequence[int] = KS,
    progress: Callable[[float], None] = lambda done: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Result:
    """Feed the whole trial; ask each question once all clips that ended by its time are in. `progress` gets the share
    done. Raises Cancelled or MachineFailed; the subject stays open.
    """
    going = _Run(trial, subject, max(ks), progress, cancelled)
    going.through()
    return going.result()


@dataclass(frozen=True)
class _Watched:
    """What the scorer keeps of a clip: a week of pictures and vectors would not fit in memory. Each list of (start,
    true name) is of one modality; empty where the truth is not known.
    """

    key: Key
    faces: tuple[tuple[int, str], ...]
    voices: tuple[tuple[int, str], ...]


@dataclass
class _Run:
    trial: Trial
    subject: Subject
    k: int
    progress: Callable[[float], None]
    cancelled: Callable[[], bool]
    askings: list[Asking] = field(default_factory=list)
    watched: list[_Watched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    stream_s: float = 0.0
    watch_s: float = 0.0
    ask_s: float = 0.0
    askers: dict[str, str] = field(default_factory=dict)  # true name -> label, as known since the last clip

    def through(self) -> None:
        waiting = sorted(self.trial.questions, key=lambda one: one.at_ns)
        for clip in self.trial.clips():
            while waiting and waiting[0].at_ns < clip.observation.end_ns:
                self._ask(waiting.pop(0))
            self._watch(clip)
            self._show(len(waiting), clip.observation.end_ns)
        for number, question in enumerate(waiting, start=1):
            self._ask(question)
            self._show(len(waiting) - number, self.trial.truth.end_ns)

    def result(self) -> Result:
        none: tuple[Claim, ...] | None = ()
        return Result(
            trial=self.trial.name,
            subject=self.subject.name,
            models={**{f"perceived: {r}": n for r, n in self.trial.models.items()}, **self.subject.models},
            askings=tuple(self.askings),
            items=tuple(self._items()),
            called=self._told("names", self.subject.names, {}),
            claims=self._told("claims", self.subject.claims, none),
            clips=len(self.watched),
            stream_s=self.stream_s,
            watch_s=self.watch_s,
            ask_s=self.ask_s,
            bytes_used=self._told("bytes_used", self.subject.bytes_used, 0),
            problems=tuple(self.problems),
        )

    def _watch(self, clip: Clip) -> None:
        begun = time.perf_counter()
        try:
            self.subject.watch(clip.observation, clip.session)
        except Exception as error:
            LOG.debug("%s failed at clip %s", self.subject.name, clip.key, exc_info=True)
            self.problems.append(_blamed(f"clip {clip.key[0]}/{clip.key[1]}", error))
        self.watch_s += time.perf_counter() - begun
        self.stream_s += (clip.observation.end_ns - clip.observation.start_ns) / SECOND
        self.watched.append(
            _Watched(
                clip.key,
                tuple((track.start_ns, who) for track, who in zip(clip.observation.tracks, clip.faces)),
                tuple((turn.start_ns, who) for turn, who in zip(clip.observation.turns, clip.voices)),
            )
        )
        self.askers.clear()

    def _ask(self, question: Question) -> None:
        if self.cancelled():
            raise Cancelled(f"{self.trial.name}: stopped; {len(self.askings)} questions were asked by then")
        asked = Asked(question.id, question.text, question.at_ns, self._asker(question.asker))
        begun = time.perf_counter()
        try:
            reply, error = _sound(self.subject.ask(asked)), ""
        except Exception as failure:
            LOG.debug("%s failed at question %s", self.subject.name, question.id, exc_info=True)
            _blamed(f"question {question.id}", failure)
            reply, error = None, _said(failure)
        took_s = time.perf_counter() - begun
        self.ask_s += took_s
        nothing: tuple[Found, ...] = ()
        found = self._told(f"recall of {question.id}", lambda: self.subject.recall(asked, self.k), nothing)
        self.askings.append(Asking(question, reply, tuple(found)[: self.k], error, took_s))

    def _asker(self, who: str) -> str:
        """The subject's own label of a true person; empty where it has none."""
        if who and who not in self.askers:
            self.askers[who] = label_of(self._items(), who)
        return self.askers.get(who, "")

    def _items(self) -> Iterator[Item]:
        """Every track and turn of which the truth is known, with its label as known now."""
        nothing: Mapping[Key, Labels] = {}
        labels = self._told("labels", self.subject.labels, nothing)
        for clip in self.watched:
            own = labels.get(clip.key, Labels((), ()))
            for modality, true, taken in ((FACE, clip.faces, own.faces), (VOICE, clip.voices, own.voices)):
                for n, (start_ns, who) in enumerate(true):
                    yield Item(start_ns, modality, who, taken[n] if n < len(taken) else None)

    def _told(self, what: str, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except Exception as error:
            LOG.debug("%s failed at %s", self.subject.name, what, exc_info=True)
            self.problems.append(_blamed(what, error))
            return otherwise

    def _show(self, waiting: int, at_ns: int) -> None:
        if self.cancelled():
            raise Cancelled(f"{self.trial.name}: stopped after {len(self.watched)} clips")
        truth, questions = self.trial.truth, len(self.trial.questions)
        seen = min(1.0, (at_ns - truth.start_ns) / max(truth.end_ns - truth.start_ns, 1))
        self.progress((seen + (1 - waiting / questions if questions else seen)) / 2)


def _sound(reply: Reply) -> Reply:
    if not 0.0 <= reply.confidence <= 1.0:
        raise ValueError(f"a confidence of {reply.confidence} is none: it goes from 0 to 1")
    return reply


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _blamed(at: str, error: Exception) -> str:
    """What the memory failed at, in words. Raises MachineFailed where it is not to blame, or wrapped what was not."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, (OSError, sqlite3.Error)) and not isinstance(cause, (TimeoutError, ConnectionError)):
            raise MachineFailed(f"{at}: {_said(error)} — is the disk full? Make room and measure again") from error
        cause = cause.__cause__
    return f"{at}: {_said(error)}"
