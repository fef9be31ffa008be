"""What the watcher tells the outside, and through which calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from robot_memory.perception.live import HeardTurn
from robot_memory.perception.tracking import LiveTrack
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.recorder import Progress

WORDS = {
    "late": "that came too late",
    "stray": "with a stray stamp",
    "duplicate": "that came twice",
    "unreadable": "that could not be read",
    "no room": "for which there was no room",
}


@dataclass(frozen=True)
class Reports:
    """Where the watcher's news goes; called from its threads, so they must only enqueue or publish."""

    faces: Callable[[str, int, tuple[LiveTrack, ...]], None]
    turn: Callable[[str, HeardTurn], None]
    clip: Callable[[ClipObservation, Path], None]
    progress: Callable[[WatcherProgress], None]


@dataclass(frozen=True)
class WatcherProgress:
    """How far the recorder is, in which opening (`run`) of the session; what became of its clips (`lost`: there was no
    disk to spool them); and whether the last one is closed.
    """

    recorder: Progress
    run: str
    lost: int
    closed: bool
    problems: dict[str, int] = field(default_factory=dict)

    def trouble(self) -> dict[str, int]:
        """What could not be used and why, in words, with how many messages it cost."""
        words = {
            f"{stream} messages {WORDS.get(reason, reason)}": count
            for stream, reasons in self.recorder.left_out.items()
            for reason, count in reasons.items()
        }
        return words | self.problems
