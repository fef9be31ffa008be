"""What SQLite can still read of a damaged memory: each table from its first row on and, behind a break, from its last.

Nothing is written to the file. Where the file is whole and its write-ahead log is what makes it damaged (another file's
log), the log is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from robot_memory.memory.storage.checking import committed_behind_break
from robot_memory.memory.storage.files import LOG, beside
from robot_memory.memory.storage.tables import Table, Value

UNREADABLE = (sqlite3.Error, ValueError, OverflowError)
ARCHIVED = "memories INDEXED BY memories_archived WHERE archived = 1"  # those that the search index is not of


class Readable:
    """A damaged memory through SQLite's eyes; use it in a `with` statement. Where it cannot read, nothing comes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._incomplete: set[str] = set()
        self._log_is_broken = committed_behind_break(path)
        self._db = self._best()

    def __enter__(self) -> Readable:
        return self

    def __exit__(self, *_: object) -> None:
        if self._db is not None:
            self._db.close()

    def rows(self, table: Table) -> Iterator[tuple[Value, ...]]:
        """The rows SQLite reads; those behind a break, in which a page is lost, come from the other end."""
        if self._db is None:
            self._incomplete.add(table.name)
            return
        for way in ("ASC", "DESC"):
            order = ", ".join(f"{name} {way}" for name in table.key)
            try:
                found = self._db.execute(
                    f"SELECT {', '.join(table.names)} FROM {table.name} NOT INDEXED ORDER BY {order}"
                )
                for values in found:
                    yield tuple(map(_told, values, (column.type for column in table.columns)))
                return
            except UNREADABLE:
                self._incomplete.add(table.name)

    def complete(self, table: Table) -> bool:
        """Did `rows` give all that the file and its log hold of the table?"""
        return table.name not in self._incomplete and not self._log_is_broken

    def known(self, table: Table) -> int | None:
        """How many rows the table has had, by its indexes too: they are on other pages than the rows. None where
        nothing says so.
        """
        ways = [f"{table.name} NOT INDEXED", *(f"{table.name} INDEXED BY {index}" for index in table.indexes)]
        counts = [self._count(way) for way in ways]
        if table.name == "memories" and (searched := self._count("memories_fts_docsize")) is not None:
            counts.append(searched + (self._count(ARCHIVED) or 0))
        return max((number for number in counts if number is not None), default=None)

    def sequences(self) -> dict[str, int]:
        """The highest number each table has given out."""
        if self._db is None:
            return {}
        with suppress(*UNREADABLE):
            rows = self._db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
            return {name.decode(): seq for name, seq in rows if isinstance(name, bytes) and isinstance(seq, int)}
        return {}

    def _count(self, what: str) -> int | None:
        if self._db is None:
            return None
        try:
            return int(self._db.execute(f"SELECT count(*) FROM {what}").fetchone()[0])
        except UNREADABLE:
            return None

    def _best(self) -> sqlite3.Connection | None:
        """The file with its log, or without it where that is whole; None where not even its list of tables is."""
        log = beside(self._path, LOG)
        ways = ["mode=ro", "mode=ro&immutable=1"] if log.exists() and log.stat().st_size else ["mode=ro"]
        opened = [one for way in ways if (one := self._open(way)) is not None]
        whole = [one for one in opened if _whole(one)]
        best = next(iter(whole or opened), None)
        for other in opened:
            if other is not best:
                other.close()
        return best

    def _open(self, way: str) -> sqlite3.Connection | None:
        db = None
        try:
            db = sqlite3.connect(f"{self._path.absolute().as_uri()}?{way}", uri=True, isolation_level=None)
            db.text_factory = bytes
            db.execute("SELECT count(*) FROM memories").fetchone()
        except UNREADABLE:
            if db is not None and not _lists_tables(db):
                db.close()
                return None
        return db


def _lists_tables(db: sqlite3.Connection) -> bool:
    try:
        return bool(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    except UNREADABLE:
        return False


def _whole(db: sqlite3.Connection) -> bool:
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == b"ok")
    except UNREADABLE:
        return False


def _told(value: Value, type_: str) -> Value:
    """Text came as bytes: what can be read of a damaged one is kept."""
    return value.decode("utf-8", "replace") if type_ == "TEXT" and isinstance(value, bytes) else value
