"""Whatever bytes a camera driver sends, looking at them neither crashes nor invents."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robot_memory.perception import pictures
from robot_memory.streams.media import Frame


def png(image: np.ndarray) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()


def decoded(encoded: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_UNCHANGED)


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return pictures.PNG_START + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


def bad_pictures(hopper: bytes) -> dict[str, bytes]:
    return {
        "nothing": b"",
        "words": b"this is no picture" * 100,
        "only the start of a JPEG": pictures.JPEG_START,
        "a JPEG cut in its header": hopper[:150],
        "a PNG cut in its header": pictures.PNG_START + b"\0\0",
        "a PNG without data": png_header(64, 64),
        "0 x 0": png_header(0, 0),
        "0 high": png_header(640, 0),
        "a header of 4 gigapixels": png_header(65535, 65535),
        "a BMP": cv2.imencode(".bmp", np.zeros((8, 8, 3), np.uint8))[1].tobytes(),
        "a TIFF": cv2.imencode(".tiff", np.zeros((8, 8, 3), np.uint8))[1].tobytes(),
    }


def test_what_is_no_picture_is_seen_as_none(senses, hopper):
    for name, encoded in bad_pictures(hopper).items():
        view = senses.eyes.see(Frame(0, encoded))
        assert (view.sightings, view.thumbnail) == ((), None), name


def test_a_jpeg_that_breaks_off_half_way_is_no_picture_or_half_of_one(senses, hopper):
    """OpenCV's versions differ in whether they give up; either way no face is invented."""
    for share in (0.1, 0.5, 0.9):
        view = senses.eyes.see(Frame(0, hopper[: int(len(hopper) * share)]))
        assert len(view.sightings) <= (0 if view.thumbnail is None else 1)


@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (480, 1), (2, 3), (7, 4000)])
def test_tiny_and_thin_pictures(senses, shape):
    for value in (0, 255):
        view = senses.eyes.see(Frame(0, png(np.full((*shape, 3), value, np.uint8))))
        assert view.sightings == ()
        assert view.thumbnail.shape == (24, 32)


def test_grey_sixteen_bit_and_alpha_show_the_same_face(senses, hopper):
    colour = decoded(hopper)
    grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
    alpha = cv2.cvtColor(colour, cv2.COLOR_BGR2BGRA)
    alpha[..., 3] = 200
    (original,) = senses.eyes.look(Frame(0, hopper))
    kinds = {
        "grey": png(grey),
        "16-bit": png(colour.astype(np.uint16) * 257),
        "16-bit grey": png(grey.astype(np.uint16) * 257),
        "alpha": png(alpha),
        "grey JPEG": cv2.imencode(".jpg", grey)[1].tobytes(),
    }
    for name, encoded in kinds.items():
        (face,) = senses.eyes.look(Frame(0, encoded))
        assert float(face.embedding @ original.embedding) > 0.85, name


def test_a_huge_picture_is_looked_at_and_its_face_found(senses, hopper):
    huge = cv2.resize(decoded(hopper), (5120, 6000))  # 31 megapixels
    (face,) = senses.eyes.look(Frame(0, pictures.encode_jpeg(huge)))
    assert face.box[3] > 1500
    assert max(decoded(face.crop).shape) <= pictures.CROP_SIDE


def test_size_is_read_from_the_header(hopper, astronaut):
    assert pictures.size(hopper) == (512, 600)
    assert pictures.size(astronaut) == (512, 512)
    for shape in ((1, 1), (3, 700), (480, 640)):
        image = np.zeros((*shape, 3), np.uint8)
        for kind, flags in ((".jpg", []), (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]), (".png", [])):
            assert pictures.size(cv2.imencode(kind, image, flags)[1].tobytes()) == shape[::-1]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", pictures.JPEG_START, pictures.PNG_START, png_header(9, 9)]))
def test_random_bytes_never_raise(tail, head):
    assert pictures.decode(head + tail) is None or len(tail) > 20


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 255)), min_size=1, max_size=20))
def test_flipped_bytes_never_raise(hopper, flips):
    damaged = bytearray(hopper)
    for place, value in flips:
        damaged[place] = value
    picture = pictures.decode(bytes(damaged))
    assert picture is None or (picture.ndim == 3 and picture.dtype == np.uint8)


@settings(max_examples=200, deadline=None)
@given(*[st.floats(-1000, 1000) for _ in range(2)], *[st.floats(0, 2000) for _ in range(2)])
def test_crops_and_boxes_stay_inside(x, y, w, h):
    picture = np.zeros((48, 64, 3), np.uint8)
    left, top, width, height = pictures.clamp((x, y, w, h), 64, 48)
    assert 0 <= left <= left + width <= 64
    assert 0 <= top <= top + height <= 48
    part = pictures.crop(picture, (x, y, w, h))
    assert 0 < part.shape[0] <= 48
    assert 0 < part.shape[1] <= 64
