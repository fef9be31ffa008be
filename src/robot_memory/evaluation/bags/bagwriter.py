"""Writes rosbag2 bags (mcap or sqlite3) without ROS: whole or not at all, and the same bytes for the same messages.

The bag grows in a hidden folder beside its place and is moved there when it is complete, so that an interrupted
run leaves nothing that looks like a bag.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from robot_memory.errors import BagUnreadable, RobotMemoryError
from robot_memory.evaluation.bags.messages import typestore

if TYPE_CHECKING:
    from typing_extensions import Self

STORAGES = ("mcap", "sqlite3")
SUFFIXES = (".mcap", ".db3")


class BagNotWritten(RobotMemoryError):
    """A bag cannot be written where it was asked for."""


class Recorded(NamedTuple):
    """One message of a bag: its topic and type, when it was recorded (nanoseconds), its CDR bytes."""

    topic: str
    msgtype: str
    recorded_ns: int
    data: bytes


class BagWriter:
    """A context manager that makes the bag `out`; `replace` allows one that is there to be overwritten.

    `packed` compresses an mcap (zstd chunks), which torn files cannot afford. Raises BagNotWritten.
    """

    def __init__(self, out: Path, storage: str = "mcap", replace: bool = False, packed: bool = False) -> None:
        if storage not in STORAGES:
            raise BagNotWritten(f"{out}: no storage {storage!r} — use {' or '.join(STORAGES)}")
        self.out, self.storage, self.replace, self.packed = out, storage, replace, packed and storage == "mcap"
        self.counts: dict[str, int] = {}
        self._partial = out.parent / f".{out.name}.partial"
        self._connections: dict[str, Any] = {}
        self._writer: Any = None

    def __enter__(self) -> Self:
        from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer

        if self.out.exists() and not self.out.is_dir():
            raise BagNotWritten(f"{self.out}: is a file — name a folder for the bag")
        if not self.replace and self._in_the_way():
            raise BagNotWritten(f"{self.out}: a bag is there already — choose another folder, or replace it (--force)")
        try:
            shutil.rmtree(self._partial, ignore_errors=True)
            self._partial.mkdir(parents=True)
            plugin = StoragePlugin.MCAP if self.storage == "mcap" else StoragePlugin.SQLITE3
            self._writer = Writer(self._partial / self.out.name, version=9, storage_plugin=plugin)
            if self.packed:
                self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
            self._writer.open()
        except OSError as error:
            raise BagNotWritten(
                f"{self.out}: cannot be written ({error}) — choose a folder you may write to"
            ) from error
        return self

    def topic(self, name: str, msgtype: str) -> None:
        """Announce a topic; a topic without messages shows up in the bag all the same."""
        if name not in self._connections:
            self._connections[name] = self._writer.add_connection(
                name, msgtype, typestore=typestore(), offered_qos_profiles=[_qos()]
            )
            self.counts[name] = 0

    def write(self, message: Recorded) -> None:
        self.topic(message.topic, message.msgtype)
        self._writer.write(self._connections[message.topic], message.recorded_ns, message.data)
        self.counts[message.topic] += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._writer.__exit__(kind, error, trace)
            if kind is None:
                self._move()
        finally:
            shutil.rmtree(self._partial, ignore_errors=True)

    def _in_the_way(self) -> list[Path]:
        """Files of a bag that stands where ours shall be. Other files of the folder (its script, other bags) stay."""
        there = sorted(self.out.iterdir()) if self.out.is_dir() else []
        own = [path for path in there if path.name.startswith(self.out.name) and path.suffix in SUFFIXES]
        return own + [path for path in there if path.name == "metadata.yaml"]

    def _move(self) -> None:
        try:
            for path in self._in_the_way():
                path.unlink()
            self.out.mkdir(parents=True, exist_ok=True)
            for path in sorted((self._partial / self.out.name).iterdir()):
                path.replace(self.out / path.name)
        except OSError as error:
            raise BagNotWritten(f"{self.out}: the bag cannot be put in place ({error}) — is the disk full?") from error


def messages(bag: Path) -> Iterator[Recorded]:
    """The messages of a healthy bag in the order of their recording, as bytes. Raises BagUnreadable."""
    with _reader(bag) as reader:
        for connection, recorded_ns, data in reader.messages():
            yield Recorded(connection.topic, connection.msgtype, recorded_ns, bytes(data))


class Contents(NamedTuple):
    """What a bag holds, without its messages: types by topic, first and last time of recording (nanoseconds)."""

    topics: dict[str, str]
    first_ns: int
    last_ns: int


def contents(bag: Path) -> Contents:
    """Raises BagUnreadable."""
    with _reader(bag) as reader:
        types = {connection.topic: connection.msgtype for connection in reader.connections}
        return Contents(types, reader.start_time, reader.end_time - 1)  # the reader's end is exclusive


@contextmanager
def _reader(bag: Path) -> Iterator[Any]:
    """An open bag. What a damaged one makes of its reader, a KeyError or a struct.error, says nothing to a person."""
    from rosbags.rosbag2 import Reader

    try:
        with Reader(bag) as reader:
            yield reader
    except RobotMemoryError:
        raise
    except Exception as error:
        raise BagUnreadable(
            f"{bag}: is no healthy bag ({type(error).__name__}: {error}) — give the folder of a good one"
        ) from error


def _qos() -> Any:
    """Reliable, keep last 10: what a recorder notes of an ordinary publisher."""
    from rosbags.interfaces import Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime

    endless = QosTime(9223372036, 854775807)
    return Qos(
        QosHistory.KEEP_LAST,
        10,
        QosReliability.RELIABLE,
        QosDurability.VOLATILE,
        endless,
        endless,
        QosLiveliness.AUTOMATIC,
        endless,
        False,
    )
