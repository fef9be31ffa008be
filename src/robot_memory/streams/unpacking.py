"""Compressed bytes back to what they were, as far as they go: torn and damaged ones give what comes before the fault.

zstd and lz4, by the libraries that rosbags itself reads with.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError

PIECE = 1 << 14
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class UnknownCompression(RobotMemoryError):
    """Bytes packed in a way that is not known here."""


def unpack(packed: bytes, form: str, most: int) -> bytes:
    """The bytes that `packed` gives, at most `most`; `form` is "", "zstd" or "lz4". Raises UnknownCompression."""
    if not form:
        return packed[:most]
    whole, decompressor, failures = bytearray(), _decompressor(form), _failures()
    try:
        for at in range(0, len(packed), PIECE):
            if decompressor.eof or len(whole) >= most:
                break
            whole += decompressor.decompress(packed[at : at + PIECE])
    except failures:
        pass  # what came before the fault is kept
    return bytes(whole[:most])


def unpack_message(raw: bytes) -> bytes:
    """A message that was compressed on its own (rosbag2's message mode) as it was before; others as they are.

    No CDR message begins like a zstd frame. One that is damaged stays packed, and so unreadable.
    """
    if not raw.startswith(ZSTD_MAGIC):
        return raw
    try:
        return bytes(_zstd().decompress(raw))
    except _failures():
        return raw


def unpack_file(packed: Path, out: Path) -> bool:
    """Unpack a zstd file as far as it goes; True if it went to its end. Raises OSError."""
    decompressor, done = _decompressor("zstd"), True
    with packed.open("rb") as source, out.open("wb") as target:
        try:
            while piece := source.read(PIECE):
                if decompressor.eof:  # one frame after the other is one file
                    piece, decompressor = decompressor.unused_data + piece, _decompressor("zstd")
                target.write(decompressor.decompress(piece))
            done = bool(decompressor.eof)
        except _failures():
            done = False
    return done


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _decompressor(form: str) -> Any:
    if form == "zstd":
        return _zstd().ZstdDecompressor()
    if form == "lz4":
        import lz4.frame  # type: ignore[import-untyped]

        return lz4.frame.LZ4FrameDecompressor()
    raise UnknownCompression(f"packed with {form[:40]!r}: zstd and lz4 are known")


def _failures() -> tuple[type[Exception], ...]:
    """What decompressors raise on damaged bytes; lz4 says RuntimeError."""
    return _zstd().ZstdError, RuntimeError, EOFError, ValueError
