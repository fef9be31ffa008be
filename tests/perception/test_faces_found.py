"""Faces are found where they are, at any size, one box each, and nowhere else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.perception.faces import Eyes, FaceSighting, frontality
from robot_memory.perception.pictures import encode_jpeg
from robot_memory.perception.senses import Senses
from robot_memory.streams.media import Frame


def picture(encoded: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)


def look(senses: Senses, image: np.ndarray) -> tuple[FaceSighting, ...]:
    return senses.eyes.look(Frame(0, encode_jpeg(image, 95)))


def test_one_face_in_each_portrait_with_landmarks_in_their_places(senses, hopper, astronaut):
    for encoded, (x, y) in ((hopper, (270, 180)), (astronaut, (225, 120))):
        (face,) = senses.eyes.look(Frame(0, encoded))
        left, top, width, height = face.box
        assert left < x < left + width
        assert top < y < top + height
        eye_l, eye_r, nose, mouth_l, mouth_r = face.landmarks
        assert eye_l[0] < nose[0] < eye_r[0]
        assert mouth_l[0] < mouth_r[0]
        assert max(eye_l[1], eye_r[1]) < nose[1] < min(mouth_l[1], mouth_r[1])
        assert face.score > 0.85
        assert 0.3 < face.quality <= 1


def test_box_scales_with_the_picture(senses, hopper):
    original = picture(hopper)
    (face,) = look(senses, original)
    for scale in (0.25, 0.5, 2.0, 4.0):
        (other,) = look(senses, cv2.resize(original, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        assert np.allclose(other.box, np.array(face.box) * scale, atol=0.08 * face.box[3] * scale), scale


def test_two_people_side_by_side_are_two_faces(senses, hopper, astronaut):
    both = np.hstack([picture(hopper)[:512], picture(astronaut)])
    faces = look(senses, both)
    assert len(faces) == 2
    assert sorted(f.box[0] + f.box[2] / 2 > 512 for f in faces) == [False, True]
    assert float(faces[0].embedding @ faces[1].embedding) < senses.same_face


def test_a_face_cut_off_by_the_edge_keeps_its_box_inside(senses, astronaut):
    image = picture(astronaut)[:, 205:]  # half of the face is outside
    for face in look(senses, image):
        x, y, w, h = face.box
        assert x >= 0
        assert y >= 0
        assert x + w <= image.shape[1]
        assert y + h <= image.shape[0]
        assert picture(face.crop).size > 0


def test_a_far_face_is_seen_but_not_embedded(senses, astronaut):
    room = np.full((480, 640, 3), 90, np.uint8)
    room[200:310, 300:410] = cv2.resize(picture(astronaut), (110, 110), interpolation=cv2.INTER_AREA)
    (face,) = look(senses, room)
    assert min(face.box[2:]) < 32
    assert face.embedding is None
    near = Eyes(senses.eyes.detector, senses.eyes.embedder, PerceptionSettings(min_face_px=16))
    (face,) = near.look(Frame(0, encode_jpeg(room, 95)))
    assert face.embedding is not None


@pytest.mark.parametrize("seed", range(5))
def test_no_face_in_noise_or_on_a_bare_wall(senses, seed):
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    wall = np.full((480, 640, 3), rng.integers(0, 256), np.uint8)
    assert look(senses, noise) == ()
    assert look(senses, wall) == ()


def test_blur_and_turning_away_lower_the_quality(senses, hopper):
    sharp = picture(hopper)
    (clear,), (blurred,) = look(senses, sharp), look(senses, cv2.GaussianBlur(sharp, (0, 0), 6))
    assert blurred.quality < 0.5 * clear.quality
    profile = np.array([[0, 0], [20, 0], [19, 12], [4, 24], [18, 24]], np.float32)
    assert frontality(clear.landmarks) > 0.7 > 0.2 > frontality(profile)
    assert frontality(np.zeros((5, 2), np.float32)) == 0


def test_a_frame_is_looked_at_once(senses, hopper):
    class Counting:
        calls = 0

        def detect(self, image):
            self.calls += 1
            return senses.eyes.detector.detect(image)

    detector = Counting()
    eyes = Eyes(detector, senses.eyes.embedder, PerceptionSettings(), remember=2)
    first = eyes.look(Frame(1, hopper))
    assert eyes.look(Frame(2, hopper)) is first
    assert detector.calls == 1
    for quality in (50, 60, 70):  # three other frames push it out
        eyes.look(Frame(3, encode_jpeg(picture(hopper), quality)))
    assert len(eyes.memo._results) == 2
    again = eyes.look(Frame(4, hopper))
    assert detector.calls == 5
    assert np.array_equal(again[0].embedding, first[0].embedding)
