"""The same person gets a near embedding, another person a far one; the threshold of the manifest separates them."""

from __future__ import annotations

import cv2
import numpy as np

from robot_memory.config import PerceptionSettings
from robot_memory.perception.faces import Eyes, similarity
from robot_memory.perception.pictures import encode_jpeg
from robot_memory.streams.media import Frame


def picture(encoded: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)


def embedding(eyes: Eyes, encoded: bytes) -> np.ndarray:
    faces = eyes.look(Frame(0, encoded))
    return max(faces, key=lambda f: f.box[2] * f.box[3]).embedding


def test_unit_norm_float32_and_read_only(senses, hopper):
    vector = embedding(senses.eyes, hopper)
    assert vector.dtype == np.float32
    assert vector.shape == (senses.eyes.embedder.dimension,)
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6
    assert not vector.flags.writeable


def test_small_dark_blurred_turned_grey_copies_stay_the_same_person(senses, hopper, astronaut):
    for encoded in (hopper, astronaut):
        image = picture(encoded)
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), 20, 1)
        copies = {
            "small": cv2.resize(image, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA),
            "dark": (image * 0.35).astype(np.uint8),
            "blurred": cv2.GaussianBlur(image, (0, 0), 2),
            "turned": cv2.warpAffine(image, turn, (width, height)),
            "grey": cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
        }
        original = embedding(senses.eyes, encoded)
        for name, copy in copies.items():
            likeness = float(original @ embedding(senses.eyes, encode_jpeg(copy)))
            assert likeness > 0.75, (name, likeness)


def test_portraits_at_the_accept_threshold(senses, portraits, capsys):
    """40 people, two portraits each, often years apart, the second one 175 pixels wide."""
    eyes = Eyes(senses.eyes.detector, senses.eyes.embedder, PerceptionSettings(min_face_px=16))
    pairs = [[embedding(eyes, path.read_bytes()) for path in pair] for pair in portraits]
    first, second = (np.stack(column) for column in zip(*pairs, strict=True))
    scores = first @ second.T
    same = np.diag(scores)
    pool = np.concatenate([first, second])
    every = pool @ pool.T
    people = np.arange(len(pool)) % len(first)
    other = every[np.triu_indices(len(pool), 1)][(people[:, None] != people)[np.triu_indices(len(pool), 1)]]
    with capsys.disabled():
        for threshold in (0.3, 0.4, senses.same_face, 0.6):
            far, frr = float(np.mean(other >= threshold)), float(np.mean(same < threshold))
            print(f"\nfaces at {threshold:.2f}: FAR {far:.2%} of {len(other)}, FRR {frr:.2%} of {len(same)}", end="")
        print(f"; same >= {same.min():.2f}, others <= {other.max():.2f}")
    assert np.mean(other >= senses.same_face) <= 0.001
    assert np.mean(same < senses.same_face) <= 0.05


def test_two_presidents(senses, presidents):
    obama, again, biden = (
        embedding(senses.eyes, (presidents / f"{name}.jpg").read_bytes()) for name in ("obama", "obama2", "biden")
    )
    assert obama @ again > senses.same_face > max(obama @ biden, again @ biden)


def test_alignment_puts_the_landmarks_on_the_template(senses, astronaut):
    (face,) = senses.eyes.look(Frame(0, astronaut))
    template = senses.eyes.embedder.template
    matrix = similarity(face.landmarks.astype(np.float64), template)
    moved = face.landmarks @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(moved - template).max() < 6
    assert senses.eyes.embedder.align(picture(astronaut), face.landmarks).shape == (112, 112, 3)


def test_similarity_recovers_a_known_turn_scale_and_shift():
    points = np.random.default_rng(0).normal(size=(5, 2)) * 40
    angle, scale, shift = 0.6, 1.7, np.array([5.0, -3.0])
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = similarity(points, points @ turn.T + shift)
    assert np.allclose(matrix, np.column_stack([turn, shift]))


def test_degenerate_landmarks_give_no_embedding(senses, hopper):
    for landmarks in (np.full((5, 2), 7, np.float32), np.full((5, 2), np.nan, np.float32)):
        assert senses.eyes.embedder.embed(picture(hopper), landmarks) is None
