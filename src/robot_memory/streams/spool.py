"""Closed clips on their way from perception to memory: a folder of small files, one folder a clip.

    <root>/<session>/session.json
    <root>/<session>/<sequence>/clip.json, arrays.npz, crop_<n>.jpg, key_<n>.jpg

A clip is written beside its place, synced and renamed, so it is there as a whole or not at all, whatever crashes.
It is removed once memory has committed it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from robot_memory.errors import RobotMemoryError, SpoolCorrupt
from robot_memory.streams.clipfiles import files, read
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import ID, Session, SessionInvalid, checked, root_of

CLIP = re.compile(r"[0-9]{8,18}")


class SpoolFull(RobotMemoryError):
    """The spool's byte budget is used up: memory is not keeping up, or not running."""


class Spool:
    """The folder. One process writes clips into it, one takes them out."""

    def __init__(self, root: Path, budget_bytes: int) -> None:
        self.root = root
        self._budget = budget_bytes
        self._opened: set[str] = set()
        _make(root)

    def open_session(self, session: Session) -> None:
        """Leave the session's description beside its clips; for the process that writes clips. Writing it twice is
        harmless.
        """
        self._sweep()
        self._opened.add(session.id)
        folder = self.root / checked(session.id)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        description = json.dumps(asdict(session)).encode()
        if not _holds(folder / "session.json", description):  # its time of writing orders the sessions
            _write(folder / ".session.json.tmp", description)
            os.replace(folder / ".session.json.tmp", folder / "session.json")
        _sync_folder(folder)
        _sync_folder(self.root)

    def session(self, session_id: str) -> Session:
        """The description of a session. Raises SpoolCorrupt if it cannot be read."""
        try:
            session = Session(**json.loads((self.root / checked(session_id) / "session.json").read_bytes()))
            if session.id != session_id:
                raise ValueError(f"it describes session {session.id!r}")
        except (OSError, ValueError, TypeError, SessionInvalid) as error:
            raise SpoolCorrupt(f"session {session_id} in {self.root} has no readable session.json: {error}") from error
        return session

    def add(self, clip: ClipObservation) -> Path:
        """Put a closed clip into the spool; one that lies there already stays as it is.

        Raises SpoolFull when the budget is spent and OSError when the disk is.
        """
        place = self.root / checked(clip.session) / f"{clip.sequence:08d}"
        if _is_whole(place):
            return place
        if (used := self.bytes_used()) > self._budget:
            raise SpoolFull(
                f"{self.root} holds {used:,} bytes, more than its budget: start the memory server or raise spool_bytes"
            )
        work = place.with_name(f".{place.name}.tmp")
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        try:
            for name, data in files(clip):
                _write(work / name, data)
            _sync_folder(work)
            self.remove(place)
            os.rename(work, place)
        except OSError:
            shutil.rmtree(work, ignore_errors=True)
            raise
        _sync_folder(place.parent)
        return place

    def waiting(self) -> list[Path]:
        """The clips that lie in the spool, oldest session first, each session in order."""
        return [clip for folder in self._sessions() for clip in sorted(folder.iterdir()) if self.is_clip(clip)]

    def is_clip(self, place: Path) -> bool:
        """True for a clip's folder of this spool: never for a link, or for anything elsewhere."""
        ours = place.parent.parent == self.root and CLIP.fullmatch(place.name) and ID.fullmatch(place.parent.name)
        return bool(ours) and _is_folder(place) and _is_folder(place.parent)

    def remove(self, place: Path) -> None:
        """Take a clip out. Safe to repeat; a crash half-way leaves nothing that looks like a clip."""
        doomed = place.with_name(f".{place.name}.gone")
        _clear(doomed)
        try:
            os.rename(place, doomed)
        except FileNotFoundError:
            return
        _clear(doomed)

    def forget_session(self, session_id: str) -> None:
        """Remove a session's folder, and those of the parts split off it, where no clip waits in them any more."""
        for folder in self._sessions():
            clips = (path for path in folder.iterdir() if not path.name.startswith("."))
            if root_of(folder.name) == session_id and not any(path.is_dir() for path in clips):
                shutil.rmtree(folder, ignore_errors=True)

    def set_aside(self, place: Path) -> Path:
        """Move a clip that cannot be read out of the way, for a person to look at."""
        aside = self.root / ".bad" / f"{place.parent.name}-{place.name}"
        aside.parent.mkdir(exist_ok=True, mode=0o700)
        shutil.rmtree(aside, ignore_errors=True)
        os.rename(place, aside)
        return aside

    def bytes_used(self) -> int:
        total = 0
        for folder, _, names in os.walk(self.root):
            for name in names:
                with suppress(OSError):  # the other process has just taken it out
                    total += os.lstat(os.path.join(folder, name)).st_size
        return total

    def _sessions(self) -> list[Path]:
        """The sessions' folders in the order in which they were opened."""
        try:
            found = [one for one in self.root.iterdir() if ID.fullmatch(one.name) and _is_folder(one)]
        except FileNotFoundError:  # somebody has removed it: what comes next makes it anew
            return []
        return sorted(found, key=lambda folder: (_written_ns(folder / "session.json"), folder.name))

    def _sweep(self) -> None:
        """Remove what a crash left half-written or half-removed, except where this process may be writing just now."""
        for folder in self._sessions():
            if folder.name not in self._opened:
                for left in [*folder.glob(".*.tmp"), *folder.glob(".*.gone")]:
                    _clear(left)


def _is_folder(path: Path) -> bool:
    """A link to a folder is none: what it points to is not ours."""
    return path.is_dir() and not path.is_symlink()


def _written_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _clear(place: Path) -> None:
    """Remove a folder with what is in it, or a link, but never what a link points to."""
    if place.is_symlink():
        place.unlink(missing_ok=True)
    else:
        shutil.rmtree(place, ignore_errors=True)


def _is_whole(place: Path) -> bool:
    try:
        read(place)
    except SpoolCorrupt:
        return False
    return True


def _holds(path: Path, data: bytes) -> bool:
    return path.exists() and path.read_bytes() == data


def _write(path: Path, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _make(folder: Path) -> None:
    """Make a folder and those it lies in. A power cut takes no name away that was synced where it stands."""
    lacking = [one for one in folder.parents if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for one in (folder, *lacking):
        with suppress(OSError):  # one that may not be read: then its owner made ours
            _sync_folder(one.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
