"""Which run of the clock does a stamp belong to? One guard a stream.

A real robot's stamps come late, twice, from another year, or all start anew after a clock correction. One stray stamp
is a fault of one message; two that agree are the clock. So a leap is believed only when the next message confirms it,
or when it lands where another stream of the same source already is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from robot_memory.config import StreamSettings
from robot_memory.streams.media import SECOND

T = TypeVar("T")


@dataclass(frozen=True)
class Stamped(Generic[T]):
    """A message in its place: `part` numbers the runs of the clock."""

    part: int
    stamp_ns: int
    item: T


@dataclass
class Clock:
    """What the streams of one source share: one clock stamps them all."""

    guards: list[StampGuard[Any]] = field(default_factory=list)
    last_part: int = 0

    def started(self) -> bool:
        return any(guard.newest_ns is not None for guard in self.guards)

    def newest_ns(self) -> int:
        return max(guard.newest_ns for guard in self.guards if guard.newest_ns is not None)


class StampGuard(Generic[T]):
    """Sorts one stream's messages into parts of the session; holds back at most one doubtful message."""

    def __init__(self, settings: StreamSettings, dropped: Counter[str], clock: Clock | None = None) -> None:
        self._back_ns = int(settings.reorder_s * SECOND)
        self._live_ns = int(settings.lateness_s * SECOND)
        self._agree_ns = int(settings.stray_s * SECOND)
        self._dropped = dropped
        self._clock = clock or Clock()
        self._clock.guards.append(self)
        self._held: tuple[int, T] | None = None
        self.newest_ns: int | None = None
        self._before_ns: int | None = None  # the newest before a leap that nothing has confirmed yet
        self.part = 0

    def take(self, stamp_ns: int, item: T) -> list[Stamped[T]]:
        """The messages that can be placed now, in order. A doubtful one waits for its successor."""
        if self._near(stamp_ns, self.newest_ns) or not self._clock.started():
            return self._believe(stamp_ns, item)
        if self._near(stamp_ns, self._before_ns):  # so the leap was the stray
            self.newest_ns = self._before_ns
            return self._believe(stamp_ns, item)
        if (part := self._where_others_are(stamp_ns)) is not None:
            self.part, self.newest_ns = part, stamp_ns
            return self._believe(stamp_ns, item)
        if self._held is not None and -self._back_ns <= stamp_ns - self._held[0] <= self._agree_ns:
            return self._confirm(self._held, stamp_ns, item)
        self.drop_held()
        self._held = (stamp_ns, item)
        return []

    @property
    def holding(self) -> int:
        """How many messages wait to be confirmed: 0 or 1."""
        return int(self._held is not None)

    def settle(self) -> list[Stamped[T]]:
        """Nothing will come for a while: a stream's first message, and one after a plausible gap, is believed as it
        stands.
        """
        if self._held is None or not (self.newest_ns is None or 0 < self._held[0] - self.newest_ns <= self._agree_ns):
            return []
        held, self._held = self._held, None
        if self.newest_ns is None:
            self.part = self._clock.last_part
        return [self._place(*held)]

    def drop_held(self) -> None:
        """Nothing confirmed the doubtful message: it was a stray."""
        if self._held is not None:
            self._dropped["stray"] += 1
            self._held = None

    def _near(self, stamp_ns: int, newest_ns: int | None) -> bool:
        return newest_ns is not None and -self._back_ns <= stamp_ns - newest_ns <= self._live_ns

    def _where_others_are(self, stamp_ns: int) -> int | None:
        """The part in which another stream is at this time, unless the message is merely late in its own."""
        parts = [
            guard.part
            for guard in self._clock.guards
            if guard is not self and guard.newest_ns is not None and abs(stamp_ns - guard.newest_ns) <= self._live_ns
        ]
        forward = self.newest_ns is None or stamp_ns > self.newest_ns
        return max((part for part in parts if forward or part > self.part), default=None)

    def _believe(self, stamp_ns: int, item: T) -> list[Stamped[T]]:
        placed = [self._place(stamp_ns, item)]
        if self._held is not None and self._near(self._held[0], self.newest_ns):
            held, self._held = self._held, None
            placed.append(self._place(*held))
        self.drop_held()
        return placed

    def _confirm(self, held: tuple[int, T], stamp_ns: int, item: T) -> list[Stamped[T]]:
        self._held = None
        if held[0] < (self._clock.newest_ns() if self.newest_ns is None else self.newest_ns):
            self._clock.last_part += 1
            self.part = self._clock.last_part
        elif self.newest_ns is None:
            self.part = self._clock.last_part
        self.newest_ns = held[0]
        return [self._place(*held), self._place(stamp_ns, item)]

    def _place(self, stamp_ns: int, item: T) -> Stamped[T]:
        newest_ns = stamp_ns if self.newest_ns is None else self.newest_ns
        self._before_ns = newest_ns if stamp_ns - newest_ns > self._back_ns else None
        self.newest_ns = max(newest_ns, stamp_ns)
        return Stamped(self.part, stamp_ns, item)
