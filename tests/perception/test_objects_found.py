"""Things are found by a detector of the DETR family: a made network of known answers, run by ONNX Runtime as a real one
would be. How well a trained one sees is not tested here: none is shipped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelCorrupt
from robot_memory.perception.objects import DetrObjects, coco_labels, open_objects
from robot_memory.perception.runtime import open_session

LABELS, SIDE = 80, 64
CUP, BOTTLE = coco_labels().index("cup"), coco_labels().index("bottle")
Answer = tuple[int, float, tuple[float, float, float, float]]  # label, logit where the picture is red, box


def network(path: Path, answers: Sequence[Answer], outputs: tuple[str, str] = ("logits", "pred_boxes")) -> Path:
    """An ONNX file that gives each answer's logit times the mean of red, and its box as it is."""
    n = len(answers)
    weights = np.zeros((3, n * LABELS), np.float32)
    bias = np.full((1, n * LABELS), -20, np.float32)
    for query, (label, logit, _) in enumerate(answers):
        weights[0, query * LABELS + label] = logit + 20
    tensors = {
        "weights": weights,
        "bias": bias,
        "boxes": np.array([[box for _, _, box in answers]], np.float32),
        "flat": np.array([1, 3], np.int64),
        "shape": np.array([1, n, LABELS], np.int64),
    }
    nodes = (
        node("GlobalAveragePool", ["pixel_values"], "pooled"),
        node("Reshape", ["pooled", "flat"], "means"),
        node("MatMul", ["means", "weights"], "raw"),
        node("Add", ["raw", "bias"], "sums"),
        node("Reshape", ["sums", "shape"], outputs[0]),
        node("Identity", ["boxes"], outputs[1]),
    )
    graph = b"".join(field(1, one) for one in nodes) + field(2, b"made")
    graph += b"".join(field(5, tensor(name, values)) for name, values in tensors.items())
    graph += field(11, value("pixel_values", (1, 3, SIDE, SIDE)))
    graph += field(12, value(outputs[0], (1, n, LABELS))) + field(12, value(outputs[1], (1, n, 4)))
    path.write_bytes(number(1, 8) + field(8, number(2, 13)) + field(7, graph))
    return path


def varint(value: int) -> bytes:
    """A number as protocol buffers write it."""
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def number(tag: int, value: int) -> bytes:
    return varint(tag << 3) + varint(value)


def field(tag: int, content: bytes) -> bytes:
    return varint(tag << 3 | 2) + varint(len(content)) + content


def node(kind: str, inputs: Sequence[str], output: str) -> bytes:
    return b"".join(field(1, name.encode()) for name in inputs) + field(2, output.encode()) + field(4, kind.encode())


def tensor(name: str, values: np.ndarray) -> bytes:
    kind = 7 if values.dtype == np.int64 else 1
    return (
        b"".join(number(1, d) for d in values.shape)
        + number(2, kind)
        + field(8, name.encode())
        + field(9, values.tobytes())
    )


def value(name: str, shape: Sequence[int]) -> bytes:
    dimensions = b"".join(field(1, number(1, d)) for d in shape)
    return field(1, name.encode()) + field(2, field(1, number(1, 1) + field(2, dimensions)))


def picture(red: int = 0, green: int = 0, blue: int = 0, width: int = 200, height: int = 100) -> np.ndarray:
    return np.full((height, width, 3), (blue, green, red), np.uint8)


def detector(path: Path, answers: Sequence[Answer], min_score: float = 0.5) -> DetrObjects:
    return DetrObjects(open_session(network(path / "made.onnx", answers)), coco_labels(), "made", min_score, SIDE)


def test_a_thing_has_its_label_and_score_and_its_box_in_pixels(tmp_path: Path) -> None:
    (cup,) = detector(tmp_path, [(CUP, 3.0, (0.5, 0.5, 0.2, 0.4))]).detect(picture(red=255))
    assert cup.label == "cup"
    assert cup.score == pytest.approx(1 / (1 + np.exp(-3.0)), abs=1e-4)
    assert cup.box == pytest.approx((80, 30, 40, 40))


