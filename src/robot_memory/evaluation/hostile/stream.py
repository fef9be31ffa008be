"""What every alteration of a bag works on: its messages as a stream of bytes, a description of the whole, and dice.

A header comes first in each message we alter: four bytes of CDR preamble, then its stamp.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import Contents, Recorded
from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, RAW
from robot_memory.streams.media import SECOND

STAMP = struct.Struct("<iI")
STAMP_AT = 4
EARLIEST_NS, LATEST_NS = -(2**31) * SECOND, (2**31) * SECOND - 1

Stream = Iterator[Recorded]


@dataclass(frozen=True)
class Source:
    """What an alteration may know: the good bag's contents, and dice that are the same for the same seed and kind."""

    held: Contents
    dice: np.random.Generator

    @property
    def middle_ns(self) -> int:
        """The time half-way through the recording."""
        return (self.held.first_ns + self.held.last_ns) // 2


Alteration = Callable[[Stream, Source], Stream]


def stamp_of(message: Recorded) -> int:
    """The header's stamp, nanoseconds, read from the message's bytes."""
    sec, nanosec = STAMP.unpack_from(message.data, STAMP_AT)
    return int(sec) * SECOND + int(nanosec)


def restamped(data: bytes, stamp_ns: int) -> bytes:
    """The same message with another stamp in its header; what a stamp cannot hold is clipped."""
    stamp_ns = min(max(stamp_ns, EARLIEST_NS), LATEST_NS)
    return data[:STAMP_AT] + STAMP.pack(*divmod(stamp_ns, SECOND)) + data[STAMP_AT + STAMP.size :]


def pictures_as(stream: Stream, other: Callable[[int, int], tuple[str, bytes] | None]) -> Stream:
    """Put other messages in the place of the pictures: `other` gets number and stamp; None keeps the picture."""
    number = 0
    for message in stream:
        new = other(number, stamp_of(message)) if message.msgtype == COMPRESSED else None
        number += message.msgtype == COMPRESSED
        if new is None:
            yield message
        else:
            topic = message.topic.removesuffix("/compressed") if new[0] == RAW else message.topic
            yield Recorded(topic, new[0], message.recorded_ns, new[1])


def sound_as(stream: Stream, other: Callable[[int, Recorded, Any], Iterator[Recorded]]) -> Stream:
    """Put other messages in the place of the sound: `other` gets number, message and its fields."""
    number = 0
    for message in stream:
        if message.msgtype == AUDIO:
            yield from other(number, message, messages.read(message.data, AUDIO))
            number += 1
        else:
            yield message


def in_order(stream: Stream) -> Stream:
    """Sorted by time of recording, as a recorder would have written it."""
    return iter(sorted(stream, key=lambda message: message.recorded_ns))
