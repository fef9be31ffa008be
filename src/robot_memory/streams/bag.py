"""A bag as a source: which topics can be remembered, what stamps they carry, and the messages in the order recorded.

Reads sqlite3 and mcap without ROS, and of a torn or damaged bag what is left of it, which `damage` then says. Messages
stay raw until someone asks for their fields. The bag's folder is only ever read.
"""

from __future__ import annotations

import hashlib
import heapq
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from robot_memory.errors import BagUnreadable
from robot_memory.streams import bagfiles
from robot_memory.streams.bagstorage import Kind
from robot_memory.streams.media import SECOND
from robot_memory.streams.recorder import Unreadable
from robot_memory.streams.salvage import UNFINISHED, BagFile
from robot_memory.streams.unpacking import unpack_message

IMAGE_TYPES = ("sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/Image")
AUDIO_TYPES = (
    "robot_memory_msgs/msg/AudioChunk",
    "audio_common_msgs/msg/AudioStamped",
    "audio_utils_msgs/msg/AudioFrame",
)
POSE_TYPES = ("nav_msgs/msg/Odometry",)
TYPES = {"image": IMAGE_TYPES, "audio": AUDIO_TYPES, "pose": POSE_TYPES}
KNOWN = IMAGE_TYPES + AUDIO_TYPES
AGREE_NS = 10 * SECOND
LEARNT_FROM = 100  # messages of a topic that may be unreadable before its origin is given up


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

    def __init__(self, path: Path, usable: Callable[[str], bool] = lambda type_name: True) -> None:
        """`usable`: can the caller do anything with messages of this type? Raises BagUnreadable if it is no bag, or
        holds nothing that can be read and remembered.
        """
        self.path = path.absolute()
        self._usable = usable
        self._found = bagfiles.find(self.path)
        self.folder = self._found.folder
        self._scratch: list[tempfile.TemporaryDirectory[str]] = []
        self._files: list[BagFile] = []
        self._half_unpacked: list[str] = []
        self._typestore: Any = None
        try:
            for one in self._found.paths:
                file, whole = bagfiles.unpacked(one, self._scratch)
                self._half_unpacked += [] if whole else [one.name]
                self._files.append(BagFile(file))
            self.topics = self._choose()
            if not any(topic.stream in ("image", "audio") for topic in self.topics):
                raise BagUnreadable(self._nothing())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        for file in self._files:
            file.close()
        for folder in self._scratch:
            folder.cleanup()

    @property
    def seconds(self) -> float:
        """From the first message to the last."""
        filled = [file for file in self._files if file.count]
        return (max(f.end_ns for f in filled) - min(f.start_ns for f in filled)) / SECOND if filled else 0.0

    @property
    def damage(self) -> str:
        """What is wrong with the bag and how much of it was read; empty if nothing is. Complete once all messages have
        been read.
        """
        causes = [f"{file.path.name} {file.damage}" for file in self._files if file.damage]
        causes += [f"{name} ends early: what it unpacks to is read" for name in self._half_unpacked]
        causes += [f"{name} is missing" for name in self._found.missing]
        count, said = sum(file.count for file in self._files), self._found.metadata
        notes = [*self._found.notes, *self._retyped()]
        if not causes and said.count is not None and said.count > count:
            causes += [f"{file.path.name} is damaged" for file in self._files if file.salvaged]
        if causes:
            return "; ".join([f"{self._read(count)}: {', '.join(causes)}", *notes])
        if said.count is not None and said.count < count:
            return "; ".join([self._read(count), f"metadata.yaml is wrong, which counts {said.count:,}", *notes])
        if said.count is not None and said.count > count:
            return "; ".join([self._read(count), "metadata.yaml is wrong about that", *notes])
        return "; ".join(notes)

    def missing(self) -> list[str]:
        """What a person should know about the bag before it is replayed."""
        have = {topic.stream for topic in self.topics}
        notes = {"image": "no camera topic: nobody will be seen", "audio": "no audio topic: nothing will be heard"}
        chosen = {(topic.name, topic.type) for topic in self.topics}
        left = [k for k in self._kinds() if k.type in KNOWN and (k.topic, k.type) not in chosen]
        return [note for stream, note in notes.items() if stream not in have] + [
            f"topic {kind.topic} is left out" + ("" if self._usable(kind.type) else _not_here(kind.type))
            for kind in left
        ]

    def fingerprint(self) -> str:
        """64 hexadecimal digits from the sizes and the ends of the bag's files: the same bag twice is noticed by it."""
        digest = hashlib.sha256()
        logs = [one.with_name(one.name + ending) for one in self._found.paths for ending in UNFINISHED]
        for file in sorted([*self._found.paths, *(log for log in logs if log.is_file())]):
            digest.update(f"{file.name} {file.stat().st_size}".encode())
            for end in bagfiles.ends(file):
                digest.update(end)
        return digest.hexdigest()

    def origin_ns(self) -> int:
        """The earliest stamp among the topics' first readable messages; where a stamp is zero, the time of recording.
        0 where no message can be read.
        """
        return min((first for topic in self.topics if (first := self._first_ns(topic)) is not None), default=0)

    def messages(self, topics: tuple[Topic, ...] | None = None) -> Iterator[Recorded]:
        """The messages of the chosen topics in the order recorded. Raises BagUnreadable where the disk fails."""
        stream_of = {(topic.name, topic.type): topic.stream for topic in (topics or self.topics)}
        each = [file.messages(stream_of.keys()) for file in self._files]
        try:
            for one in heapq.merge(*each, key=lambda message: message.recorded_ns):
                yield Recorded(stream_of[one.topic, one.type], one.recorded_ns, unpack_message(one.raw))
        except OSError as error:
            raise BagUnreadable(f"{self.path} cannot be read to its end: {error}") from error

    def stamp_ns(self, topic: Topic, raw: bytes) -> int:
        """The header stamp of a message. Raises Unreadable."""
        stamp = self.fields(topic, raw).header.stamp
        return int(stamp.sec) * SECOND + int(stamp.nanosec)

    def fields(self, topic: Topic, raw: bytes) -> Any:
        """A message as an object with the fields of its type. Raises Unreadable if it is not of that type."""
        from rosbags.serde import SerdeError

        store = self._types()
        if topic.type not in store.fielddefs:
            raise Unreadable(f"messages of {topic.name}: the bag does not say what {topic.type} is made of")
        try:
            return store.deserialize_cdr(raw, topic.type)
        except (SerdeError, struct.error, ValueError, IndexError, KeyError, OverflowError, AssertionError) as error:
            raise Unreadable(f"messages of {topic.name} that are torn or not {topic.type}") from error

    def readable(self, topic: Topic, raw: bytes) -> bool:
        """False for a message that is torn or of another type, which no subscriber would ever be given."""
        if topic.type not in self._types().fielddefs:
            return True  # who knows
        return self._reads(topic, raw)

    def fault(self, topic: Topic, raw: bytes) -> str:
        """What is wrong with a message that is not readable, in words that fit behind "messages are"."""
        others = (replace(topic, type=type_) for type_ in TYPES[topic.stream] if type_ != topic.type)
        for other in others:
            if other.type in self._types().fielddefs and self._reads(other, raw):
                return f"{other.type}, not {topic.type}"
        return "torn or garbage"

    def _reads(self, topic: Topic, raw: bytes) -> bool:
        try:
            self.fields(topic, raw)
        except Unreadable:
            return False
        return True

    def _first_ns(self, topic: Topic) -> int | None:
        """The first stamp that the next one agrees with: a stray one must not tell when a bag begins."""
        stamps: list[int] = []
        recorded: int | None = None
        for number, one in enumerate(self.messages((topic,))):
            recorded = one.recorded_ns if recorded is None else recorded
            if number >= LEARNT_FROM or len(stamps) == 3:
                break
            with suppress(Unreadable):
                stamps.append(self.stamp_ns(topic, one.raw) or one.recorded_ns)
        pairs = zip(stamps, stamps[1:], strict=False)
        agreed = [first for first, then in pairs if abs(then - first) <= AGREE_NS]
        return next(iter([*agreed, *stamps]), recorded)

    def _types(self) -> Any:
        """The type store of ROS 2 Jazzy with the chosen topics' types, as the bag defines them."""
        if self._typestore is None:
            from rosbags.typesys import Stores, TypesysError, get_types_from_msg, get_typestore

            self._typestore = store = get_typestore(Stores.ROS2_JAZZY)
            wanted = {topic.type for topic in self.topics}
            for kind in self._kinds():
                if kind.type in wanted and kind.definition and kind.type not in store.fielddefs:
                    try:
                        types = get_types_from_msg(kind.definition, kind.type)
                        store.register({name: one for name, one in types.items() if name not in store.fielddefs})
                    except (TypesysError, ValueError, KeyError):
                        continue  # fields() says that the type is not known
        return self._typestore

    def _kinds(self) -> list[Kind]:
        """What lies on which topic, over all files."""
        counts: Counter[tuple[str, str]] = Counter()
        definitions: dict[tuple[str, str], str] = {}
        for kind in (kind for file in self._files for kind in file.kinds):
            counts[kind.topic, kind.type] += kind.count
            definitions[kind.topic, kind.type] = definitions.get((kind.topic, kind.type)) or kind.definition
        return [Kind(topic, type_, n, definitions[topic, type_]) for (topic, type_), n in counts.items()]

    def _choose(self) -> tuple[Topic, ...]:
        """One topic for each stream: the preferred type first, then the one with the most messages."""
        chosen = []
        for stream, types in TYPES.items():
            fitting = [kind for kind in self._kinds() if kind.type in types and kind.count and self._usable(kind.type)]
            if fitting:
                best = min(fitting, key=lambda k: (types.index(k.type), -k.count, k.topic))
                chosen.append(Topic(stream, best.topic, best.type, best.count))
        return tuple(chosen)

    def _read(self, count: int) -> str:
        said = self._found.metadata
        if said.count is None or said.count < count:  # it cannot tell how much there was
            return f"read {count:,} messages ({self.seconds:.0f} s)"
        of = f" of {'about ' if said.count > count else ''}{said.count:,}"
        time = "" if said.seconds is None else f" of {said.seconds:.0f} s"
        return f"read {count:,}{of} messages ({self.seconds:.0f} s{time})"

    def _retyped(self) -> list[str]:
        """Topics of which metadata.yaml and the files tell different types."""
        held, said = {(kind.topic, kind.type) for kind in self._kinds()}, self._found.metadata.topics
        wrong = sorted({name for name, _ in held - said} & {name for name, _ in said - held})
        return [f"metadata.yaml has another type for {', '.join(wrong)}: the files are believed"] * bool(wrong)

    def _nothing(self) -> str:
        held = ", ".join(sorted({f"{k.topic} ({k.type})" for k in self._kinds()})) or "no messages at all"
        why = f" ({self.damage})" if self.damage else ""
        why += "".join(
            sorted({_not_here(k.type) for k in self._kinds() if k.type in KNOWN and not self._usable(k.type)})
        )
        return (
            f"{self.path} holds nothing to remember: {held}{why}. "
            f"A camera topic ({' or '.join(IMAGE_TYPES)}) or an audio topic ({AUDIO_TYPES[0]}) is needed"
        )


def _not_here(type_name: str) -> str:
    return f": the package {type_name.split('/')[0]} is not installed"
