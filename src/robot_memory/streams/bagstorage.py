"""One file of a bag as a source of messages: what every way of reading one has in common, and the ordinary way.

A whole file is read by rosbags. What rosbags refuses is read by `salvage_mcap` and `salvage_sqlite`, which promise the
same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from robot_memory.errors import RobotMemoryError

CHECKSUM_AT = 33  # within a chunk of an mcap: behind its opcode, its length, two times and a size


class StorageDamaged(RobotMemoryError):
    """A file of a bag that an ordinary reader cannot read, or not to its end."""


@dataclass(frozen=True)
class Kind:
    """The messages of one type on one topic. `definition` is the type's, as in a .msg file; empty if it is not kept."""

    topic: str
    type: str
    count: int
    definition: str = ""


class StoredMessage(NamedTuple):
    """One message: topic, type, time of recording (nanoseconds), CDR bytes as they lie in the file."""

    topic: str
    type: str
    recorded_ns: int
    raw: bytes


class Storage(Protocol):
    """An open file of a bag. `damage` says what is wrong with it; it may only show while the messages are read."""

    path: Path

    @property
    def kinds(self) -> tuple[Kind, ...]: ...

    @property
    def count(self) -> int: ...

    @property
    def start_ns(self) -> int: ...

    @property
    def end_ns(self) -> int: ...

    @property
    def damage(self) -> str: ...

    def messages(self, kinds: Collection[tuple[str, str]]) -> Iterator[StoredMessage]:
        """The messages of the given (topic, type) pairs in order of recording."""


class WholeStorage:
    """A file that rosbags reads."""

    damage = ""

    def __init__(self, path: Path) -> None:
        """Raises StorageDamaged if rosbags does not read it."""
        from rosbags.rosbag2 import Reader

        self.path = path
        try:
            self._reader: Any = Reader(path)
            self._reader.open()
        except Exception as error:  # of many kinds: rosbags', SQLite's, and what unpacking numbers raises
            raise StorageDamaged(f"{path.name}: {error}") from error
        if path.suffix == ".mcap" and self._reader.message_count and not self._checked():
            self.close()
            raise StorageDamaged(f"{path.name} may be damaged without rosbags noticing")
        self.count = int(self._reader.message_count)
        self.start_ns = int(self._reader.start_time) if self.count else 0
        self.end_ns = int(self._reader.end_time) - 1 if self.count else 0  # rosbags' end is exclusive

    @property
    def kinds(self) -> tuple[Kind, ...]:
        found: dict[tuple[str, str], Kind] = {}
        for c in self._reader.connections:
            before = found.get((c.topic, c.msgtype))
            count = c.msgcount + (before.count if before else 0)
            text = c.msgdef.data if c.msgdef.format.name == "MSG" else ""
            found[c.topic, c.msgtype] = Kind(c.topic, c.msgtype, count, text)
        return tuple(found.values())

    def messages(self, kinds: Collection[tuple[str, str]]) -> Iterator[StoredMessage]:
        """See Storage. Raises StorageDamaged where the file turns out not to be whole."""
        connections = [c for c in self._reader.connections if (c.topic, c.msgtype) in kinds]
        try:
            for connection, recorded_ns, raw in self._reader.messages(connections=connections) if connections else ():
                yield StoredMessage(connection.topic, connection.msgtype, recorded_ns, bytes(raw))
        except Exception as error:
            raise StorageDamaged(f"{self.path.name}: {error}") from error

    def _checked(self) -> bool:
        """Has this mcap chunks with checksums? Without them, rosbags passes over damage in silence; without chunks, it
        stops where messages are out of order.
        """
        chunks = getattr(self._reader.storage, "chunks", None)
        if not chunks:
            return False
        with self.path.open("rb") as file:
            file.seek(chunks[0].chunk_start_offset + CHECKSUM_AT)
            return any(file.read(4))

    def close(self) -> None:
        with suppress(AssertionError):  # closed before
            self._reader.close()
