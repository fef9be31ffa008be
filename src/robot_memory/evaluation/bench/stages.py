"""Where a search's time goes: a stand-in for the connection, the embedder or the index passes everything on and notes
how long it took.

SQL is noted under the module that asked for it, so the stages of retrieval are its modules, and a new one appears by
itself. What nobody noted is the rest: the ranking, in Python.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

EMBEDDING, VECTORS, REST = "embedding", "vectors", "rest (Python)"
Statement = Mapping[str, Any]  # ms, kind of question, stage, sql, plan


class Clock:
    """Seconds of this thread over some questions, by stage and by SQL statement, and what each was last given."""

    def __init__(self) -> None:
        self.questions = 0
        self.stages = defaultdict[str, float](float)
        self.statements = defaultdict[tuple[str, str], float](float)
        self.values = dict[str, Sequence[Any]]()

    @contextmanager
    def question(self) -> Iterator[None]:
        """One question is answered inside; what no stage has noted of it is the rest."""
        noted, begun = sum(self.stages.values()), time.thread_time()
        yield
        seconds = time.thread_time() - begun
        self.stages[REST] += seconds - (sum(self.stages.values()) - noted)
        self.questions += 1

    def slowest(self, db: sqlite3.Connection, kind: str, most: int) -> list[Statement]:
        """The statements that took longest, with how SQLite goes about them, a step a line."""
        return [
            {
                "ms": seconds / self.questions * 1e3,
                "kind": kind,
                "stage": stage,
                "sql": " ".join(sql.split()),
                "plan": [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", self.values[sql])],
            }
            for (stage, sql), seconds in sorted(self.statements.items(), key=lambda one: -one[1])[:most]
        ]


class Timed:
    """Any object whose methods are all of one stage."""

    def __init__(self, inner: object, stage: str, clock: Clock) -> None:
        self._inner, self._stage, self._clock = inner, stage, clock

    def __len__(self) -> int:
        return len(self._inner)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._timed(found) if callable(found) else found

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            begun = time.thread_time()
            try:
                return method(*args, **more)
            finally:
                self._clock.stages[self._stage] += time.thread_time() - begun

        return call


class TimedConnection:
    """A connection for reading; the rows of a statement are all fetched at once."""

    def __init__(self, db: sqlite3.Connection, clock: Clock) -> None:
        self._db, self._clock = db, clock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> _Rows:
        module = sys._getframe(1).f_globals["__name__"].rpartition(".")[2]
        stage = f"{module} (SQL)"
        begun = time.thread_time()
        rows = _Rows(self._db.execute(sql, values).fetchall())
        seconds = time.thread_time() - begun
        self._clock.stages[stage] += seconds
        self._clock.statements[stage, sql] += seconds
        self._clock.values[sql] = values
        return rows


class _Rows(list[Any]):
    """Looks like a cursor."""

    def fetchall(self) -> list[Any]:
        return self

    def fetchone(self) -> Any:
        return self[0] if self else None
