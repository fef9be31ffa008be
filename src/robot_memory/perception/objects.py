"""Finds things in a picture: cups, bottles, chairs. Only where a profile has a model for the role `object_detection`.

`DetrObjects` reads detectors of the DETR family as they are exported to ONNX: D-FINE (Peng et al. 2024) and RT-DETR
(Zhao et al. 2023), both Apache-2.0 with their COCO weights. No profile of ours brings such a model: docs/models.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Protocol

import numpy as np
import yaml
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.errors import ModelCorrupt
from robot_memory.models.manifest import load_profile
from robot_memory.perception.pictures import Box, Picture, clamp
from robot_memory.perception.runtime import Session, open_session

ROLE = "object_detection"
OVERLAP = 0.7  # of two boxes (IoU): a second one of the same label that shares so much is the same thing


@dataclass(frozen=True)
class Thing:
    """Something in a picture: what it is, how surely (0..1), and its box in pixels, inside the picture."""

    label: str
    score: float
    box: Box


class ObjectDetector(Protocol):
    name: str

    def detect(self, picture: Picture) -> list[Thing]:
        """Things by falling score, with no two boxes of one label on the same thing."""


class DetrObjects:
    """The network sees the picture stretched to `side` squared, RGB from 0 to 1, and gives for each of its queries a
    logit for every label (`logits` [1, n, labels]) and one box (`pred_boxes` [1, n, 4]: middle, width and height as
    parts of the picture).
    """

    def __init__(
        self, session: Session, labels: Sequence[str], name: str, min_score: float = 0.5, side: int = 640
    ) -> None:
        """Raises ModelCorrupt for a model with other inputs or outputs."""
        if len(session.inputs) != 1 or not {"logits", "pred_boxes"} <= set(session.outputs):
            raise ModelCorrupt(
                f"{session.path} takes {session.inputs} and gives {session.outputs}: a detector takes one picture and "
                "gives logits and pred_boxes — export it as docs/models.md says"
            )
        self.session, self.labels, self.name, self.min_score, self.side = session, tuple(labels), name, min_score, side

    def detect(self, picture: Picture) -> list[Thing]:
        outputs = self.session.run({self.session.inputs[0]: self._squared(picture)})
        logits, boxes = outputs["logits"][0].astype(np.float64), outputs["pred_boxes"][0].astype(np.float64)
        if logits.shape[1] != len(self.labels):
            known = len(self.labels)
            raise ModelCorrupt(f"{self.session.path} tells {logits.shape[1]} labels apart, {known} are named")
        scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
        best = scores.argmax(1)
        height, width = picture.shape[:2]
        found = [
            Thing(self.labels[best[n]], float(scores[n, best[n]]), clamp(_box(boxes[n], width, height), width, height))
            for n in np.flatnonzero((scores.max(1) >= self.min_score) & np.isfinite(boxes).all(1))
        ]
        return _once_each(sorted(found, key=lambda thing: -thing.score))

    def _squared(self, picture: Picture) -> NDArray[np.float32]:
        import cv2

        resized = cv2.resize(picture, (self.side, self.side), interpolation=cv2.INTER_LINEAR)
        scaled = np.asarray(resized[:, :, ::-1].transpose(2, 0, 1)[None] / 255.0, np.float32)
        return np.ascontiguousarray(scaled)


def open_objects(settings: PerceptionSettings) -> ObjectDetector | None:
    """The profile's detector of things; None where it has none. Raises ModelMissing or ModelCorrupt."""
    model = next((one for one in load_profile(settings.profile).models if one.role == ROLE), None)
    if model is None:
        return None
    min_score = model.threshold("accept") if "accept" in model.thresholds else 0.5
    return DetrObjects(open_session(model.path(), threads=settings.threads), coco_labels(), model.name, min_score)


@cache
def coco_labels() -> tuple[str, ...]:
    """The 80 labels of COCO, in order."""
    table = yaml.safe_load(files(__package__).joinpath("coco.yaml").read_text("utf-8"))
    return tuple(label.strip() for label in table["labels"].split(","))


def _box(parts: NDArray[np.float64], width: int, height: int) -> Box:
    x, y, w, h = (float(part) for part in parts)
    return (x - w / 2) * width, (y - h / 2) * height, w * width, h * height


def _once_each(things: Sequence[Thing]) -> list[Thing]:
    """Without those that lie on a surer one of the same label."""
    kept: list[Thing] = []
    for thing in things:
        if not any(other.label == thing.label and _overlap(other.box, thing.box) > OVERLAP for other in kept):
            kept.append(thing)
    return kept


def _overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0.0, across) * max(0.0, down)
    whole = one[2] * one[3] + other[2] * other[3] - shared
    return shared / whole if whole > 0 else 0.0
