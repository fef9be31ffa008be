"""Is this file a memory, which format has it, and is it whole?

`judge` reads only, so that a file of somebody else is left as it is. The checks look at every
page, for a limited time.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from robot_memory.errors import StoreUnreadable
from robot_memory.memory.storage.files import INDEX, JOURNAL, LOG, beside
from robot_memory.memory.storage.opening import open_reading
from robot_memory.memory.storage.pages import FILE_HEAD, FRAME_HEAD, MAGIC, WAL_HEAD
from robot_memory.memory.storage.schema import APPLICATION_ID, VERSION
from robot_memory.memory.storage.tables import layout, layout_in, tables
from robot_memory.memory.storage.torn import TornFile
from robot_memory.memory.storage.trouble import FAULTS, NO_TEXT, damaged, in_words, told

LASTING = ("sessions", "clips", "persons", "entities", "memories")  # tables that no step has taken columns from
SMALLEST = 512  # bytes: no SQLite file is shorter


class State(Enum):
    BLANK = "blank"  # nothing yet, or an SQLite file without a table, left by a crash
    OURS = "ours"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class Finding:
    """What a check found: nothing (`whole`), or what is wrong. `search_only`: just the search index, which can be made
    anew. `finished` is False where time ran out before every page was seen.
    """

    whole: bool
    words: str = ""
    search_only: bool = False
    finished: bool = True


def judge(path: Path, writer: bool = False) -> tuple[State, str]:
    """What the file is, and what is wrong with it if anything is. `writer`: a change that a crash cut short before the
    file had its log may be undone first; readers cannot do that.

    Raises StoreUnreadable for a file of another kind, of another program, or of a newer format.
    """
    if path.exists() and not path.is_file():
        raise StoreUnreadable(f"{path} is not a memory of robot_memory: it is no file. Choose another path")
    size, log = _size(path), _size(beside(path, LOG))
    if size == 0:
        return (State.DAMAGED, "only its log is left") if log > WAL_HEAD else (State.BLANK, "")
    with path.open("rb") as file:
        head = file.read(FILE_HEAD)
    if size < SMALLEST or not head.startswith(MAGIC) or not _sane(head):
        return _torn(path, head, "the file's beginning is lost")
    if writer and _size(beside(path, JOURNAL)):
        _undo_unfinished(path)
    try:
        said = _says_of_itself(path)
    except UnicodeDecodeError as error:
        return _torn(path, head, in_words(error))
    except sqlite3.Error as error:
        if damaged(error) or "unsupported file format" in str(error):
            return _torn(path, head, in_words(error))
        if (better := told(error, path)) is not error:
            raise better from error
        raise StoreUnreadable(
            f"{path} cannot be opened as a memory: {error}. Check that its folder can be written"
        ) from error
    if said.layout:
        return _judge_layout(path, said)
    return (State.BLANK, "") if said.pages <= 1 else _torn(path, head, "its list of tables is lost")


@dataclass(frozen=True)
class _Said:
    """What a file says of itself: whose it is, its format, its size, its tables with their columns."""

    application: int
    version: int
    pages: int
    layout: frozenset[tuple[str, str]]


def _says_of_itself(path: Path) -> _Said:
    """Raises sqlite3.Error, UnicodeDecodeError."""
    with closing(open_reading(path)) as db:
        application, version, pages = (
            int(db.execute(f"PRAGMA {what}").fetchone()[0]) for what in ("application_id", "user_version", "page_count")
        )
        return _Said(application, version, pages, layout_in(db))


def _judge_layout(path: Path, said: _Said) -> tuple[State, str]:
    """Are these the tables of the format that the file says it has? Raises StoreUnreadable as `judge` does."""
    if said.application != APPLICATION_ID:
        if all(column in said.layout for column in layout(1) if column[0] in LASTING):
            return State.DAMAGED, "its beginning is damaged"
        raise StoreUnreadable(f"{path} is an SQLite file of another program: choose another path")
    version = said.version
    if version > VERSION:
        raise StoreUnreadable(f"{path} has format {version}; this robot_memory knows up to {VERSION}: upgrade it")
    newer = layout() - layout(version) if 1 <= version < VERSION else frozenset()  # a step may only add an index
    if version < 1 or not layout(version) <= said.layout or (newer and layout() <= said.layout):
        return State.DAMAGED, f"its tables are not those of format {version}"
    return State.OURS, ""


def check_pages(path: Path, seconds: float | None) -> Finding:
    """Look at the pages of a memory, for so long at most; None: to the end, and whether the indexes hold every row.

    This only reads: a connection that can write puts the log into the file when it is closed, and the log may be what
    is wrong (another file's).
    """
    if committed_behind_break(path):
        return Finding(False, "its write-ahead log is broken in the middle")
    with closing(open_reading(path)) as db:
        texts = ""
        try:
            with _at_most(db, seconds):
                found = _first_fault(db, "integrity_check" if seconds is None else "quick_check")
                texts = "" if found else damaged_text(db)
        except sqlite3.Error as error:
            if "interrupted" in str(error):
                return Finding(True, finished=False)
            if not damaged(error):
                raise
            found = in_words(error)
        if texts:
            return Finding(False, texts)
        return Finding(not found, found, bool(found) and not _size(beside(path, LOG)) and _tables_are_whole(db))


def damaged_text(db: sqlite3.Connection) -> str:
    """Which table holds a text that is none (SQLite's own checks pass over those), in words; empty where none does.

    Raises sqlite3.Error.
    """
    for table in tables(int(db.execute("PRAGMA user_version").fetchone()[0])).values():
        if not (texts := [column.name for column in table.columns if column.type == "TEXT"]):
            continue
        try:
            deque(db.execute(f"SELECT {', '.join(texts)} FROM {table.name} NOT INDEXED"), maxlen=0)
        except sqlite3.Error as error:
            if NO_TEXT not in str(error):
                raise
            return f"a text in {table.name} is no UTF-8"
    return ""


def check_search(db: sqlite3.Connection, seconds: float | None) -> Finding:
    """Look at the search index; None: and whether it holds every memory as it is. `db` must be able to write: FTS5
    takes this for a kind of insertion.
    """
    try:
        with _at_most(db, seconds):
            rank = 1 if seconds is None else 0
            db.execute("INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', ?)", (rank,))
    except sqlite3.Error as error:
        if "interrupted" in str(error):
            return Finding(True, finished=False)
        if not damaged(error):
            raise
        return Finding(False, str(error), search_only=True)
    return Finding(True)


@contextmanager
def _at_most(db: sqlite3.Connection, seconds: float | None) -> Iterator[None]:
    """Interrupt what runs in the block after so long."""
    timer = threading.Timer(seconds, db.interrupt) if seconds is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer:
            timer.cancel()


def committed_behind_break(path: Path) -> bool:
    """Does the write-ahead log hold whole changes behind a broken place? SQLite reads up to there and says nothing.

    A crash leaves at most one change behind the last good one: the next only begins when that is on the disk.
    """
    log = beside(path, LOG)
    if _size(log) <= WAL_HEAD or _size(path) < SMALLEST:
        return False
    try:
        with closing(open_reading(path)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            good = _frames_read(path)
    except FAULTS:
        return False
    with log.open("rb") as file:
        head = file.read(WAL_HEAD)
        size = int.from_bytes(head[8:12], "big")
        if not SMALLEST <= size <= 1 << 16:
            return False
        changes, at = 0, WAL_HEAD + good * (FRAME_HEAD + size)
        while True:
            file.seek(at)
            frame = file.read(FRAME_HEAD)
            if len(frame) < FRAME_HEAD or frame[8:16] != head[16:24]:
                return changes > 1
            changes += frame[4:8] != b"\0\0\0\0"
            at += FRAME_HEAD + size


def _torn(path: Path, head: bytes, words: str) -> tuple[State, str]:
    """A file that SQLite cannot open: is it ours? One of nothing but zeros is what a power cut leaves of any."""
    ours = head.startswith(MAGIC) and int.from_bytes(head[68:72], "big") == APPLICATION_ID
    version = int.from_bytes(head[60:64], "big")
    if ours and VERSION < version < 1000:
        raise StoreUnreadable(f"{path} has format {version}; this robot_memory knows up to {VERSION}: upgrade it")
    if ours or (head.startswith(MAGIC) and _size(path) < SMALLEST) or _is_zeros(path):
        return State.DAMAGED, words
    with TornFile(path) as torn:
        if torn.ours:
            return State.DAMAGED, words
    raise StoreUnreadable(f"{path} is not a memory of robot_memory. Move it away to start afresh")


def _is_zeros(path: Path) -> bool:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            if block.strip(b"\0"):
                return False
    return True


def _undo_unfinished(path: Path) -> None:
    """SQLite does so when it opens a file for writing; where it cannot, the next look says why."""
    with suppress(*FAULTS), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _sane(head: bytes) -> bool:
    """The bytes of a header that are never otherwise in a file of ours: layout, payload shares, format, UTF-8."""
    return (
        head[18] in (1, 2)
        and head[19] in (1, 2)
        and head[21:24] == bytes((64, 32, 32))
        and int.from_bytes(head[44:48], "big") <= 4
        and int.from_bytes(head[56:60], "big") <= 1
    )


def _frames_read(path: Path) -> int:
    """How far SQLite has read the log, from the index that an open connection keeps of it (walformat.html, 2.1)."""
    index = beside(path, INDEX)
    if not index.exists():
        return 1 << 32
    with index.open("rb") as file:
        head = file.read(20)
    return int.from_bytes(head[16:20], sys.byteorder) if len(head) == 20 and head[12] else 1 << 32


def _first_fault(db: sqlite3.Connection, look: str) -> str:
    """In SQLite's words; empty where there is none."""
    found = str(db.execute(f"PRAGMA {look}(1)").fetchone()[0])
    if found == "ok":
        remembered, findable = (
            db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in (_searched(db), "memories_fts_docsize")
        )
        return "" if remembered == findable else f"{remembered:,} memories to search, of which {findable:,} can be"
    return found.replace("*** in database main ***", "").strip().splitlines()[0]


def _searched(db: sqlite3.Connection) -> str:
    """What the search index is of: up to format 4, of all memories."""
    view = db.execute("SELECT name FROM sqlite_master WHERE type = 'view' AND name = 'searched'").fetchone()
    return "searched" if view else "memories"


def _tables_are_whole(db: sqlite3.Connection) -> bool:
    try:
        known = tables(int(db.execute("PRAGMA user_version").fetchone()[0]))
        return all(db.execute(f"PRAGMA quick_check('{name}')").fetchone()[0] == "ok" for name in known)
    except sqlite3.Error:
        return False


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
