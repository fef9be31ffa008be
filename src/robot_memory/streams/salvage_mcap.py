"""Every message that an mcap still holds, wherever it is torn or damaged, without its index.

The file is walked record by record. Of a torn chunk, what comes before the tear is read: as far
as it goes where it is not compressed, as far as the decompressor gives bytes where it is. A damaged stretch is searched
for messages that make sense, and the walk goes on at the next chunk. The file is only ever read.
"""

from __future__ import annotations

import heapq
import struct
import zlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from robot_memory.streams.bagstorage import Kind, StoredMessage
from robot_memory.streams.mcap_records import (
    CHANNEL,
    CHUNK,
    CHUNK_HEAD,
    FOOTER,
    MAGIC,
    MESSAGE,
    MESSAGE_HEAD,
    OPCODES,
    RECORD,
    SCHEMA,
    Walked,
    chunk_fits,
    places,
    records,
    text,
    uint16,
    uint32,
    walk,
)
from robot_memory.streams.unpacking import UnknownCompression, unpack

WINDOW = 1 << 20
AGREE_NS = 3600 * 1_000_000_000  # between a message's two times, and between it and those beside it
BIGGEST_CHUNK = 1 << 31  # bytes, packed or unpacked; recorders write chunks of about a megabyte


@dataclass(frozen=True)
class Block:
    """A chunk, or a run of messages outside of chunks, as it lies in the file."""

    offset: int
    length: int
    packed: bool
    start_ns: int = 0  # the earliest message within
    times: tuple[int, int] = (0, 2**64)  # what its messages' times are in; others of a damaged chunk are noise

    def holds(self, stamp_ns: int) -> bool:
        return self.times[0] <= stamp_ns <= self.times[1]


