"""Decodes camera pictures without ever failing on a bad one, and makes the small pictures kept of them.

Only JPEG and PNG are read (the contract of Frame); anything else, damaged or absurdly large, is "no picture".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # [height, width, 3], BGR
Box = tuple[float, float, float, float]  # x, y, width, height in pixels

MAX_PIXELS = 50_000_000  # 150 MB decoded; a larger header is damage or an attack
THUMBNAIL = (32, 24)
CROP_MARGIN = 0.25  # of the box, on each side
CROP_SIDE = 256
JPEG_START, PNG_START = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"


def decode(encoded: bytes) -> Picture | None:
    """The picture as 8-bit BGR (grey, 16-bit and alpha are converted), or None if it cannot be decoded."""
    import cv2

    width, height = size(encoded)
    if not 0 < width * height <= MAX_PIXELS:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def size(encoded: bytes) -> tuple[int, int]:
    """(width, height) as the header of a JPEG or PNG says, before anything is decoded; (0, 0) if it says nothing."""
    if encoded.startswith(PNG_START) and len(encoded) >= 24:
        return int.from_bytes(encoded[16:20], "big"), int.from_bytes(encoded[20:24], "big")
    return _jpeg_size(encoded) if is_jpeg(encoded) else (0, 0)


def is_jpeg(encoded: bytes) -> bool:
    return encoded.startswith(JPEG_START)


def _jpeg_size(encoded: bytes) -> tuple[int, int]:
    """Walks the segments to the start-of-frame marker (C0..CF except the tables C4, C8, CC)."""
    at = 2
    while at + 9 <= len(encoded) and encoded[at] == 0xFF:
        marker = encoded[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(encoded[at + 7 : at + 9], "big"), int.from_bytes(encoded[at + 5 : at + 7], "big")
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:  # markers without a body
            at += 2
        else:
            at += 2 + int.from_bytes(encoded[at + 2 : at + 4], "big")
    return 0, 0


def encode_jpeg(picture: Picture, quality: int = 90) -> bytes:
    import cv2

    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} could not be written as JPEG")
    return data.tobytes()


def thumbnail(picture: Picture) -> NDArray[np.uint8]:
    """[24, 32] grey, for comparing scenes."""
    import cv2

    small = cv2.resize(picture, THUMBNAIL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def clamp(box: Box, width: int, height: int) -> Box:
    """The part of `box` inside a picture of this size; zero width or height if there is none."""
    x, y, w, h = box
    left, top = min(max(x, 0.0), width), min(max(y, 0.0), height)
    right, bottom = min(max(x + w, left), width), min(max(y + h, top), height)
    return left, top, right - left, bottom - top


def crop(picture: Picture, box: Box) -> Picture:
    """The box with a margin, inside the picture, at least one pixel and at most CROP_SIDE a side."""
    import cv2

    x, y, w, h = box
    margin = CROP_MARGIN * max(w, h)
    height, width = picture.shape[:2]
    left, top, w, h = clamp((x - margin, y - margin, w + 2 * margin, h + 2 * margin), width, height)
    column, row = min(int(left), width - 1), min(int(top), height - 1)
    part = picture[row : max(row + 1, int(top + h)), column : max(column + 1, int(left + w))]
    scale = CROP_SIDE / max(part.shape[:2])
    if scale < 1:
        target = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
        part = np.asarray(cv2.resize(part, target, interpolation=cv2.INTER_AREA), np.uint8)
    return part
