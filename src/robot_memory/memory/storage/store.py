"""The one SQLite file: who may write, how a change becomes durable, how readers get a quiet view.

WAL with synchronous=FULL: when `write()` has returned, the change survives a crash and a power cut. A lock file keeps
a second writer out; readers always work. The file is made 0600: it holds faces, voices and words.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from robot_memory.errors import StoreLocked, StoreUnreadable
from robot_memory.memory.storage.schema import APPLICATION_ID, STEPS, VERSION


class Store:
    """An open store. Close it, or use it in a `with` statement."""

    def __init__(self, path: Path, readonly: bool = False) -> None:
        """Open or create the store. Raises StoreLocked if another process writes it, StoreUnreadable if it is no
        store.
        """
        self.path = path
        self.readonly = readonly
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._readers_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self._lock_handle: int | None = None
        if readonly:
            if not path.exists():
                raise StoreUnreadable(f"there is no memory at {path}: start the robot or replay a bag first")
            if path.stat().st_size == 0:
                raise StoreUnreadable(f"the memory at {path} is empty: start the robot or replay a bag first")
            self._check(self.reader())
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock_handle = _lock(path)
        try:
            self._writer = self._open_writer()
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
        """One transaction: durable when the block ends, undone as a whole if it raises."""
        if self.readonly:
            raise StoreLocked(f"{self.path} is open for reading only: changes go through the running memory server")
        with self._write_lock:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("UPDATE meta SET generation = generation + 1")
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def reader(self) -> sqlite3.Connection:
        """This thread's reading connection. It sees what is committed when each statement (or `snapshot`) begins."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            try:
                connection = sqlite3.connect(
                    f"{self.path.absolute().as_uri()}?mode=ro",
                    uri=True,
                    isolation_level=None,
                    check_same_thread=False,
                    timeout=10,
                )
                connection.execute("PRAGMA query_only=ON")
            except sqlite3.Error as error:
                raise StoreUnreadable(f"{self.path} cannot be opened: {error}") from error
            connection.row_factory = sqlite3.Row
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
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.execute("COMMIT")

    def generation(self) -> int:
        """How many changes have been committed to this file, ever."""
        return int(self.reader().execute("SELECT generation FROM meta").fetchone()[0])

    def bytes_used(self) -> int:
        """Size on disk, write-ahead log included."""
        return sum(p.stat().st_size for s in ("", "-wal") if (p := self.path.with_name(self.path.name + s)).exists())

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

    def _open_writer(self) -> sqlite3.Connection:
        new = not self.path.exists() or self.path.stat().st_size == 0
        if new:
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
        elif not _is_sqlite(self.path):
            raise StoreUnreadable(f"{self.path} is not a memory of robot_memory. Move it away to start afresh")
        try:
            writer = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
        except sqlite3.Error as error:
            raise StoreUnreadable(f"{self.path} cannot be opened: {error}") from error
        try:
            self._prepare(writer, new)
        except sqlite3.Error as error:
            writer.close()
            raise StoreUnreadable(
                f"{self.path} cannot be opened as a memory: {error}. "
                "Check that its folder can be written and that the file is whole"
            ) from error
        except BaseException:
            writer.close()
            raise
        return writer

    def _prepare(self, writer: sqlite3.Connection, new: bool) -> None:
        """Make the tables where there are none. A file that is not ours is refused before anything in it is changed."""
        writer.row_factory = sqlite3.Row
        blank = new or _is_blank(writer)
        if not blank:
            self._check(writer)
        self.path.chmod(0o600)
        if new:
            writer.execute("PRAGMA page_size=4096")
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("PRAGMA synchronous=FULL")
        writer.execute("PRAGMA foreign_keys=ON")
        done = writer.execute("PRAGMA user_version").fetchone()[0]
        for version, step in enumerate(STEPS[done:], start=done + 1):
            writer.executescript(
                f"BEGIN; {step} PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={version}; COMMIT;"
            )

    def _check(self, connection: sqlite3.Connection) -> None:
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise StoreUnreadable(
                f"{self.path} is not a memory of robot_memory: {error}. Move it away to start afresh"
            ) from error
        if application != APPLICATION_ID:
            raise StoreUnreadable(f"{self.path} is an SQLite file of another program: choose another path")
        if version > VERSION:
            raise StoreUnreadable(
                f"{self.path} has format {version}; this robot_memory knows up to {VERSION}: upgrade it"
            )

    def _unlock(self) -> None:
        if self._lock_handle is not None:
            os.close(self._lock_handle)
            self._lock_handle = None


def _is_sqlite(path: Path) -> bool:
    """SQLite itself would write over a file shorter than its header."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _is_blank(connection: sqlite3.Connection) -> bool:
    """True for a file whose making was cut short by a crash: SQLite, but without a single table."""
    return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])


def _lock(path: Path) -> int:
    """Take the writer's lock, which the system releases however the process ends."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise StoreLocked(f"{path} is being written by process {holder}: stop it, or use its services") from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle
