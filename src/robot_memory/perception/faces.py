"""Finds faces in a picture and turns each into an embedding.

YuNet (Wu et al. 2023) gives boxes and five landmarks, SFace (Zhong et al. 2021) a 128-d unit vector of the aligned
face; both run in ONNX Runtime. `Eyes` does the whole of it for a frame, once, however often the frame is shown to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.perception import pictures
from robot_memory.perception.memo import Memo
from robot_memory.perception.pictures import Box, Picture
from robot_memory.perception.runtime import Session
from robot_memory.streams.media import Frame
from robot_memory.streams.observation import Vector

Landmarks = NDArray[np.float32]  # [5, 2]: eyes (left in the picture first), nose, corners of the mouth (likewise)


@dataclass(frozen=True, eq=False)
class Detection:
    """A face in the pixels of the picture; the box may reach beyond the picture."""

    box: Box
    landmarks: Landmarks
    score: float


@dataclass(frozen=True, eq=False)
class FaceSighting:
    """A face in one frame: box inside the frame, quality 0..1, JPEG crop; no embedding if it is too small."""

    box: Box
    landmarks: Landmarks
    score: float
    quality: float
    embedding: Vector | None
    crop: bytes


@dataclass(frozen=True, eq=False)
class View:
    """What Eyes made of a frame; `thumbnail` ([24, 32] grey) is None if the frame could not be decoded."""

    sightings: tuple[FaceSighting, ...] = ()
    thumbnail: NDArray[np.uint8] | None = None


class FaceDetector(Protocol):
    def detect(self, picture: Picture) -> list[Detection]:
        """Faces by falling score, with no two boxes on the same face."""


class FaceEmbedder(Protocol):
    name: str
    dimension: int
    accept: float  # cosine from which two embeddings are taken for one person

    def embed(self, picture: Picture, landmarks: Landmarks) -> Vector | None:
        """[dimension] unit norm, or None if the landmarks are degenerate."""


class YuNet:
    """Face detection. The network sees 640 x 640 pixels: the picture is scaled to fit and padded with black."""

    side, strides, overlap = 640, (8, 16, 32), 0.3

    def __init__(self, session: Session, min_score: float = 0.8) -> None:
        self.session, self.min_score = session, min_score
        self._cells = {s: _grid(self.side // s) for s in self.strides}

    def detect(self, picture: Picture) -> list[Detection]:
        import cv2

        scale = self.side / max(picture.shape[:2])
        outputs = self.session.run({"input": self._letterbox(picture, scale)})
        found = np.concatenate([self._decode(outputs, stride) for stride in self.strides])
        found = found[np.isfinite(found).all(1) & (found[:, 0] >= self.min_score)]
        found[:, 1:] /= scale
        kept = cv2.dnn.NMSBoxes(found[:, 1:5].tolist(), found[:, 0].tolist(), 0.0, self.overlap)
        return [_detection(found[i]) for i in np.asarray(kept, int).ravel()]

    def _letterbox(self, picture: Picture, scale: float) -> NDArray[np.float32]:
        import cv2

        height, width = picture.shape[:2]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        canvas = np.zeros((self.side, self.side, 3), np.uint8)
        how = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
        canvas[: size[1], : size[0]] = cv2.resize(picture, size, interpolation=how)
        return np.ascontiguousarray(canvas.transpose(2, 0, 1)[None], np.float32)

    def _decode(self, outputs: dict[str, NDArray[np.float32]], stride: int) -> NDArray[np.float64]:
        """[n, 15]: score, x, y, width, height, five landmarks; of every cell of one feature map."""
        part = {k: outputs[f"{k}_{stride}"][0].astype(np.float64) for k in ("cls", "obj", "bbox", "kps")}
        cells = self._cells[stride]
        score = np.sqrt(np.clip(part["cls"], 0, 1) * np.clip(part["obj"], 0, 1))
        centre = (cells + part["bbox"][:, :2]) * stride
        size = np.exp(np.minimum(part["bbox"][:, 2:], 20)) * stride
        points = (part["kps"].reshape(-1, 5, 2) + cells[:, None]) * stride
        return np.concatenate([score, centre - size / 2, size, points.reshape(-1, 10)], axis=1)


def _grid(n: int) -> NDArray[np.float64]:
    """[n * n, 2]: (column, row) of each cell, row by row."""
    rows, columns = np.mgrid[:n, :n]
    return np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64)


def _detection(row: NDArray[np.float64]) -> Detection:
    x, y, w, h = (float(v) for v in row[1:5])
    return Detection((x, y, w, h), row[5:].reshape(5, 2).astype(np.float32), float(row[0]))


class SFace:
    """Face embedding: 128-d. `accept` comes from the model's manifest."""

    side = 112
    template = np.array(  # where the landmarks of an aligned face lie (ArcFace's 112 x 112 standard)
        [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]]
    )

    def __init__(self, session: Session, accept: float, name: str = "sface", dimension: int = 128) -> None:
        self.session, self.name, self.dimension, self.accept = session, name, dimension, accept

    def embed(self, picture: Picture, landmarks: Landmarks) -> Vector | None:
        face = self.align(picture, landmarks)
        if face is None:
            return None
        blob = np.ascontiguousarray(face[:, :, ::-1].transpose(2, 0, 1)[None], np.float32)  # RGB, 0..255
        vector = self.session.run({"data": blob})["fc1"][0].astype(np.float64)
        norm = float(np.linalg.norm(vector))
        return (vector / norm).astype(np.float32) if np.isfinite(norm) and norm > 0 else None

    def align(self, picture: Picture, landmarks: Landmarks) -> Picture | None:
        """The face turned, scaled and moved so that its landmarks lie on the template; None if they are one point."""
        import cv2

        matrix = similarity(landmarks.astype(np.float64), self.template)
        if matrix is None:
            return None
        return np.asarray(cv2.warpAffine(picture, matrix, (self.side, self.side)), np.uint8)


