"""A bag as a source: which topics can be remembered, what stamps they carry, and the messages in the order recorded.

Reads sqlite3 and mcap without ROS. Messages stay raw until someone asks for their fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robot_memory.errors import BagUnreadable
from robot_memory.streams.media import SECOND

IMAGE_TYPES = ("sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/Image")
AUDIO_TYPES = (
    "robot_memory_msgs/msg/AudioChunk",
    "audio_common_msgs/msg/AudioStamped",
    "audio_utils_msgs/msg/AudioFrame",
)
POSE_TYPES = ("nav_msgs/msg/Odometry",)
ENDS_BYTES = 1_000_000


@dataclass(frozen=True)
class Topic:
    """A recorded topic that can be remembered. `stream` is image, audio or pose."""

    stream: str
    name: str
    type: str
    count: int


@dataclass(frozen=True)
class Recorded:
    """One recorded message: its stream, the time it was recorded at, and its CDR bytes."""

    stream: str
    recorded_ns: int
    raw: bytes


class Bag:
    """An open bag; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        """Raises BagUnreadable if it is no bag, is damaged, or holds nothing that can be remembered."""
        from rosbags.highlevel import AnyReader, AnyReaderError
        from rosbags.rosbag2 import ReaderError
        from rosbags.typesys import Stores, get_typestore

        self.path = path.absolute()
        if not self.path.exists():
            raise BagUnreadable(f"there is no bag at {path}")
        folder = self.path if self.path.is_dir() else self.path.parent
        try:
            self._reader = AnyReader([folder], default_typestore=get_typestore(Stores.ROS2_JAZZY))
            self._reader.open()
        except (AnyReaderError, ReaderError, OSError, ValueError, KeyError, AssertionError) as error:
            raise BagUnreadable(
                f"{path} cannot be read as a bag: {str(error).rstrip('.')}. "
                "A bag is a folder with metadata.yaml and .mcap or .db3 files"
            ) from error
        self.folder = folder
        self.topics = self._choose()
        if not any(topic.stream in ("image", "audio") for topic in self.topics):
            self._reader.close()
            raise BagUnreadable(self._nothing())

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.close()

    @property
    def seconds(self) -> float:
        return float(self._reader.duration) / 1e9

    def missing(self) -> list[str]:
        """What a person should know about the bag before it is replayed."""
        have = {topic.stream for topic in self.topics}
        notes = {"image": "no camera topic: nobody will be seen", "audio": "no audio topic: nothing will be heard"}
        left = [
            c.topic
            for c in self._reader.connections
            if c.msgtype in IMAGE_TYPES + AUDIO_TYPES and c.topic not in {t.name for t in self.topics}
        ]
        return [note for stream, note in notes.items() if stream not in have] + [
            f"topic {name} is left out" for name in left
        ]

    def fingerprint(self) -> str:
        """64 hexadecimal digits from the sizes and the ends of the bag's files: the same bag twice is noticed by it."""
        digest = hashlib.sha256()
        for file in sorted(f for f in self.folder.iterdir() if f.suffix in (".mcap", ".db3")):
            digest.update(f"{file.name} {file.stat().st_size}".encode())
            with file.open("rb") as data:
                digest.update(data.read(ENDS_BYTES))
                data.seek(max(0, file.stat().st_size - ENDS_BYTES))
                digest.update(data.read(ENDS_BYTES))
        return digest.hexdigest()

    def origin_ns(self) -> int:
        """The earliest stamp among the topics' first messages; where a stamp is zero, the time of recording."""
        firsts = []
        for topic in self.topics:
            for one in self.messages((topic,)):
                firsts.append(self.stamp_ns(topic, one.raw) or one.recorded_ns)
                break
        return min(firsts)

    def messages(self, topics: tuple[Topic, ...] | None = None) -> Iterator[Recorded]:
        """The messages of the chosen topics in the order recorded. Raises BagUnreadable where the bag is torn."""
        stream_of = {topic.name: topic.stream for topic in (topics or self.topics)}
        connections = [c for c in self._reader.connections if c.topic in stream_of]
        try:
            for connection, recorded_ns, raw in self._reader.messages(connections=connections):
                yield Recorded(stream_of[connection.topic], recorded_ns, bytes(raw))
        except Exception as error:
            raise BagUnreadable(f"{self.path} is torn: {error}") from error

    def stamp_ns(self, topic: Topic, raw: bytes) -> int:
        """The header stamp of a message."""
        stamp = self.fields(topic, raw).header.stamp
        return int(stamp.sec) * SECOND + int(stamp.nanosec)

    def fields(self, topic: Topic, raw: bytes) -> Any:
        """The message's fields. Raises BagUnreadable where the bytes are not of its type."""
        try:
            return self._reader.deserialize(raw, topic.type)
        except Exception as error:
            raise BagUnreadable(
                f"{topic.name} in {self.path} holds messages that are not {topic.type}: {error}"
            ) from error

    def _choose(self) -> tuple[Topic, ...]:
        """One topic for each stream: the preferred type first, then the one with the most messages."""
        chosen = []
        for stream, types in (("image", IMAGE_TYPES), ("audio", AUDIO_TYPES), ("pose", POSE_TYPES)):
            fitting = [c for c in self._reader.connections if c.msgtype in types and c.msgcount]
            if fitting:
                best = min(fitting, key=lambda c: (types.index(c.msgtype), -c.msgcount, c.topic))
                chosen.append(Topic(stream, best.topic, best.msgtype, best.msgcount))
        return tuple(chosen)

    def _nothing(self) -> str:
        held = ", ".join(sorted({f"{c.topic} ({c.msgtype})" for c in self._reader.connections})) or "no messages at all"
        return (
            f"{self.path} holds nothing to remember: {held}. "
            f"A camera topic ({' or '.join(IMAGE_TYPES)}) or an audio topic ({AUDIO_TYPES[0]}) is needed"
        )
