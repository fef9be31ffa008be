"""Pictures that no camera should send, and that some do."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import Recorded
from robot_memory.evaluation.bags.messages import CAMERA_FRAME, COMPRESSED, RAW
from robot_memory.evaluation.hostile.stream import Alteration, Source, Stream, pictures_as, restamped, stamp_of
from robot_memory.streams.media import SECOND

ENCODINGS = (  # sensor_msgs/image_encodings.hpp: name -> bytes a pixel
    *(("rgb8", 3), ("rgba8", 4), ("rgb16", 6), ("rgba16", 8), ("bgr8", 3), ("bgra8", 4), ("bgr16", 6), ("bgra16", 8)),
    *(("mono8", 1), ("mono16", 2)),
    *((f"{bits}{kind}C{channels}", bits // 8 * channels) for bits, kind in ((8, "U"), (8, "S"), (16, "U"), (16, "S"))
      for channels in (1, 2, 3, 4)),
    *((f"{bits}{kind}C{channels}", bits // 8 * channels) for bits, kind in ((32, "S"), (32, "F"), (64, "F"))
      for channels in (1, 2, 3, 4)),
    *((f"bayer_{order}{bits}", bits // 8) for order in ("rggb", "bggr", "gbrg", "grbg") for bits in (8, 16)),
    *(("yuv422", 2), ("yuv422_yuy2", 2), ("uyvy", 2), ("yuyv", 2), ("nv21", 2), ("nv24", 3)),
)  # fmt: skip
NONSENSE = (
    "",
    " ",
    "BGR8",
    "bgr8 ",
    "bgr8; jpeg compressed",
    "sepia11",
    "bayer_",
    "32FC0",
    "8UC999",
    "\U0001f4f7" * 50,
)
FLOOD = 1000
HUGE_EVERY = 40  # pictures: one of 33 megapixels takes half a second to make and to look at
RED_DOT_GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)


def garbage_jpeg(stream: Stream, source: Source) -> Stream:
    """Every third picture starts like a JPEG and goes on as noise."""
    return pictures_as(stream, lambda n, stamp: None if n % 3 else (COMPRESSED, noisy_jpeg(stamp, source.dice)))


def raw_image(stream: Stream, source: Source) -> Stream:
    """Uncompressed pictures, small: a grey ramp that drifts, on the topic of a raw camera."""
    return pictures_as(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, ramp(n))))


def unknown_encoding(stream: Stream, source: Source) -> Stream:
    """Raw pictures of an encoding that nobody has heard of."""
    return pictures_as(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, ramp(n), "sepia11")))


def zero_size_image(stream: Stream, source: Source) -> Stream:
    """Raw pictures of 0 x 0 pixels."""
    nothing = np.zeros((0, 0, 3), np.uint8)
    return pictures_as(stream, lambda n, stamp: (RAW, messages.raw_image(stamp, nothing)))


def tiny_image(stream: Stream, source: Source) -> Stream:
    """Raw pictures of one pixel, of one row, and of one column."""
    sizes = ((1, 1), (1, 500), (500, 1))
    return pictures_as(
        stream, lambda n, stamp: (RAW, messages.raw_image(stamp, np.full((*sizes[n % 3], 3), n % 256, np.uint8)))
    )


def every_encoding(stream: Stream, source: Source) -> Stream:
    """Raw pictures in each encoding of sensor_msgs in turn, then in ten that are none."""
    return pictures_as(stream, lambda n, stamp: (RAW, in_encoding(stamp, n, source.dice)))


def wrong_size(stream: Stream, source: Source) -> Stream:
    """Raw pictures whose size, step and bytes do not agree: too short, too long, rows that overlap, big-endian."""
    return pictures_as(stream, lambda n, stamp: (RAW, disagreeing(stamp, n)))


def huge_declared(stream: Stream, source: Source) -> Stream:
    """Raw pictures that say they have 2^31 rows of 2^31 pixels, in 300 bytes."""
    return pictures_as(stream, lambda n, stamp: (RAW, gigantic(stamp)))


def jpeg_bomb(stream: Stream, source: Source) -> Stream:
    """Every third picture is a small JPEG or PNG that says it has four billion pixels."""
    return pictures_as(stream, lambda n, stamp: None if n % 3 else (COMPRESSED, bomb(stamp, n)))


def huge_jpeg(stream: Stream, source: Source) -> Stream:
    """Now and then a picture of 8K (7680 x 4320)."""
    return pictures_as(
        stream, lambda n, stamp: None if n % HUGE_EVERY else (COMPRESSED, messages.compressed_image(stamp, _eight_k()))
    )


def png16(stream: Stream, source: Source) -> Stream:
    """PNGs of 16 bits, grey and coloured, and one with transparency."""
    return pictures_as(
        stream,
        lambda n, stamp: (COMPRESSED, messages.compressed_image(stamp, _png16()[n % 3], "16UC1; png compressed")),
    )


def not_pictures(stream: Stream, source: Source) -> Stream:
    """Compressed pictures that are none: nothing, text, a GIF, half a JPEG, zeros; the format says what it likes."""
    whats = (b"", b"hello", RED_DOT_GIF, b"\xff\xd8\xff", bytes(5000))
    return pictures_as(
        stream,
        lambda n, stamp: (COMPRESSED, messages.compressed_image(stamp, whats[n % 5], ("", "jpeg", "h264")[n % 3])),
    )


def image_flood(stream: Stream, source: Source) -> Stream:
    """A thousand pictures within a second, in the middle."""
    flooded = False
    for message in stream:
        yield message
        if message.msgtype == COMPRESSED and not flooded and message.recorded_ns >= source.middle_ns:
            flooded = True
            for n in range(1, FLOOD + 1):
                later = n * SECOND // FLOOD
                yield message._replace(
                    recorded_ns=message.recorded_ns + later, data=restamped(message.data, stamp_of(message) + later)
                )


def two_types(stream: Stream, source: Source) -> Stream:
    """One topic with messages of two types: the camera driver was replaced while recording."""
    for message in stream:
        if message.msgtype == COMPRESSED and message.recorded_ns >= source.middle_ns:
            yield Recorded(message.topic, RAW, message.recorded_ns, messages.raw_image(stamp_of(message), ramp(0)))
        else:
            yield message


# ---- the pictures themselves


def ramp(number: int) -> NDArray[np.uint8]:
    """A grey ramp of 160 x 120 that drifts with the frame number."""
    row = (np.arange(160) + number) % 256
    return np.repeat(np.broadcast_to(row, (120, 160))[:, :, None], 3, axis=2).astype(np.uint8)


def noisy_jpeg(stamp_ns: int, dice: np.random.Generator) -> bytes:
    return messages.compressed_image(stamp_ns, b"\xff\xd8\xff\xe0" + dice.integers(0, 256, 4000, np.uint8).tobytes())


def image(stamp_ns: int, size: tuple[int, int], encoding: str, step: int, data: NDArray[np.uint8], big: int = 0) -> Any:
    """A raw Image message, whether it makes sense or not; `size` is height and width."""
    return messages.typestore().types[RAW](
        header=messages.header(stamp_ns, CAMERA_FRAME),
        height=size[0],
        width=size[1],
        encoding=encoding,
        is_bigendian=big,
        step=step,
        data=data,
    )


def in_encoding(stamp_ns: int, number: int, dice: np.random.Generator) -> bytes:
    """A small noisy picture in the encoding of this number."""
    names = (*ENCODINGS, *((name, 3) for name in NONSENSE))
    name, deep = names[number % len(names)]
    pixels = dice.integers(0, 256, 48 * 64 * deep, np.uint8)
    return messages.serialise(image(stamp_ns, (48, 64), name, 64 * deep, pixels))


def disagreeing(stamp_ns: int, number: int) -> bytes:
    """A picture whose sizes contradict one another."""
    grey = np.full(48 * 64 * 3, 128, np.uint8)
    step, data, big, size = (
        (64 * 3, grey[:-100], 0, (48, 64)),
        (64 * 3, np.concatenate([grey, grey]), 0, (48, 64)),
        (1, grey, 0, (48, 64)),
        (0, grey, 0, (48, 64)),
        (64 * 3, grey, 1, (48, 64)),
        (64 * 3, grey, 0, (64, 48)),
        (64 * 3, grey[:0], 0, (48, 64)),
        (2**32 - 1, grey, 0, (48, 64)),
    )[number % 8]
    return messages.serialise(image(stamp_ns, size, "bgr8", step, data, big))


def gigantic(stamp_ns: int) -> bytes:
    """A raw picture of 100 pixels that says it has 2^31 rows of 2^31."""
    most = 2**31
    return messages.serialise(image(stamp_ns, (most, most), "bgr8", 2**32 - 1, np.zeros(300, np.uint8)))


def bomb(stamp_ns: int, number: int) -> bytes:
    """A JPEG or a PNG of 16 x 16 with 65,500 x 65,500 written into its header."""
    import cv2

    form = (".jpg", ".png")[number // 3 % 2]
    data = bytearray(cv2.imencode(form, np.zeros((16, 16, 3), np.uint8))[1].tobytes())
    if form == ".png":
        data[16:24] = (65_500).to_bytes(4, "big") * 2
    else:
        at = data.index(b"\xff\xc0") + 5  # start of frame: marker, length, precision, then height and width
        data[at : at + 4] = (65_500).to_bytes(2, "big") * 2
    return messages.compressed_image(stamp_ns, bytes(data))


@cache
def _eight_k() -> bytes:
    import cv2

    row = np.linspace(0, 255, 7680, dtype=np.uint8)
    return bytes(cv2.imencode(".jpg", np.broadcast_to(row[None, :, None], (4320, 7680, 3)).copy())[1].tobytes())


@cache
def _png16() -> tuple[bytes, ...]:
    import cv2

    grey = (np.arange(64 * 48, dtype=np.uint16) * 21).reshape(48, 64)
    pictures = (grey, np.repeat(grey[:, :, None], 3, axis=2), np.repeat(grey[:, :, None], 4, axis=2))
    return tuple(bytes(cv2.imencode(".png", one)[1].tobytes()) for one in pictures)


KINDS: dict[str, Alteration] = {
    one.__name__: one
    for one in (
        *(garbage_jpeg, raw_image, unknown_encoding, zero_size_image, tiny_image, every_encoding, wrong_size),
        *(huge_declared, jpeg_bomb, huge_jpeg, png16, not_pictures, image_flood, two_types),
    )
}
