"""Bad bags on purpose, each made from a good one of ours: what a robot's recorder leaves behind on a bad day.

For tests: `make(kind, source, out, seed)`, kinds in KINDS; `what(kind)` says what is wrong with one. The same source,
kind and seed give the same bytes. Messages are altered as bytes, in a stream, and pictures are never decoded.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation.bags.bagwriter import BagNotWritten, BagWriter, contents
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.hostile import clocks, files, gaps, garbage, pictures, poses, sounds
from robot_memory.evaluation.hostile.clocks import HOUR_NS
from robot_memory.evaluation.hostile.stream import Alteration, Source, stamp_of

__all__ = ["HOUR_NS", "KINDS", "UnknownKind", "make", "stamp_of", "what"]

ALTERATIONS: dict[str, Alteration] = (
    gaps.KINDS | pictures.KINDS | sounds.KINDS | clocks.KINDS | poses.KINDS | garbage.KINDS
)
DAMAGES: dict[str, files.Damage] = files.DAMAGES | files.SQLITE | files.PACKED
KINDS: tuple[str, ...] = (*ALTERATIONS, *DAMAGES)


class UnknownKind(RobotMemoryError):
    """There is no bad bag of this kind."""


def make(kind: str, source: Path, out: Path, seed: int = 0, replace: bool = False) -> Path:
    """Make the bad bag `kind` at the folder `out` from the good bag `source`; returns `out`.

    Raises UnknownKind, BagUnreadable, and BagNotWritten where a bag is there already that may not be replaced.
    """
    _check(kind)
    if out.resolve() == source.resolve():
        raise BagNotWritten(f"{out}: is the good bag itself — choose another folder")
    held, dice = contents(source), np.random.default_rng([seed, zlib.crc32(kind.encode())])
    storage, packed = "sqlite3" if kind in files.SQLITE else "mcap", kind in files.PACKED
    stream = read_bag(source)
    if kind in ALTERATIONS:
        stream = ALTERATIONS[kind](stream, Source(held, dice))
    with BagWriter(out, storage, replace, packed) as bag:
        if kind == "empty":
            for topic, msgtype in held.topics.items():
                bag.topic(topic, msgtype)
        for message in stream:
            bag.write(message)
    if kind in DAMAGES:
        DAMAGES[kind](out, dice)
    return out


def what(kind: str) -> str:
    """What is wrong with a bag of this kind, in a sentence. Raises UnknownKind."""
    _check(kind)
    one = ALTERATIONS.get(kind) or DAMAGES[kind]
    told = " ".join((one.__doc__ or "").split())
    if kind in files.PACKED:
        return f"{told} The file is an mcap with zstd chunks."
    return f"{told} The file is SQLite's." if kind in files.SQLITE and kind != "unclosed_sqlite" else told


def _check(kind: str) -> None:
    if kind not in KINDS:
        raise UnknownKind(f"no bad bag of kind {kind!r} — choose one of {', '.join(KINDS)}")
