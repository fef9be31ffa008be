"""Working memory: what was seen and heard in clips that are not yet committed, searchable at once, provisional.

Perception reports faces and turns as they happen; when their clip is committed, what the store now knows better is
dropped.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, replace

from robot_memory.streams.sessions import root_of

CAPACITY = 2000
END_OF_TIME = 2**63 - 1


@dataclass(frozen=True)
class Glimpse:
    """Something not yet committed: a face in view (`text` empty) or words just said. Who it was is not known yet."""

    session: str
    start_ns: int
    end_ns: int
    track: int | None = None
    text: str = ""


class WorkingMemory:
    """The latest glimpses, safe to use from several threads; the oldest go when there are too many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faces: dict[tuple[str, int], Glimpse] = {}
        self._turns: deque[Glimpse] = deque(maxlen=CAPACITY)
        self._committed: dict[str, int] = {}  # session -> until when memory knows better

    def see(self, session: str, stamp_ns: int, first_seen_ns: int, track: int) -> None:
        """A live track was in view at `stamp_ns`."""
        with self._lock:
            start_ns = max(first_seen_ns, self._committed.get(session, first_seen_ns))
            if stamp_ns < start_ns:
                return
            known = self._faces.get((session, track)) or Glimpse(session, start_ns, stamp_ns, track)
            self._faces[session, track] = replace(known, end_ns=max(known.end_ns, stamp_ns))
            while len(self._faces) > CAPACITY:
                del self._faces[next(iter(self._faces))]

    def hear(self, session: str, start_ns: int, end_ns: int, text: str) -> None:
        """A turn has ended."""
        with self._lock:
            if end_ns > self._committed.get(session, end_ns - 1):
                self._turns.append(Glimpse(session, start_ns, end_ns, text=text))

    def committed(self, session: str, until_ns: int) -> None:
        """Memory now holds everything of `session` before `until_ns`: forget the provisional version."""
        with self._lock:
            until_ns = self._committed[session] = max(until_ns, self._committed.get(session, until_ns))
            self._turns = deque(
                (t for t in self._turns if t.session != session or t.end_ns > until_ns), maxlen=CAPACITY
            )
            for key, face in list(self._faces.items()):
                if key[0] == session and face.end_ns < until_ns:
                    del self._faces[key]
                elif key[0] == session and face.start_ns < until_ns:
                    self._faces[key] = replace(face, start_ns=until_ns)

    def ended(self, session: str) -> None:
        """Nothing more of `session`, or of the parts that clock jumps split off it, will be committed."""
        with self._lock:
            known = {session, *(key[0] for key in self._faces), *(turn.session for turn in self._turns)}
        for part in known:
            if root_of(part) == session:
                self.committed(part, END_OF_TIME)

    def faces(self) -> list[Glimpse]:
        with self._lock:
            return sorted(self._faces.values(), key=lambda g: (g.start_ns, g.end_ns))

    def turns(self) -> list[Glimpse]:
        with self._lock:
            return sorted(self._turns, key=lambda g: (g.start_ns, g.end_ns))
