"""Which run of the clock does a stamp belong to? One guard a stream.

A real robot's stamps come late, twice, from another year, or all start anew after a clock correction. One stray stamp
is a fault of one message; two that agree are the clock. So a leap is believed only when the next message confirms it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Generic, TypeVar

from robot_memory.config import StreamSettings
from robot_memory.streams.media import SECOND

T = TypeVar("T")


@dataclass(frozen=True)
class Stamped(Generic[T]):
    """A message in its place: `part` counts the clock's jumps back so far."""

    part: int
    stamp_ns: int
    item: T


class StampGuard(Generic[T]):
    """Sorts one stream's messages into parts of the session; holds back at most one doubtful message."""

    def __init__(self, settings: StreamSettings, dropped: Counter[str]) -> None:
        self._back_ns = int(settings.reorder_s * SECOND)
        self._ahead_ns = int(settings.stray_s * SECOND)
        self._dropped = dropped
        self._held: tuple[int, T] | None = None
        self._newest_ns: int | None = None
        self.part = 0

    def take(self, stamp_ns: int, item: T) -> list[Stamped[T]]:
        """The messages that can be placed now, in order. A doubtful one waits for its successor."""
        if self._newest_ns is None or self._continues(stamp_ns, self._newest_ns):
            self.drop_held()
            return [self._place(stamp_ns, item)]
        if self._held is None or not self._continues(stamp_ns, self._held[0]):
            self.drop_held()
            self._held = (stamp_ns, item)
            return []
        held, self._held = self._held, None
        if held[0] < self._newest_ns:
            self.part += 1
        self._newest_ns = held[0]
        return [self._place(*held), self._place(stamp_ns, item)]

    @property
    def holding(self) -> int:
        """How many messages wait to be confirmed: 0 or 1."""
        return int(self._held is not None)

    def drop_held(self) -> None:
        """Nothing confirmed the doubtful message: it was a stray."""
        if self._held is not None:
            self._dropped["stray"] += 1
            self._held = None

    def _continues(self, stamp_ns: int, newest_ns: int) -> bool:
        return -self._back_ns <= stamp_ns - newest_ns <= self._ahead_ns

    def _place(self, stamp_ns: int, item: T) -> Stamped[T]:
        self._newest_ns = stamp_ns if self._newest_ns is None else max(self._newest_ns, stamp_ns)
        return Stamped(self.part, stamp_ns, item)
