"""Messages that are no messages: cut off, of no bytes at all, noise, or good ones with random bytes changed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from robot_memory.evaluation.bags.bagwriter import Recorded
from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream
from robot_memory.streams.media import SECOND

TOPICS = 80
STRING = "std_msgs/msg/String"


def zero_bytes(stream: Stream, source: Source) -> Stream:
    """Every fifth message has no bytes."""
    return _every_fifth(stream, lambda data: b"")


def truncated_cdr(stream: Stream, source: Source) -> Stream:
    """Every fifth message ends at a random place."""
    return _every_fifth(stream, lambda data: data[: int(source.dice.integers(0, len(data)))])


def padded_cdr(stream: Stream, source: Source) -> Stream:
    """Every fifth message is followed by up to a thousand more bytes."""
    return _every_fifth(stream, lambda data: data + bytes(int(source.dice.integers(1, 1000))))


def garbage_cdr(stream: Stream, source: Source) -> Stream:
    """Every fifth message is noise behind its stamp."""
    return _every_fifth(stream, lambda data: data[:12] + noise(source.dice, len(data) - 12))


def all_garbage(stream: Stream, source: Source) -> Stream:
    """Every message is noise from its first byte on."""
    return (message._replace(data=noise(source.dice, len(message.data))) for message in stream)


def huge_lengths(stream: Stream, source: Source) -> Stream:
    """Every fifth message says that the string behind its stamp has two billion letters."""
    return _every_fifth(stream, lambda data: data[:12] + b"\xff\xff\xff\x7f" + data[16:])


def big_endian(stream: Stream, source: Source) -> Stream:
    """Every message says that it is big-endian, and is not."""
    return (message._replace(data=b"\x00\x00" + message.data[2:]) for message in stream)


def fuzz(stream: Stream, source: Source) -> Stream:
    """A fifth of the messages have one to eight random bytes changed, the first 200 more often than the rest."""
    return (
        message._replace(data=mutated(source.dice, message.data)) if source.dice.random() < 0.2 else message
        for message in stream
    )


def many_topics(stream: Stream, source: Source) -> Stream:
    """Eighty other topics, one message each, before the first of ours."""
    for number in range(TOPICS):
        text = f"topic {number}".encode() + b"\0"
        data = b"\x00\x01\x00\x00" + len(text).to_bytes(4, "little") + text
        yield Recorded(f"/other/number_{number}", STRING, source.held.first_ns - SECOND + number, data)
    yield from stream


def noise(dice: np.random.Generator, count: int) -> bytes:
    return dice.integers(0, 256, max(0, count), np.uint8).tobytes()


def mutated(dice: np.random.Generator, data: bytes) -> bytes:
    """The same bytes with a few changed."""
    changed = bytearray(data)
    for _ in range(int(dice.integers(1, 9))):
        end = min(len(changed), 200) if dice.random() < 0.7 else len(changed)
        if end:
            changed[int(dice.integers(0, end))] = int(dice.integers(0, 256))
    return bytes(changed)


def _every_fifth(stream: Stream, change: Callable[[bytes], bytes]) -> Stream:
    for number, message in enumerate(stream):
        yield message._replace(data=change(message.data)) if number % 5 == 2 else message


KINDS: dict[str, Alteration] = {
    one.__name__: one
    for one in (
        *(zero_bytes, truncated_cdr, padded_cdr, garbage_cdr, all_garbage, huge_lengths, big_endian, fuzz),
        many_topics,
    )
}
