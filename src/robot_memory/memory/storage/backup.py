"""A backup while the robot lives on, and the way back.

A backup is one file without a log, of one moment, checked before it gets its name. Restoring checks it again and keeps
the memory it replaces; a kill in between is made good by the next start.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from robot_memory.errors import StoreUnreadable
from robot_memory.memory.storage import files, lock
from robot_memory.memory.storage.checking import State, damaged_text, judge
from robot_memory.memory.storage.copying import copy
from robot_memory.memory.storage.opening import open_reading
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.trouble import StoreDamaged, telling

Told = Callable[[float], None]


def backup(source: Store | Path, target: Path, on_progress: Told | None = None) -> int:
    """Copy a memory to `target`; returns its bytes. `on_progress` is told the share done; it may raise Cancelled.

    A backup that lies at `target` is replaced once the new one is whole; nothing else is written over. Raises
    StoreUnreadable, StoreDamaged, DiskTrouble, Cancelled: `target` is then as it was.
    """
    path = files.followed(source if isinstance(source, Path) else source.path)
    target = files.followed(target)
    with telling(path), Store(path, readonly=True) as store:
        _refuse_to_replace(target, path)
        with telling(target), files.being_made(target) as made:
            try:
                _copy_checked(store.reader(), made, on_progress)
            except StoreDamaged as error:
                store.suspect(error)
                raise
            files.put(made, target)
            return target.stat().st_size


def restore(saved: Path, path: Path, on_progress: Told | None = None) -> Path | None:
    """Put a backup in the place of the memory at `path`; returns where that one is kept, None if there was none.

    Refused while a robot writes there (StoreLocked). Raises StoreUnreadable for what is no memory, StoreDamaged for a
    damaged backup, DiskTrouble, Cancelled: the memory at `path` is then as it was.
    """
    saved, path = files.followed(saved), files.followed(path)
    if path.exists() and saved.exists() and path.samefile(saved):
        raise StoreUnreadable(f"{saved} is the memory itself, not a backup of it: name the backup")
    with lock.held(path), telling(path):
        files.finish_exchange(path)
        files.sweep(path)
        with telling(saved), Store(saved, readonly=True) as store, telling(path):
            made = files.beside(path, ".restoring")
            files.make_private(made)
            _copy_checked(store.reader(), made, on_progress)
            return files.exchange(made, path, "replaced")


def _copy_checked(db: sqlite3.Connection, made: Path, on_progress: Told | None) -> None:
    """Fill the empty file `made`; it is known to be whole then."""
    source = Path(db.execute("PRAGMA database_list").fetchone()[2])
    told = (lambda done, of: on_progress(done / max(of, 1))) if on_progress else (lambda done, of: None)
    copy(db, made, told)
    try:
        with closing(open_reading(made)) as copied:
            fault = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
            fault = damaged_text(copied) if fault == "ok" else fault
            if not fault and copied.execute("PRAGMA foreign_key_check").fetchone():
                fault = "rows lack their partner"
        if fault:
            raise StoreDamaged(
                f"{source} is damaged ({fault}), so it was not copied"
                ": start the robot with it (robot-memory up), which saves what is readable"
            )
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _refuse_to_replace(target: Path, path: Path) -> None:
    """Only a backup may be written over."""
    if not target.exists():
        if not target.parent.is_dir():
            raise StoreUnreadable(f"{target.parent} is no folder: make it first")
        return
    if target.samefile(path):
        raise StoreUnreadable(f"{target} is the memory itself: give the backup another name")
    if judge(target)[0] is State.BLANK and target.stat().st_size:
        raise StoreUnreadable(f"{target} is no backup and is not written over: give another name")
