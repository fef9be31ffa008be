"""What is ours on this disk: models, the memory, and room for more of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from robot_memory.config import StoreSettings
from robot_memory.doctor import reach
from robot_memory.doctor.finding import Finding, missing, ok, warning
from robot_memory.errors import RobotMemoryError
from robot_memory.memory.storage import files
from robot_memory.memory.storage.checking import check_pages
from robot_memory.memory.storage.store import Store
from robot_memory.models import places
from robot_memory.models.commands import model_state
from robot_memory.models.manifest import load_profile
from robot_memory.models.model import DEFAULT_PROFILE, fetch_command
from robot_memory.models.weights import FileState, state
from robot_memory.streams.spool import CLIP

LEAST_FREE = 2_000_000_000  # bytes: a spool's budget
OLDEST_SQLITE = (3, 24, 0)
HEALS = "robot-memory up, which saves what is readable and keeps the damaged file"
ELSEWHERE = "set ROBOT_MEMORY_HOME or --store to another place"
LOCKED_S = 0.5  # how long a store is waited for; a server of ours never keeps readers out
LOOK_S = 1.0  # for damage; more than that is looked at when the memory is opened for writing
WAITING = 20  # clips, ten minutes


def models(profile_name: str) -> Iterator[Finding]:
    """Are the profile's weights there, and were they verified?"""
    try:
        profile = load_profile(profile_name)
    except RobotMemoryError as error:
        yield missing("models", str(error), f"--profile {DEFAULT_PROFILE}", needed=True)
        return
    states = {model.role: model_state(model, state) for model in profile.models}
    bad = [f"{role} ({found.value})" for role, found in states.items() if found is not FileState.READY]
    where = f"profile {profile.name} in {places.weights_folder()}"
    if not bad:
        yield ok("models", f"{len(states)} verified, {where}")
    elif all(found in (FileState.READY, FileState.UNVERIFIED) for found in states.values()):
        yield warning("models", f"{', '.join(bad)}, {where}", "robot-memory models verify")
    else:
        yield missing("models", f"{', '.join(bad)}, {where}", fetch_command(profile.name), needed=True)


def database() -> Iterator[Finding]:
    """Python's SQLite, and its full-text search."""
    with sqlite3.connect(":memory:") as db:
        try:
            db.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')")
        except sqlite3.OperationalError as error:
            yield missing("sqlite", f"{sqlite3.sqlite_version} without FTS5 ({error})", "another Python build", True)
            return
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield missing("sqlite", f"{sqlite3.sqlite_version} is too old", "a system of 2019 or later", needed=True)
    else:
        yield ok("sqlite", f"{sqlite3.sqlite_version} with FTS5")


def memory(settings: StoreSettings) -> Iterator[Finding]:
    """The store's file: is it readable, who writes it, how large is it?"""
    path = settings.store_path()
    if why := reach.trouble(path):
        yield missing("memory", why, ELSEWHERE, needed=True)
        return
    if not path.exists():
        yield ok("memory", f"none yet at {path}")
        return
    if _locked(path):
        remedy = f"end the program that holds it (fuser -v {path})"
        yield missing("memory", f"{path} is locked by another program", remedy, needed=True)
        return
    try:
        with Store(path, readonly=True) as store, store.snapshot() as db:
            count = db.execute("SELECT count(*) FROM memories").fetchone()[0]
            size, changes = store.bytes_used(), store.generation()
    except (RobotMemoryError, sqlite3.Error) as error:
        yield missing("memory", str(error), "move the file away, or bring a backup", needed=True)
        return
    holder = _holder(files.beside(files.followed(path), ".lock"))
    if not holder and not (found := check_pages(path, LOOK_S)).whole:  # beside a writer, half a change may be seen
        yield warning("memory", f"{path} is damaged ({found.words})", HEALS)
        return
    text = f"{path}: {count:,} memories, {size / 1e6:,.1f} MB, {changes:,} changes"
    if path.stat().st_mode & 0o077:
        yield warning("memory", f"{text}; others may read it", f"chmod 600 {path}")
    else:
        yield ok("memory", text)
    yield ok("writer", f"process {holder} is remembering" if holder else "nobody is writing the memory now")
    graph = files.beside(files.followed(path), files.NEIGHBOURS)
    if graph.is_file():
        megabytes = graph.stat().st_size / 1e6
        yield ok("index", f"{graph}, {megabytes:,.1f} MB: of large memories, made again when it is gone")


def copies(settings: StoreSettings) -> Iterator[Finding]:
    """Memories that were kept aside: damaged or replaced ones, and those of an older format."""
    path = settings.store_path()
    if reach.trouble(path) or not path.parent.is_dir():  # told as the memory's
        return
    path = files.followed(path)
    if not (kept := files.kept(path)):
        return
    size = sum(file.stat().st_size for file in kept)
    text = f"{len(kept)} files of older memories, {size / 1e6:,.1f} MB: {', '.join(file.name for file in kept[:5])}"
    words = [word for word in files.KEPT if any(file.name.startswith(f"{path.name}.{word}-") for file in kept)]
    remedy = f"when they are needed no longer: rm {' '.join(f'{path}.{word}-*' for word in words)}"
    yield warning("copies", text + (", …" if len(kept) > 5 else ""), remedy)


def spool(settings: StoreSettings) -> Iterator[Finding]:
    """Clips on their way in, and those that could not be read."""
    if reach.trouble(settings.store_path()):  # told as the memory's
        return
    root = settings.spool_path()
    waiting = [clip for clip in root.glob("*/*") if CLIP.fullmatch(clip.name)]
    bad = len(list((root / ".bad").glob("*")))
    if len(waiting) > WAITING:
        yield warning("spool", f"{len(waiting)} clips wait in {root}", "robot-memory up, and see robot-memory status")
    elif bad:
        yield warning("spool", f"{bad} clips could not be read, in {root}/.bad", f"look at them, or rm -r {root}/.bad")
    else:
        yield ok("spool", f"{len(waiting)} clips wait in {root}")


def disk(settings: StoreSettings) -> Iterator[Finding]:
    """Room for memories."""
    if why := reach.trouble(settings.store_path()):
        yield missing("disk", why, ELSEWHERE, needed=True)
        return
    folder = reach.nearest(settings.store_path())
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB free for {settings.store_path().parent}"
    if not os.access(folder, os.W_OK | os.X_OK):
        yield missing("disk", f"{folder} cannot be written by this user", ELSEWHERE, needed=True)
    elif free < LEAST_FREE:
        yield warning("disk", text, "make room, or set ROBOT_MEMORY_HOME to another disk")
    else:
        yield ok("disk", text)


def _locked(path: Path) -> bool:
    """Does another program keep even readers out?"""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=LOCKED_S)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return "locked" in str(error)
    return False


def _holder(lock: Path) -> int:
    """The process that holds a lock file, 0 if none does. Only looks: taking the lock would keep a server out."""
    if not lock.exists():
        return 0
    inode = f":{lock.stat().st_ino}"
    for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
        words = line.split()
        if len(words) >= 6 and words[1] == "FLOCK" and words[5].endswith(inode):
            return int(words[4])
    return 0
