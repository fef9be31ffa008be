"""A bag's file, read as a whole file is read where that works, and salvaged from where it does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from robot_memory.errors import BagUnreadable
from robot_memory.streams.bagstorage import Kind, Storage, StorageDamaged, StoredMessage, WholeStorage
from robot_memory.streams.salvage_mcap import McapSalvage
from robot_memory.streams.salvage_sqlite import SqliteSalvage

UNFINISHED = ("-wal", "-journal")  # what SQLite keeps beside a file that was not closed


class BagFile:
    """An open file of a bag. What it holds and what is `damage`d may change while its messages are read."""

    def __init__(self, path: Path) -> None:
        """Raises BagUnreadable if nothing at all can be read from it."""
        self.path = path
        self._refused = False  # by SQLite, or else rosbags
        self._now = self._open()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self._now.kinds

    @property
    def count(self) -> int:
        return self._now.count

    @property
    def start_ns(self) -> int:
        return self._now.start_ns

    @property
    def end_ns(self) -> int:
        return self._now.end_ns

    @property
    def damage(self) -> str:
        return self._now.damage

    def messages(self, kinds: Collection[tuple[str, str]]) -> Iterator[StoredMessage]:
        """See Storage. Where a file turns out not to be whole, what it gave so far is not given again. Raises
        BagUnreadable.
        """
        newest: list[StoredMessage] = []  # those of the newest time
        try:
            for message in self._now.messages(kinds):
                if newest and newest[-1].recorded_ns != message.recorded_ns:
                    newest.clear()
                newest.append(message)
                yield message
            return
        except StorageDamaged:
            self.close()
            self._refused, self._now = True, _salvage(self.path)
        for message in self._now.messages(kinds):
            if message in newest:
                newest.remove(message)
            elif not newest or message.recorded_ns >= newest[-1].recorded_ns:
                yield message

    @property
    def salvaged(self) -> bool:
        """Is it a database that SQLite itself does not read? Then more may be lost than `damage` knows."""
        return self._refused and self.path.suffix == ".db3"

    def close(self) -> None:
        if isinstance(self._now, WholeStorage):
            self._now.close()

    def _open(self) -> Storage:
        if self.path.suffix == ".db3" and _unfinished(self.path):  # rosbags would not see what lies in the log
            return _salvage(self.path)
        try:
            return WholeStorage(self.path)
        except StorageDamaged:
            self._refused = True
            return _salvage(self.path)


def _salvage(path: Path) -> Storage:
    try:
        return McapSalvage(path) if path.suffix == ".mcap" else SqliteSalvage(path)
    except OSError as error:
        raise BagUnreadable(f"{path} cannot be read: {error.strerror}") from error


def _unfinished(path: Path) -> bool:
    beside = [path.with_name(path.name + ending) for ending in UNFINISHED]
    return any(one.is_file() and one.stat().st_size > 0 for one in beside)
