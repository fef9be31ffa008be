"""The records of an mcap, as bytes (layout: mcap.dev/spec)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"\x89MCAP0\r\n"
FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK = 0x02, 0x03, 0x04, 0x05, 0x06
OPCODES = range(0x01, 0x10)
RECORD = struct.Struct("<BQ")
MESSAGE_HEAD = struct.Struct("<HIQQ")  # channel, sequence, log time, publish time
CHUNK_HEAD = struct.Struct("<QQQI")  # first and last time, unpacked size, checksum
COMPRESSIONS = (b"", b"lz4", b"zstd")


@dataclass(frozen=True)
class Walked:
    """The records of one block: messages (channel, log time, where its bytes lie) and how far the walk got."""

    messages: tuple[tuple[int, int, int, int], ...]
    whole: bool
    end: int


def chunk_fits(rest: bytes, length: int) -> bool:
    """Do a chunk's own sizes agree? `rest` is what follows its opcode and its length."""
    named = uint32(rest, CHUNK_HEAD.size)
    if named > 4 or rest[CHUNK_HEAD.size + 4 : CHUNK_HEAD.size + 4 + named] not in COMPRESSIONS:
        return False
    size = int.from_bytes(rest[CHUNK_HEAD.size + 4 + named : CHUNK_HEAD.size + 12 + named], "little")
    return size == length - CHUNK_HEAD.size - 12 - named


def records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Opcode, start and end of each whole record within `data`."""
    at = 0
    while at + RECORD.size <= len(data):
        opcode, length = RECORD.unpack_from(data, at)
        low, high = at + RECORD.size, at + RECORD.size + length
        if high > len(data) or opcode not in OPCODES:
            return
        yield opcode, low, high
        at = high


def walk(data: bytes) -> Walked:
    """The messages among a block's records."""
    messages, end = [], 0
    for opcode, low, high in records(data):
        end = high
        if opcode == MESSAGE and high - low >= MESSAGE_HEAD.size:
            channel, _, stamp, _ = MESSAGE_HEAD.unpack_from(data, low)
            messages.append((channel, stamp, low + MESSAGE_HEAD.size, high))
    return Walked(tuple(messages), whole=end == len(data), end=end)


def places(data: bytes, opcode: int) -> Iterator[int]:
    """Where a record of this kind might begin."""
    at = data.find(opcode)
    while at >= 0:
        yield at
        at = data.find(opcode, at + 1)


def uint16(record: bytes, at: int) -> int:
    return int(struct.unpack_from("<H", record, at)[0])


def uint32(record: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", record, at)[0])


def text(record: bytes, at: int) -> tuple[str, int]:
    """A string, and where it ends. Raises struct.error or UnicodeDecodeError."""
    length = uint32(record, at)
    return record[at + 4 : at + 4 + length].decode(), at + 4 + length
