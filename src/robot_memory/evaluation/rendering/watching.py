"""Reads a bag back for people and checks: its pictures with their stamps, and its sound in gapless stretches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.bags import messages
from robot_memory.evaluation.bags.bagwriter import messages as read_bag
from robot_memory.evaluation.truth import FILE
from robot_memory.streams.media import SAMPLE_RATE, SECOND, AudioSpan, Frame

CLIP_S = 30
JITTER_NS = SECOND // 20


@dataclass(frozen=True)
class Recording:
    """`frames` in order of stamp; `sound` in stretches of at most a clip."""

    frames: tuple[Frame, ...]
    sound: tuple[AudioSpan, ...]


def read(bag: Path) -> Recording:
    """Everything of a rendered bag. Raises BagUnreadable."""
    frames: list[Frame] = []
    chunks: list[tuple[int, NDArray[np.int16]]] = []
    for message in read_bag(bag):
        if message.msgtype not in (messages.COMPRESSED, messages.AUDIO):
            continue
        found = messages.read(message.data, message.msgtype)
        stamp = found.header.stamp.sec * SECOND + found.header.stamp.nanosec
        if message.msgtype == messages.COMPRESSED:
            frames.append(Frame(stamp, bytes(found.data)))
        else:
            chunks.append((stamp, np.asarray(found.data)))
    return Recording(tuple(frames), tuple(_spans(chunks)))


def truth_beside(bag: Path) -> Path:
    return bag / FILE


def _spans(chunks: list[tuple[int, NDArray[np.int16]]]) -> Iterator[AudioSpan]:
    """Chunks that follow one another, cut where a clip of the product would end: every 30 s from the first stamp."""
    if not chunks:
        return
    origin, now, start_ns, end_ns = chunks[0][0], list[NDArray[np.int16]](), chunks[0][0], chunks[0][0]
    for stamp_ns, samples in chunks:
        slot = (stamp_ns - origin) // (CLIP_S * SECOND)
        if now and (abs(stamp_ns - end_ns) > JITTER_NS or slot != (start_ns - origin) // (CLIP_S * SECOND)):
            yield AudioSpan(start_ns, np.concatenate(now))
            now = []
        if not now:
            start_ns = stamp_ns
        now.append(samples)
        end_ns = stamp_ns + len(samples) * SECOND // SAMPLE_RATE
    yield AudioSpan(start_ns, np.concatenate(now))