def similarity(source: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """[2, 3]: the least-squares rotation, scale and shift from `source` to `target` (Umeyama 1991, without mirroring).

    In the plane it is one complex factor. None if all points of `source` coincide.
    """
    p, q = source @ [1, 1j], target @ [1, 1j]
    p_mean, q_mean = p.mean(), q.mean()
    spread = float(np.sum(np.abs(p - p_mean) ** 2))
    if not np.isfinite(spread) or spread < 1e-6:
        return None
    factor = np.sum(np.conj(p - p_mean) * (q - q_mean)) / spread
    shift = q_mean - factor * p_mean
    return np.array([[factor.real, -factor.imag, shift.real], [factor.imag, factor.real, shift.imag]])


def quality(picture: Picture, detection: Detection, box: Box) -> float:
    """0..1: how much a view says about whose face it is. Score, size, frontality and sharpness, multiplied."""
    import cv2

    part = picture[int(box[1]) : int(box[1] + box[3]) + 1, int(box[0]) : int(box[0] + box[2]) + 1]
    grey = cv2.cvtColor(cv2.resize(part, (112, 112), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    edges = float(cv2.Laplacian(grey, cv2.CV_64F).var())
    size = min(1.0, min(box[2], box[3]) / 112)
    return detection.score * math.sqrt(size) * frontality(detection.landmarks) * edges / (edges + 50)


def frontality(landmarks: Landmarks) -> float:
    """1 with the nose midway between the eyes, 0 with it beneath one of them or beyond (a profile)."""
    left, right, nose = (landmarks[i].astype(np.float64) for i in range(3))
    axis = (right - left) / 2
    length = float(axis @ axis)
    return max(0.0, 1.0 - abs(float((nose - (left + right) / 2) @ axis)) / length) if length > 0 else 0.0


class Eyes:
    """Faces of a frame: found, measured, embedded. Remembers the last frames by their bytes. Safe from many threads."""

    def __init__(
        self, detector: FaceDetector, embedder: FaceEmbedder, settings: PerceptionSettings, remember: int = 512
    ) -> None:
        self.detector, self.embedder, self.settings = detector, embedder, settings
        self.memo: Memo[View] = Memo(remember)

    def look(self, frame: Frame) -> tuple[FaceSighting, ...]:
        """The faces in the frame by falling score; none if it cannot be decoded."""
        return self.see(frame).sightings

    def see(self, frame: Frame) -> View:
        """The faces and a thumbnail of the frame."""
        return self.memo.of(frame.encoded, lambda: self._see(frame.encoded))

    def _see(self, encoded: bytes) -> View:
        picture = pictures.decode(encoded)
        if picture is None:
            return View()
        found = (self._sighting(picture, d) for d in self.detector.detect(picture))
        return View(tuple(s for s in found if s is not None), pictures.thumbnail(picture))

    def _sighting(self, picture: Picture, found: Detection) -> FaceSighting | None:
        box = pictures.clamp(found.box, picture.shape[1], picture.shape[0])
        if min(box[2], box[3]) < 1:
            return None
        embedding = self._embedding(picture, found, box)
        crop = pictures.encode_jpeg(pictures.crop(picture, box))
        return FaceSighting(box, found.landmarks, found.score, quality(picture, found, box), embedding, crop)

    def _embedding(self, picture: Picture, found: Detection, box: Box) -> Vector | None:
        if min(box[2], box[3]) < self.settings.min_face_px:
            return None
        embedding = self.embedder.embed(picture, found.landmarks)
        if embedding is not None:
            embedding.flags.writeable = False  # it is shared by all who ask for this frame
        return embedding