def test_the_network_sees_red_where_the_picture_is_red(tmp_path: Path) -> None:
    made = detector(tmp_path, [(CUP, 3.0, (0.5, 0.5, 0.2, 0.4))])
    assert made.detect(picture(blue=255)) == made.detect(picture(green=255)) == []


def test_what_is_unsure_is_not_found(tmp_path: Path) -> None:
    answers = [(CUP, 3.0, (0.2, 0.5, 0.2, 0.4)), (BOTTLE, 0.2, (0.8, 0.5, 0.2, 0.4))]
    assert [one.label for one in detector(tmp_path, answers, 0.5).detect(picture(red=255))] == ["cup", "bottle"]
    assert [one.label for one in detector(tmp_path, answers, 0.6).detect(picture(red=255))] == ["cup"]


def test_two_boxes_on_one_thing_are_one_thing_and_apart_they_are_two(tmp_path: Path) -> None:
    answers = [
        (CUP, 2.0, (0.51, 0.5, 0.2, 0.4)),
        (CUP, 3.0, (0.5, 0.5, 0.2, 0.4)),
        (CUP, 1.0, (0.1, 0.5, 0.2, 0.4)),
        (BOTTLE, 2.5, (0.5, 0.5, 0.2, 0.4)),
    ]
    found = detector(tmp_path, answers).detect(picture(red=255))
    assert [one.label for one in found] == ["cup", "bottle", "cup"]
    assert found[0].score > found[2].score


def test_a_box_ends_with_the_picture(tmp_path: Path) -> None:
    (cup,) = detector(tmp_path, [(CUP, 3.0, (0.0, 0.5, 0.2, 2.0))]).detect(picture(red=255))
    assert cup.box == pytest.approx((0, 0, 20, 100))


def test_a_model_that_is_no_such_detector_is_refused(tmp_path: Path) -> None:
    other = open_session(network(tmp_path / "other.onnx", [(CUP, 3.0, (0, 0, 0, 0))], ("scores", "boxes_out")))
    with pytest.raises(ModelCorrupt, match="logits and pred_boxes"):
        DetrObjects(other, coco_labels(), "other")
    made = detector(tmp_path, [(CUP, 3.0, (0.5, 0.5, 0.2, 0.4))])
    with pytest.raises(ModelCorrupt, match="80 labels apart, 2 are named"):
        DetrObjects(made.session, ("cup", "bottle"), "made", side=SIDE).detect(picture(red=255))


def test_a_profile_without_a_detector_has_none_and_coco_has_eighty_labels() -> None:
    assert open_objects(PerceptionSettings()) is None
    assert len(set(coco_labels())) == LABELS


def test_a_profile_with_a_detector_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "weights" / "made-1"
    weights.mkdir(parents=True)
    content = network(weights / "made.onnx", [(CUP, 3.0, (0.5, 0.5, 0.2, 0.4))]).read_bytes()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "things.yaml").write_text(
        "about: things\nmodels:\n  object_detection:\n    name: made-1\n"
        "    licence: {spdx: MIT, origin: this test}\n    thresholds: {accept: 0.7}\n    files:\n"
        f"      - {{name: made.onnx, bytes: {len(content)}, sha256: {hashlib.sha256(content).hexdigest()}, "
        "mirrors: [{url: https://example.org/made.onnx}]}\n"
    )
    monkeypatch.setenv("ROBOT_MEMORY_SHARE", str(tmp_path))
    monkeypatch.setenv("ROBOT_MEMORY_MODELS", str(tmp_path / "weights"))
    opened = open_objects(PerceptionSettings(profile="things"))
    assert isinstance(opened, DetrObjects)
    assert (opened.name, opened.min_score) == ("made-1", 0.7)
