"""Bad bags on purpose, each made from a good one of ours: what a robot's recorder leaves behind on a bad day.

Messages are streamed as bytes and pictures are never decoded, so this is quick; the same source gives the same
bag. For tests: `make(kind, source, out)`, kinds in KINDS.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import BagWriter, Contents, Recorded, contents
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.bags.messages import AUDIO, COMPRESSED, ODOMETRY, RAW
from robot_memory.streams.media import SECOND

Stream = Iterator[Recorded]

HOUR_NS = 3600 * SECOND
GAP_NS = 8 * SECOND
EARLY_NS = 20 * SECOND
TEAR = 0.6  # where a torn file ends, as a fraction of its bytes
STAMP = struct.Struct("<iI")  # a header comes first in each message: four bytes of CDR preamble, then its stamp
STAMP_AT = 4


class UnknownKind(RobotMemoryError):
    """There is no bad bag of this kind."""


def make(kind: str, source: Path, out: Path) -> Path:
    """Make the bad bag `kind` at the folder `out` from the good bag `source`; returns `out`.

    Raises UnknownKind, and BagNotWritten where a bag is there already.
    """
    if kind not in KINDS:
        raise UnknownKind(f"no bad bag of kind {kind!r} — choose one of {', '.join(KINDS)}")
    held = contents(source)
    with BagWriter(out, "sqlite3" if kind == "torn_sqlite" else "mcap") as bag:
        if kind == "empty":
            for topic, msgtype in held.topics.items():
                bag.topic(topic, msgtype)
        for message in _altered(kind, source, held):
            bag.write(message)
    if kind in DAMAGES:
        DAMAGES[kind](out)
    return out


def _altered(kind: str, source: Path, held: Contents) -> Stream:
    """The source's messages as the kind has them; damage to files comes later."""
    stream = read_bag(source)
    if kind == "empty":
        return iter(())
    if kind in TIMED:
        return TIMED[kind](stream, held)
    return ALTERATIONS[kind](stream) if kind in ALTERATIONS else stream


def no_audio(stream: Stream) -> Stream:
    return (message for message in stream if message.msgtype != AUDIO)


def no_images(stream: Stream) -> Stream:
    return (message for message in stream if message.msgtype != COMPRESSED)


def zero_stamps(stream: Stream) -> Stream:
    """Drivers that never set a stamp; the times of recording stay true."""
    return (message._replace(data=restamped(message.data, 0)) for message in stream)


def jump_back(stream: Stream, held: Contents) -> Stream:
    """From the middle on every stamp is an hour earlier: someone set the clock. The order of recording stays."""
    for message in stream:
        late = message.recorded_ns >= middle(held)
        yield message._replace(data=restamped(message.data, stamp_of(message) - HOUR_NS)) if late else message


def image_gap(stream: Stream, held: Contents) -> Stream:
    """Eight seconds around the middle without a picture; sound and odometry go on."""
    for message in stream:
        if message.msgtype != COMPRESSED or not -GAP_NS // 2 <= stamp_of(message) - middle(held) < GAP_NS // 2:
            yield message


def audio_short(stream: Stream, held: Contents) -> Stream:
    """The microphone falls silent 20 s before the end."""
    return (m for m in stream if m.msgtype != AUDIO or m.recorded_ns <= held.last_ns - EARLY_NS)


def garbage_jpeg(stream: Stream) -> Stream:
    """Every third picture starts like a JPEG and goes on as noise."""
    return _instead_of_pictures(stream, _noise)


def raw_image(stream: Stream) -> Stream:
    """Uncompressed pictures, small: a grey ramp that drifts, on the topic of a raw camera."""
    return _instead_of_pictures(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, _ramp(n))))


def unknown_encoding(stream: Stream) -> Stream:
    """Raw pictures of an encoding that nobody has heard of."""
    return _instead_of_pictures(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, _ramp(n), "sepia11")))


def zero_size_image(stream: Stream) -> Stream:
    """Raw pictures of 0 x 0 pixels."""
    nothing = np.zeros((0, 0, 3), np.uint8)
    return _instead_of_pictures(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, nothing)))


def nan_odometry(stream: Stream) -> Stream:
    """Every other pose is not a number: an odometry filter that diverged."""
    count = 0
    for message in stream:
        if message.msgtype == ODOMETRY:
            count += 1
            if count % 2 == 0:
                yield message._replace(data=messages.odometry(stamp_of(message), *[float("nan")] * 3))
                continue
        yield message


def torn(bag: Path) -> None:
    """The file ends in the middle of a message: the power went while recording."""
    path = next(path for path in sorted(bag.iterdir()) if path.suffix in (".mcap", ".db3"))
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * TEAR))


def no_metadata(bag: Path) -> None:
    """The recorder was killed before it wrote metadata.yaml."""
    (bag / "metadata.yaml").unlink()


ALTERATIONS: dict[str, Callable[[Stream], Stream]] = {
    "no_audio": no_audio,
    "no_images": no_images,
    "unknown_encoding": unknown_encoding,
    "zero_size_image": zero_size_image,
    "raw_image": raw_image,
    "garbage_jpeg": garbage_jpeg,
    "zero_stamps": zero_stamps,
    "nan_odometry": nan_odometry,
}
TIMED: dict[str, Callable[[Stream, Contents], Stream]] = {
    "jump_back": jump_back,
    "image_gap": image_gap,
    "audio_short": audio_short,
}
DAMAGES: dict[str, Callable[[Path], None]] = {"torn": torn, "torn_sqlite": torn, "no_metadata": no_metadata}
KINDS: tuple[str, ...] = ("empty", *ALTERATIONS, *TIMED, *DAMAGES)


def stamp_of(message: Recorded) -> int:
    """The header's stamp, nanoseconds, read from the message's bytes."""
    sec, nanosec = STAMP.unpack_from(message.data, STAMP_AT)
    return int(sec) * SECOND + int(nanosec)


def restamped(data: bytes, stamp_ns: int) -> bytes:
    """The same message with another stamp in its header."""
    return data[:STAMP_AT] + STAMP.pack(*divmod(stamp_ns, SECOND)) + data[STAMP_AT + STAMP.size :]


def middle(held: Contents) -> int:
    """The time half-way through a recording, nanoseconds."""
    return (held.first_ns + held.last_ns) // 2


def _instead_of_pictures(stream: Stream, other: Callable[[int, int], tuple[str, bytes] | None]) -> Stream:
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


def _noise(number: int, stamp_ns: int) -> tuple[str, bytes] | None:
    if number % 3:
        return None
    noise = np.random.default_rng(number).integers(0, 256, 4000, np.uint8).tobytes()
    return COMPRESSED, messages.compressed_image(stamp_ns, b"\xff\xd8\xff\xe0" + noise)


def _ramp(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A grey ramp of 160 x 120 that drifts with the frame number."""
    row = (np.arange(160) + number) % 256
    return np.repeat(np.broadcast_to(row, (120, 160))[:, :, None], 3, axis=2).astype(np.uint8)
