"""Chooses the pictures of a clip worth keeping: the first one, and those where the scene has changed most.

Scenes are compared on thumbnails freed of their mean brightness, so that a lamp or a cloud makes no new scene.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_memory.perception import pictures
from robot_memory.streams.media import SECOND, Frame
from robot_memory.streams.observation import Keyframe

Thumbnail = NDArray[np.uint8]

MOST = 4  # a clip
CHANGED = 12.0  # grey levels of mean difference (of 255) that make a new scene
APART_NS = 2 * SECOND  # a pan is one change, not ten


def choose(frames: Sequence[tuple[Frame, Thumbnail]]) -> list[Frame]:
    """At most MOST of the frames (in stamp order, each with its thumbnail), in stamp order."""
    if not frames:
        return []
    changes: list[tuple[float, Frame]] = []
    last_stamp, last = frames[0][0].stamp_ns, frames[0][1]
    for frame, thumbnail in frames[1:]:
        change = difference(last, thumbnail)
        if change >= CHANGED and frame.stamp_ns - last_stamp >= APART_NS:
            changes.append((change, frame))
            last_stamp, last = frame.stamp_ns, thumbnail
    strongest = sorted(changes, key=lambda c: (-c[0], c[1].stamp_ns))[: MOST - 1]
    return [frames[0][0], *sorted((frame for _, frame in strongest), key=lambda f: f.stamp_ns)]


def difference(a: Thumbnail, b: Thumbnail) -> float:
    """Mean absolute difference in grey levels, each picture first freed of its mean."""
    left, right = a.astype(np.float64), b.astype(np.float64)
    return float(np.mean(np.abs((left - left.mean()) - (right - right.mean()))))


def keep(frame: Frame) -> Keyframe | None:
    """The frame as a JPEG: its own bytes if it is one. None if it cannot be decoded."""
    if pictures.is_jpeg(frame.encoded):
        return Keyframe(frame.stamp_ns, frame.encoded)
    picture = pictures.decode(frame.encoded)
    return None if picture is None else Keyframe(frame.stamp_ns, pictures.encode_jpeg(picture))