class McapSalvage:
    """A torn or damaged mcap. `damage` says what is wrong with it; empty where nothing is."""

    def __init__(self, path: Path) -> None:
        """Walks the file once. Raises OSError."""
        self.path = path
        self._schemas: dict[int, tuple[str, str]] = {}  # schema id -> type, definition
        self._channels: dict[int, tuple[str, str, str]] = {}  # channel id -> topic, type, definition
        self._blocks: list[Block] = []
        self._counts: Counter[int] = Counter()
        self._damaged_chunks, self._stray_bytes = 0, 0
        self._stretches: list[tuple[int, int]] = []  # of the file that are damaged and not yet searched
        self._end = "has no end: the recorder was cut short"
        self.start_ns, self.end_ns = 0, 0
        with path.open("rb") as file:
            self._size = path.stat().st_size
            self._scan(file)
            for low, high in self._stretches:
                self._search(file, low, high)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The topics with their types; a topic that several nodes published to is one."""
        counts: Counter[tuple[str, str]] = Counter()
        definitions: dict[tuple[str, str], str] = {}
        for number, (topic, msgtype, definition) in self._channels.items():
            counts[topic, msgtype] += self._counts[number]
            definitions[topic, msgtype] = definition
        return tuple(Kind(topic, msgtype, n, definitions[topic, msgtype]) for (topic, msgtype), n in counts.items())

    @property
    def count(self) -> int:
        return sum(n for number, n in self._counts.items() if number in self._channels)

    @property
    def damage(self) -> str:
        found = [self._end] if self._end else []
        if self._damaged_chunks:
            found.append(f"holds damaged chunks ({self._damaged_chunks})")
        if self._stray_bytes:
            found.append(f"holds {self._stray_bytes:,} bytes that are no records")
        return ", ".join(found)

    def messages(self, kinds: Collection[tuple[str, str]]) -> Iterator[StoredMessage]:
        """The messages of the given (topic, type) pairs in order of recording. Raises OSError."""
        wanted = {number: (one[0], one[1]) for number, one in self._channels.items() if (one[0], one[1]) in kinds}
        held: list[tuple[int, int, StoredMessage]] = []
        serial = 0
        with self.path.open("rb") as file:
            for block in sorted(self._blocks, key=lambda one: (one.start_ns, one.offset)):
                while held and held[0][0] < block.start_ns:
                    yield heapq.heappop(held)[2]
                data = self._load(file, block)
                for channel, stamp, low, high in walk(data).messages:
                    if channel in wanted and block.holds(stamp):
                        serial += 1
                        heapq.heappush(held, (stamp, serial, StoredMessage(*wanted[channel], stamp, data[low:high])))
        while held:
            yield heapq.heappop(held)[2]

    # ---- the first pass

    def _scan(self, file: BinaryIO) -> None:
        offset = len(MAGIC) if file.read(len(MAGIC)) == MAGIC else self._resync(file, 0)
        while offset < self._size:
            file.seek(offset)
            head = file.read(RECORD.size)
            if len(head) < RECORD.size:
                self._end = "ends in the middle of a record"
                return
            opcode, length = RECORD.unpack(head)
            after = offset + RECORD.size + length
            if opcode == FOOTER and length == 20 and after <= self._size:
                self._end = ""
                return
            if opcode not in OPCODES or (after > self._size and not self._plausible(file, opcode, length)):
                offset = self._resync(file, offset + 1)
            elif opcode == MESSAGE:
                begun, offset = offset, self._take_loose(file, offset, self._size)
                if offset == begun:
                    self._end = "ends in the middle of a message"
                    return
            elif opcode == CHUNK:
                self._take_chunk(file, offset, min(after, self._size) - offset, torn=after > self._size)
                offset = after
            elif after > self._size:
                self._end = "ends in the middle of a record"
                return
            else:
                if opcode in (SCHEMA, CHANNEL):
                    self._learn(opcode, file.read(length))
                offset = after

    def _plausible(self, file: BinaryIO, opcode: int, length: int) -> bool:
        """Is a record that reaches beyond the end of the file a torn one, rather than noise?"""
        if opcode != CHUNK:
            return length < WINDOW * 256 and not self._next_chunk(file, file.tell())
        rest = file.read(CHUNK_HEAD.size + 16)
        file.seek(-len(rest), 1)
        return len(rest) < CHUNK_HEAD.size + 16 or chunk_fits(rest, length)

    def _take_loose(self, file: BinaryIO, offset: int, high: int) -> int:
        """Messages outside of chunks, about a window of them; returns where they end."""
        file.seek(offset)
        data = file.read(min(WINDOW, high - offset))
        if len(data) >= RECORD.size and (need := RECORD.size + RECORD.unpack_from(data)[1]) > len(data):
            data += file.read(max(0, min(need, BIGGEST_CHUNK, high - offset) - len(data)))
        end = 0
        while end + RECORD.size <= len(data):
            opcode, length = RECORD.unpack_from(data, end)
            if opcode != MESSAGE or end + RECORD.size + length > len(data):
                break
            end += RECORD.size + length
        if not end:
            return offset
        self._keep(Block(offset, end, False), walk(data[:end]))
        return offset + end

    def _take_chunk(self, file: BinaryIO, offset: int, length: int, torn: bool) -> None:
        block = Block(offset, length, True)
        try:
            data = self._load(file, block)
        except UnknownCompression:
            self._damaged_chunks += 1
            return
        walked = self._learned(data)
        if torn:
            self._end = "ends in the middle of a chunk"
        elif not walked.whole or not self._intact(file, offset, data):
            self._damaged_chunks += 1
            block = replace(block, times=self._times(file, offset))
            if len(data) and data == self._plain(file, block):
                self._stretches.append((offset + length - len(data) + walked.end, offset + length))
        self._keep(block, walked)

    def _keep(self, block: Block, walked: Walked) -> None:
        kept = [(channel, stamp) for channel, stamp, _, _ in walked.messages if block.holds(stamp)]
        if not kept:
            return
        first, last = min(stamp for _, stamp in kept), max(stamp for _, stamp in kept)
        self.start_ns = min(self.start_ns, first) if self._blocks else first
        self.end_ns = max(self.end_ns, last)
        self._counts.update(channel for channel, _ in kept)
        self._blocks.append(replace(block, start_ns=first))

    def _learned(self, data: bytes) -> Walked:
        """Walk a chunk's records, and note its schemas and channels."""
        for opcode, low, high in records(data):
            if opcode in (SCHEMA, CHANNEL):
                self._learn(opcode, data[low:high])
        return walk(data)

    def _learn(self, opcode: int, record: bytes) -> None:
        try:
            if opcode == SCHEMA:
                name, at = text(record, 2)
                encoding, at = text(record, at)
                definition, _ = text(record, at)
                self._schemas[uint16(record, 0)] = name, definition if encoding == "ros2msg" else ""
            else:
                topic, at = text(record, 4)
                encoding, _ = text(record, at)
                if encoding == "cdr" and (schema := self._schemas.get(uint16(record, 2))):
                    self._channels[uint16(record, 0)] = topic, *schema
        except (struct.error, UnicodeDecodeError):
            self._stray_bytes += len(record)

    def _load(self, file: BinaryIO, block: Block) -> bytes:
        """The records of a block, unpacked as far as they go."""
        file.seek(block.offset)
        if not block.packed:
            return file.read(block.length)
        head = file.read(RECORD.size + CHUNK_HEAD.size + 4)
        if len(head) < RECORD.size + CHUNK_HEAD.size + 4:
            return b""
        _, _, size, _ = CHUNK_HEAD.unpack_from(head, RECORD.size)
        form = file.read(min(uint32(head, len(head) - 4), 64))
        before = len(head) + len(form) + 8
        packed_size = int.from_bytes(file.read(8), "little")
        packed = file.read(max(0, min(packed_size, block.length - before, BIGGEST_CHUNK)))
        return unpack(packed, form.decode("ascii", "replace"), min(size, BIGGEST_CHUNK))

    def _plain(self, file: BinaryIO, block: Block) -> bytes | None:
        """The bytes of a chunk that is not compressed; None for others."""
        file.seek(block.offset)
        head = file.read(RECORD.size + CHUNK_HEAD.size + 4)
        return self._load(file, block) if uint32(head, len(head) - 4) == 0 else None

    def _times(self, file: BinaryIO, offset: int) -> tuple[int, int]:
        """The first and the last time of a chunk, as its head says."""
        file.seek(offset)
        first, last, _, _ = CHUNK_HEAD.unpack_from(file.read(RECORD.size + CHUNK_HEAD.size), RECORD.size)
        return (first, last) if first <= last else Block.times

    def _intact(self, file: BinaryIO, offset: int, data: bytes) -> bool:
        file.seek(offset)
        _, _, size, checksum = CHUNK_HEAD.unpack_from(file.read(RECORD.size + CHUNK_HEAD.size), RECORD.size)
        return len(data) == size and (not checksum or zlib.crc32(data) == checksum)

    # ---- after a damaged stretch

    def _resync(self, file: BinaryIO, offset: int) -> int:
        """Where the next chunk begins; where there is none, the summary, which knows all topics; else the end."""
        found = self._next_chunk(file, offset) or self._summary(file, offset)
        self._stray_bytes += found - offset
        self._stretches.append((offset, found))
        return found

    def _summary(self, file: BinaryIO, offset: int) -> int:
        """Where the summary begins, as the last bytes of a whole file say; the end of the file where they do not."""
        tail = RECORD.size + 20 + len(MAGIC)
        file.seek(max(0, self._size - tail))
        data = file.read(tail)
        begin = int.from_bytes(data[RECORD.size : RECORD.size + 8], "little")
        said = len(data) == tail and data.endswith(MAGIC) and RECORD.unpack_from(data) == (FOOTER, 20)
        return begin if said and offset <= begin < self._size else self._size

    def _search(self, file: BinaryIO, low: int, high: int) -> None:
        """Keep the messages of a damaged stretch, known by their channel and by two times that agree."""
        at = low
        while at < high:
            file.seek(at)
            data = file.read(min(WINDOW, high - at))
            begin = next((n for n in places(data, MESSAGE) if self._is_message(data, n)), None)
            if begin is None:
                at += max(1, len(data) - RECORD.size - MESSAGE_HEAD.size)
                continue
            end = self._take_loose(file, at + begin, high)
            at = max(end, at + begin + 1)

    def _is_message(self, data: bytes, at: int) -> bool:
        if at + RECORD.size + MESSAGE_HEAD.size > len(data):
            return False
        length = RECORD.unpack_from(data, at)[1]
        channel, _, logged, published = MESSAGE_HEAD.unpack_from(data, at + RECORD.size)
        beside = not self._blocks or self.start_ns - AGREE_NS <= logged <= self.end_ns + AGREE_NS
        agree = abs(logged - published) <= AGREE_NS and bool(logged)
        return channel in self._channels and MESSAGE_HEAD.size <= length <= BIGGEST_CHUNK and beside and agree

    def _next_chunk(self, file: BinaryIO, offset: int) -> int | None:
        overlap = RECORD.size + CHUNK_HEAD.size + 16
        while offset < self._size:
            file.seek(offset)
            data = file.read(WINDOW + overlap)
            for at in places(data[:WINDOW], CHUNK):
                rest = data[at + RECORD.size : at + overlap]
                if at + overlap <= len(data) and chunk_fits(rest, RECORD.unpack_from(data, at)[1]):
                    return offset + at
            offset += WINDOW
        return None
