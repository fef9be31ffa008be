"""The one SQLite file: who may write, how a change becomes durable, how readers get a quiet view.

WAL with synchronous=FULL: when `write()` has returned, the change survives a crash and a power cut. A lock file keeps
a second writer out; readers always work. A damaged file heals when it is opened for writing: what is readable goes into
a new one, the damaged one is kept. All files are 0600: they hold faces, voices and words.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType

from robot_memory.errors import StoreLocked, StoreUnreadable
from robot_memory.memory.storage import files, lock
from robot_memory.memory.storage.checking import Finding, State, check_pages, check_search, judge
from robot_memory.memory.storage.migrating import migrate
from robot_memory.memory.storage.opening import open_reading, open_writing
from robot_memory.memory.storage.rescue import Damage, rescue, rescues
from robot_memory.memory.storage.trouble import StoreDamaged, damaged, telling, told

LOG = logging.getLogger("robot_memory.memory")
CHECK_S = 2.0  # how long opening may look for damage
SUSPECT = ".suspect"  # beside a memory that damage was met in: the next opening looks at all of it


def page_size_for(dimension: int) -> int:
    """Bytes of a page of a new memory with text embeddings of so many numbers: a sentence and its vector should not
    be spread over pages (measured: performance of the store by page size).
    """
    return 4096 if dimension < 768 else 16384


class Store:
    """An open store. Close it, or use it in a `with` statement. `damage` says what opening found damaged and saved, or
    is None; `rescues(db)` tells of all times before.
    """

    def __init__(self, path: Path, readonly: bool = False, page_size: int = 4096) -> None:
        """Open or create the store; `page_size` is for a new one.

        Opening for writing looks at every page, for CHECK_S at most: some 100,000 memories take a fraction of that; of
        a file of gigabytes only a part is seen, clean or not, unless damage was met while it was in use before: then
        all of it is looked at, however long it takes. Raises StoreLocked if another process writes it, StoreUnreadable
        if it is no store, StoreDamaged (for readers) if it is damaged, DiskTrouble if there is no room to heal it.
        """
        self.path = path = files.followed(path)
        self.readonly = readonly
        self.damage: Damage | None = None
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._readers_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self._lock_handle: int | None = None
        if readonly:
            with telling(path):
                self._look_before_reading()
            return
        self._lock_handle = lock.take(path)
        try:
            with telling(path):
                self._writer = self._open_writer(page_size)
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: durable when the block ends, undone as a whole if it raises.

        Raises DiskTrouble where the disk is full or fails: try again later. StoreDamaged: open the store again.
        """
        if self.readonly:
            raise StoreLocked(f"{self.path} is open for reading only: changes go through the running memory server")
        with self._write_lock:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("UPDATE meta SET generation = generation + 1")
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                self.suspect(error)
                if (better := told(error, self.path)) is error:
                    raise
                raise better from error
            except BaseException:
                self._undo()
                raise

    def reader(self) -> sqlite3.Connection:
        """This thread's reading connection. It sees what is committed when each statement (or `snapshot`) begins."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            try:
                connection = open_reading(self.path)
            except sqlite3.Error as error:
                raise StoreUnreadable(f"{self.path} cannot be opened: {error}") from error
            self._local.connection = connection
            with self._readers_lock:
                self._readers.append(connection)
        return connection

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A quiet view: everything read inside the block is of one moment, whatever is being written meanwhile."""
        connection = self.reader()
        if connection.in_transaction:
            yield connection
            return
        try:
            connection.execute("BEGIN")
            yield connection
        except sqlite3.Error as error:
            self.suspect(error)
            if (better := told(error, self.path)) is error:
                raise
            raise better from error
        finally:
            connection.rollback()  # nothing was written, and of a damaged file a COMMIT fails

    def generation(self) -> int:
        """How many changes have been committed to this file, ever."""
        return int(self.reader().execute("SELECT generation FROM meta").fetchone()[0])

    def bytes_used(self) -> int:
        """Size on disk, write-ahead log included."""
        return sum(file.stat().st_size for end in ("", files.LOG) if (file := files.beside(self.path, end)).exists())

    def close(self) -> None:
        with self._readers_lock:
            for connection in self._readers:
                connection.close()
            self._readers.clear()
        self._local = threading.local()
        if self._lock_handle is not None:
            with self._write_lock:
                self._writer.close()
            self._unlock()

    def _look_before_reading(self) -> None:
        if files.exchange_waits(self.path):
            raise StoreDamaged(f"the memory at {self.path} is being put back: start the robot (robot-memory up) once")
        if not self.path.exists():
            raise StoreUnreadable(f"there is no memory at {self.path}: start the robot or replay a bag first")
        state, words = judge(self.path)
        if state is State.BLANK:
            raise StoreUnreadable(f"the memory at {self.path} is empty: start the robot or replay a bag first")
        if state is State.DAMAGED:
            raise StoreDamaged(
                f"{self.path} is damaged ({words}): start the robot (robot-memory up), which saves what is readable "
                "and keeps the damaged file"
            )

    def _open_writer(self, page_size: int) -> sqlite3.Connection:
        healed = files.finish_exchange(self.path) is not None
        files.sweep(self.path)
        state, words = judge(self.path, writer=True)
        if state is State.DAMAGED:
            self.damage = rescue(self.path, words)
        if not self.path.exists():
            files.make_private(self.path)
        if not os.access(self.path, os.W_OK):
            raise StoreUnreadable(f"{self.path} cannot be written: change its permissions, or choose another place")
        self.path.chmod(files.PRIVATE)
        if state is State.OURS:
            self._heal()
        writer = open_writing(self.path, page_size)
        try:
            migrate(writer, self.path)
            files.beside(self.path, SUSPECT).unlink(missing_ok=True)
            if healed and self.damage is None:
                self.damage = next(iter(rescues(writer)), None)
        except BaseException:
            writer.close()
            raise
        return writer

    def _heal(self) -> None:
        """A file without known damage is looked at: the search index is made anew, or the file, if need be."""
        limit = None if files.beside(self.path, SUSPECT).exists() else CHECK_S
        finding = check_pages(self.path, limit)
        if finding.whole or finding.search_only:
            with closing(open_writing(self.path)) as db:
                finding = _search_healed(db, self.path, finding, limit)
        if not finding.finished:
            LOG.info("%s is large: only a part of it was checked", self.path)
        if not finding.whole:
            self.damage = rescue(self.path, finding.words)

    def _undo(self) -> None:
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")

    def suspect(self, error: sqlite3.Error) -> None:
        """Note beside the file that damage was met in it."""
        if not damaged(error):
            return
        try:
            os.close(os.open(files.beside(self.path, SUSPECT), os.O_WRONLY | os.O_CREAT, files.PRIVATE))
        except OSError as refused:
            LOG.error("%s is damaged, and that cannot be noted beside it: %s", self.path, refused)

    def _unlock(self) -> None:
        if self._lock_handle is not None:
            os.close(self._lock_handle)
            self._lock_handle = None


def _search_healed(db: sqlite3.Connection, path: Path, finding: Finding, limit: float | None) -> Finding:
    """The search index is made anew of the memories where it is damaged; where that fails, all of the file is."""
    if finding.whole and (not finding.finished or (finding := check_search(db, limit)).whole):
        return finding
    LOG.error("%s: the search index is damaged (%s): making it anew", path, finding.words)
    try:
        db.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        finding = check_search(db, None)
    except sqlite3.Error as error:
        if not damaged(error):
            raise
        return Finding(False, str(error))
    return check_pages(path, None) if finding.whole else finding
