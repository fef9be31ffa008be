"""What a power cut leaves of a folder, worked out from the system calls that were made below it.

A file's bytes are safe once the file was synced, a name once its folder was synced; POSIX promises no more. Of what
came later, any part may have reached the disk: each sector of each write or not, each change of a name or not, in any
order or as far as a journal got. Shared memory (-shm) never does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from system_calls import CREATE, EMPTY, LINKED, MADE, OPENED, REMOVED, RENAMED, SYNCED, TRUNCATED, WRITTEN, Call

SECTORS = (512, 4096)
KEPT = (0.0, 0.1, 0.5, 0.9, 1.0)  # how likely an unsynced sector is to have reached the disk


@dataclass(eq=False)
class File:
    """`safe`: what is on the disk for certain; `waiting`: writes (offset, data) and sizes (size, None) since."""

    safe: bytearray = field(default_factory=bytearray)
    waiting: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        for at, data in self.waiting:
            _apply(self.safe, at, data)
        self.waiting.clear()

    def after_a_cut(self, rng: random.Random) -> bytes:
        """One of the many ways in which it can come out."""
        left, sector, kept = bytearray(self.safe), rng.choice(SECTORS), rng.choice(KEPT)
        for at, data in self.waiting:
            if data is None:
                if rng.random() < kept:
                    _apply(left, at, None)
                continue
            for low, high in _sectors(at, len(data), sector):
                if rng.random() < kept:
                    _apply(left, low, data[low - at : high - at])
        return bytes(left)


@dataclass(eq=False)
class Folder:
    """`names`: as the running process sees them; `safe`: name -> (change, node), as the disk has them for certain."""

    names: dict[str, File | Folder] = field(default_factory=dict)
    safe: dict[str, tuple[int, File | Folder | None]] = field(default_factory=dict)


@dataclass(eq=False)
class Renaming:
    """A change of names, whole or not at all: (folder, name, what it now is)."""

    number: int
    changes: list[tuple[Folder, str, File | Folder | None]]
    unsynced: list[Folder]


class Disk:
    """The folder `root`, empty and safe at first, while calls are made below it."""

    def __init__(self, root: Path) -> None:
        self._root = PurePosixPath(root)
        self._top = Folder()
        self._open: dict[int, File | Folder] = {}
        self._waiting: list[Renaming] = []
        self._number = 0

    def happen(self, call: Call) -> None:
        """A call has been made."""
        if call.what == OPENED:
            self._opened(call)
        elif call.what in (WRITTEN, TRUNCATED, SYNCED):
            self._wrote(call)
        elif call.what in (RENAMED, LINKED):
            node = self._find(call.path)
            gone = [(*self._place(call.path), None)] if call.what == RENAMED else []
            self._rename([*gone, (*self._place(call.other), node)])
        elif call.what == REMOVED:
            self._rename([(*self._place(call.path), None)])
        elif call.what == MADE:
            self._rename([(*self._place(call.path), Folder())])

    def cut(self, into: Path, rng: random.Random) -> None:
        """The power goes now: what is found afterwards is put into the folder `into`."""
        as_a_journal = rng.random() < 0.5
        kept = rng.choice(KEPT)
        if as_a_journal:
            chosen = self._waiting[: rng.randint(0, len(self._waiting))]
        else:
            chosen = [change for change in self._waiting if rng.random() < kept]
        found: dict[Folder, dict[str, tuple[int, File | Folder | None]]] = {}
        for renaming in chosen:
            for folder, name, node in renaming.changes:
                names = found.setdefault(folder, dict(folder.safe))
                if names.get(name, (-1, None))[0] < renaming.number:
                    names[name] = renaming.number, node
        _write(self._top, into, found, rng)

    def _opened(self, call: Call) -> None:
        node = self._find(call.path)
        if node is None and call.number & CREATE:
            node = File()
            self._rename([(*self._place(call.path), node)])
        if isinstance(node, File) and call.number & EMPTY:
            node.waiting.append((0, None))
        if node is not None:
            self._open[call.handle] = node

    def _wrote(self, call: Call) -> None:
        node = self._open[call.handle]
        if isinstance(node, Folder):
            self._sync_names(node)
        elif call.what == SYNCED:
            node.sync()
        else:
            node.waiting.append((call.number, call.data if call.what == WRITTEN else None))

    def _rename(self, changes: list[tuple[Folder, str, File | Folder | None]]) -> None:
        self._number += 1
        for folder, name, node in changes:
            if node is None:
                folder.names.pop(name, None)
            else:
                folder.names[name] = node
        self._waiting.append(Renaming(self._number, changes, [folder for folder, _, _ in changes]))

    def _sync_names(self, synced: Folder) -> None:
        for renaming in self._waiting:
            renaming.unsynced = [folder for folder in renaming.unsynced if folder is not synced]
            if not renaming.unsynced:
                for folder, name, node in renaming.changes:
                    if folder.safe.get(name, (-1, None))[0] < renaming.number:
                        folder.safe[name] = renaming.number, node
        self._waiting = [renaming for renaming in self._waiting if renaming.unsynced]

    def _place(self, path: str) -> tuple[Folder, str]:
        """The folder that a path's last name is in."""
        *folders, name = PurePosixPath(path).relative_to(self._root).parts
        folder = self._top
        for part in folders:
            inner = folder.names[part]
            assert isinstance(inner, Folder), path
            folder = inner
        return folder, name

    def _find(self, path: str) -> File | Folder | None:
        if PurePosixPath(path) == self._root:
            return self._top
        folder, name = self._place(path)
        return folder.names.get(name)


def _write(
    folder: Folder,
    into: Path,
    found: dict[Folder, dict[str, tuple[int, File | Folder | None]]],
    rng: random.Random,
) -> None:
    into.mkdir()
    for name, (_, node) in sorted(found.get(folder, folder.safe).items()):
        if isinstance(node, Folder):
            _write(node, into / name, found, rng)
        elif node is not None and not name.endswith("-shm"):
            (into / name).write_bytes(node.after_a_cut(rng))


def _apply(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
    end = at if data is None else at + len(data)
    content.extend(bytes(max(0, end - len(content))))
    if data is not None:
        content[at:end] = data


def _sectors(at: int, length: int, size: int) -> Iterator[tuple[int, int]]:
    """A write's bytes, cut where sectors begin."""
    low, end = at, at + length
    while low < end:
        high = min(end, (low // size + 1) * size)
        yield low, high
        low = high
