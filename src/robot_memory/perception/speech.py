"""Finds where somebody speaks: Silero's voice activity network, and the turns made of its probabilities.

A turn starts when the probability passes the threshold, ends at a pause, and is split at its quietest point when it
grows past 15 s. Turns come out the same whether the audio is fed at once or in pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.perception.runtime import Session
from robot_memory.streams.media import SAMPLE_RATE

WINDOW = 512  # samples, 32 ms
MAX_TURN = round(15.0 * SAMPLE_RATE / WINDOW)  # windows
PAD = round(0.1 * SAMPLE_RATE / WINDOW)  # windows kept before and after speech, for soft onsets and endings
HYSTERESIS = 0.15  # speech goes on until the probability is this far below the threshold


class SpeechStream(Protocol):
    def probability(self, window: NDArray[np.float32]) -> float:
        """That the next WINDOW samples (-1..1) of the stream are speech, 0..1."""


class SpeechDetector(Protocol):
    def stream(self) -> SpeechStream:
        """A fresh stream: streams of one detector do not influence each other."""


class Silero:
    """Silero v6 at 16 kHz."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def stream(self) -> SileroStream:
        return SileroStream(self.session)


class SileroStream:
    """One pass over one piece of audio: the network's state and the 64 samples it wants to see again."""

    context = 64

    def __init__(self, session: Session) -> None:
        self._session = session
        self._state = np.zeros((2, 1, 128), np.float32)
        self._tail = np.zeros(self.context, np.float32)
        self._rate = np.array(SAMPLE_RATE, np.int64)

    def probability(self, window: NDArray[np.float32]) -> float:
        heard = np.concatenate([self._tail, window])[None]
        out = self._session.run({"input": heard, "state": self._state, "sr": self._rate})
        self._state, self._tail = out["stateN"], window[-self.context :]
        return float(out["output"][0, 0])


@dataclass(frozen=True, eq=False)
class Stretch:
    """One turn: sample numbers (half-open) since the detector began, and the int16 samples themselves."""

    start: int
    end: int
    samples: NDArray[np.int16]


class TurnDetector:
    """Feed it gapless audio; it gives each turn as soon as the turn is over."""

    def __init__(self, detector: SpeechDetector, settings: PerceptionSettings) -> None:
        self._stream = detector.stream()
        self._on = settings.speech_threshold
        self._off = max(settings.speech_threshold - HYSTERESIS, 0.01)
        self._pause = _windows(settings.turn_pause_s)
        self._shortest = _windows(settings.min_turn_s)
        self._rest = np.zeros(0, np.int16)  # samples short of a window
        self._windows: list[NDArray[np.int16]] = []  # from window number `_base` on
        self._base = self._count = self._free = 0  # first kept, next to come, first not in a finished turn
        self._first = self._last = -1  # windows of the open turn's speech; -1: no turn is open
        self._spoken = 0

    def feed(self, samples: NDArray[np.int16]) -> list[Stretch]:
        """The turns that ended within these samples."""
        self._rest = np.concatenate([self._rest, samples])
        whole = len(self._rest) // WINDOW
        turns = [t for i in range(whole) for t in self._step(self._rest[i * WINDOW : (i + 1) * WINDOW])]
        self._rest = self._rest[whole * WINDOW :]
        return turns

    def finish(self) -> list[Stretch]:
        """The turns still open at the end of the audio. The detector is then spent."""
        tail, turns = len(self._rest), []
        if tail:
            turns = self._step(np.pad(self._rest, (0, WINDOW - tail)))
        heard = self._count * WINDOW - (WINDOW - tail if tail else 0)
        turns += self._end()
        return [Stretch(t.start, min(t.end, heard), t.samples[: heard - t.start]) for t in turns]

    def _step(self, window: NDArray[np.int16]) -> list[Stretch]:
        probability = self._stream.probability(to_wave(window))
        self._windows.append(window)
        self._count += 1
        now = self._count - 1
        if self._first < 0 and probability >= self._on:
            self._first, self._spoken = now, 0
        if self._first < 0:
            self._forget(now - PAD)
        elif probability >= self._off:
            self._last, self._spoken = now, self._spoken + 1
        elif now - self._last >= self._pause:
            return self._end()
        return self._split() if self._first >= 0 and now - self._first >= MAX_TURN else []

    def _end(self) -> list[Stretch]:
        """Closes the open turn; nothing if too little of it was speech."""
        if self._first < 0:
            return []
        first, after, spoken = self._first - PAD, self._last + 1 + PAD, self._spoken
        self._first = -1
        return self._cut(max(first, self._free), min(after, self._count)) if spoken >= self._shortest else []

    def _split(self) -> list[Stretch]:
        """Cuts the open turn at the quietest point of its last two thirds; what follows stays open."""
        begin = self._first + MAX_TURN // 3
        at = begin + quietest(self._windows[begin - self._base : self._last + 1 - self._base])
        turn = self._cut(max(self._first - PAD, self._free), at)
        self._first, self._spoken = at, self._last + 1 - at
        return turn

    def _cut(self, first: int, after: int) -> list[Stretch]:
        samples = np.concatenate(self._windows[first - self._base : after - self._base])
        self._free = after
        self._forget(after)
        return [Stretch(first * WINDOW, after * WINDOW, samples)]

    def _forget(self, before: int) -> None:
        drop = max(before - self._base, 0)
        del self._windows[:drop]
        self._base += drop


def to_wave(samples: NDArray[np.int16]) -> NDArray[np.float32]:
    """The samples in -1..1."""
    return np.asarray(samples / np.float32(32768), np.float32)


def quietest(windows: list[NDArray[np.int16]]) -> int:
    """The index of the window amid the least energy, over three windows (0.1 s)."""
    energy = np.array([float(np.mean(w.astype(np.float64) ** 2)) for w in windows])
    padded = np.pad(energy, 1, mode="edge")
    return int(np.argmin(padded[:-2] + padded[1:-1] + padded[2:]))


def _windows(seconds: float) -> int:
    return max(1, round(seconds * SAMPLE_RATE / WINDOW))
