"""Vectors as the bytes that the store keeps."""

from __future__ import annotations

import numpy as np

from robot_memory.memory.vectors.index import Vector


def pack(vector: Vector) -> bytes:
    """A vector as the float16 bytes the store keeps."""
    return vector.astype(np.float16).tobytes()


def unpack(blob: bytes) -> Vector:
    """The float32 vector of stored bytes."""
    return np.frombuffer(blob, np.float16).astype(np.float32)
