"""What perfect perception would make of somebody's face and voice: vectors, and a tiny picture.

Everybody has a direction of their own; each of their two looks turns it, and every view turns it a little more, so
that cosines are some 0.95 within a look, 0.82 between the looks, and near 0 between people.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from robot_memory.streams.observation import Vector

LOOK, VIEW = 0.4, 0.25  # lengths of what a look and a view add to the person's own direction
SIDE = 24  # pixels


@dataclass
class Likenesses:
    """The vectors of one world. The same call always gives the same vector."""

    seed: int
    face_dimension: int = 128
    voice_dimension: int = 256
    _known: dict[str, Vector] = field(default_factory=dict)

    def faces(self, who: str, look: int, moment: int, views: int) -> Vector:
        """`views` embeddings [views, face_dimension] of one track."""
        return np.stack([self._view("face", who, look, f"{moment}.{n}", self.face_dimension) for n in range(views)])

    def voice(self, who: str, look: int, moment: int) -> Vector:
        """The embedding [voice_dimension] of one turn."""
        return self._view("voice", who, look, str(moment), self.voice_dimension)

    def crop(self, who: str) -> bytes:
        """A JPEG in a colour of the person's own."""
        return picture(f"{self.seed}/{who}", SIDE, SIDE)

    def _view(self, sense: str, who: str, look: int, moment: str, dimension: int) -> Vector:
        own = self._known_direction(f"{sense}/{who}", dimension)
        turned = self._known_direction(f"{sense}/{who}/{look}", dimension)
        noise = _direction(f"{self.seed}/{sense}/{who}/{moment}", dimension)
        return _unit(own + LOOK * turned + VIEW * noise)

    def _known_direction(self, key: str, dimension: int) -> Vector:
        if key not in self._known:
            self._known[key] = _direction(f"{self.seed}/{key}", dimension)
        return self._known[key]


@lru_cache(maxsize=256)
def picture(key: str, width: int, height: int) -> bytes:
    """A small JPEG whose colour follows from the key."""
    import cv2

    colour = np.frombuffer(hashlib.sha256(key.encode()).digest()[:3], np.uint8)
    pixels = np.full((height, width, 3), colour, np.uint8)
    cv2.ellipse(pixels, (width // 2, height // 2), (width // 4, height // 3), 0, 0, 360, (90, 120, 160), -1)
    return bytes(cv2.imencode(".jpg", pixels)[1])


def _direction(key: str, dimension: int) -> Vector:
    seed = np.frombuffer(hashlib.sha256(key.encode()).digest(), np.uint32)
    return _unit(np.random.Generator(np.random.SFC64(seed)).standard_normal(dimension).astype(np.float32))


def _unit(vector: Vector) -> Vector:
    unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit
