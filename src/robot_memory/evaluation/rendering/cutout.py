"""A person cut out of a portrait with a soft edge: along a given outline, or found by colour where there is none.

Finding uses OpenCV's GrabCut (Rother et al. 2004) on a small copy, told that a head and shoulders fill the middle; no
model is needed. It is right for a portrait before a calm wall; a busy wall leaves crumbs of itself at the edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.assets import Picture, Rectangle
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid

Pixels = NDArray[np.float32]
SOFT = 0.006  # width of the soft edge, as a fraction of the portrait's height
SMALLEST, RIM = 32, 0.025  # pixels; what is cut off all around, since portraits may have a frame
SMALL = 320  # height at which a person is looked for, pixels
NECK = (0.12, 0.62)  # the narrowest part of head and shoulders lies between these fractions of their height
FACE_WIDTH, FACE_TOP, FACE_HEIGHT = 0.75, 0.24, 0.88  # of the head, from its top to the neck


@dataclass(frozen=True, eq=False)
class Cutout:
    """`colour` [h, w, 3] BGR 0..255, `cover` [h, w, 1] 0..1, and where the face is, in fractions."""

    colour: Pixels
    cover: Pixels
    face: Rectangle


def cut(picture: Picture, tallest: float) -> Cutout:
    """Cut a person out, at the height of the tallest appearance (in pixels): shrinking more is soft.

    Raises ScriptInvalid where the picture cannot be read.
    """
    import cv2

    whole = read(picture)
    factor = min(1.0, tallest / whole.shape[0])
    size = (max(2, round(whole.shape[1] * factor)), max(2, round(whole.shape[0] * factor)))
    colour = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    if picture.outline is not None:
        corners = np.array(picture.outline) * (np.array(size) - 1)
        mask = np.zeros(colour.shape[:2], np.float32)
        cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 1.0, cv2.LINE_AA, shift=4)
    else:
        mask = cv2.resize(found(picture), size, interpolation=cv2.INTER_LINEAR)
    width = max(0.8, SOFT * size[1])
    mask = np.clip(cv2.GaussianBlur(mask, (0, 0), width) * 1.6 - 0.6, 0, 1)  # fades inwards: no rim of the old wall
    return Cutout(colour.astype(np.float32), mask[:, :, None], face_of(picture))


def face_of(picture: Picture) -> Rectangle:
    """Left, top, width and height of the face, in fractions of the picture; a guess where the picture does not say.

    The guess is the middle of what lies above the narrowest place between head and shoulders: about the face, and
    surely on the head.
    """
    return picture.face or _guess(picture)


def read(picture: Picture) -> Any:
    """BGR pixels. Raises ScriptInvalid."""
    import cv2

    try:
        encoded = picture.path.read_bytes()
    except OSError as error:
        raise ScriptInvalid(f"{picture.path}: cannot be read ({error}) — mend the path of the picture") from error
    pixels = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR) if encoded else None
    if pixels is None or min(pixels.shape[:2]) < SMALLEST:
        raise ScriptInvalid(f"{picture.path}: no picture of {SMALLEST} pixels or more — give a JPEG or PNG")
    rim = round(RIM * min(pixels.shape[:2])) if picture.outline is None and picture.face is None else 0
    return pixels[rim : len(pixels) - rim, rim : pixels.shape[1] - rim]


@lru_cache(maxsize=128)
def found(picture: Picture) -> Pixels:
    """Where the person is, [320, w] 0 or 1: one piece without holes."""
    import cv2

    whole = read(picture)
    wide = max(16, round(whole.shape[1] * SMALL / whole.shape[0]))
    way = cv2.INTER_AREA if whole.shape[0] > SMALL else cv2.INTER_CUBIC
    small = cv2.resize(whole, (wide, SMALL), interpolation=way)
    marks = _marks(wide)
    cv2.setRNGSeed(1)  # GrabCut begins with random clusters
    cv2.grabCut(small, marks, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    likely = np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    closed = np.asarray(cv2.morphologyEx(_largest(likely), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    return np.asarray(cv2.morphologyEx(_filled(closed), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.float32)


def _marks(wide: int) -> NDArray[np.uint8]:
    """What GrabCut is told: surely person down the middle, probably head and shoulders, surely wall at the edges."""
    import cv2

    def at(points: tuple[tuple[float, float], ...]) -> list[Any]:
        return [np.array([(x * wide, y * SMALL) for x, y in points], np.int32)]

    marks = np.full((SMALL, wide), cv2.GC_PR_BGD, np.uint8)
    head = ((0.5 * wide, 0.36 * SMALL), (0.5 * wide, 0.5 * SMALL), 0)
    cv2.ellipse(marks, head, cv2.GC_PR_FGD, cv2.FILLED)
    cv2.fillPoly(marks, at(((0.3, 0.62), (0.7, 0.62), (0.95, 1), (0.05, 1))), cv2.GC_PR_FGD)
    core = ((0.44, 0.3), (0.56, 0.3), (0.62, 0.75), (0.75, 1), (0.25, 1), (0.38, 0.75))
    cv2.fillPoly(marks, at(core), cv2.GC_FGD)
    marks[:2] = marks[: round(0.55 * SMALL), :3] = marks[: round(0.55 * SMALL), -3:] = cv2.GC_BGD
    return marks


def _largest(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    return np.asarray(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), np.uint8)


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Without the holes that the wall's colours leave inside a person."""
    import cv2

    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - mask)
    high, wide = mask.shape
    for i in range(1, count):
        x, y, across, down, _ = stats[i]
        if x > 0 and y > 0 and x + across < wide and y + down < high:
            mask[labels == i] = 1
    return mask


def _guess(picture: Picture) -> Rectangle:
    person = found(picture) if picture.outline is None else _drawn(picture.outline)
    rows = np.flatnonzero(person.any(axis=1))
    top, tall = int(rows[0]), len(rows)
    widths = person.sum(axis=1)
    low, high = top + round(NECK[0] * tall), top + round(NECK[1] * tall)
    head = top + 1 + int(np.argmax(widths[top + 1 : high])) if high > top + 2 else top
    head = min(head, low + round(0.2 * tall))
    neck = head + int(np.argmin(widths[head:high])) if high > head else high
    neck = max(neck, low)
    columns = np.flatnonzero(person[top:neck].any(axis=0))
    left, right = float(columns[0]), float(columns[-1] + 1)
    width, middle = min(right - left, float(neck - top)), (left + right) / 2
    high_px, wide_px = person.shape
    across = FACE_WIDTH * width
    return (
        (middle - across / 2) / wide_px,
        (top + FACE_TOP * (neck - top)) / high_px,
        across / wide_px,
        FACE_HEIGHT * (neck - top) / high_px,
    )


def _drawn(outline: tuple[tuple[float, float], ...]) -> Pixels:
    import cv2

    mask = np.zeros((SMALL, SMALL), np.float32)
    cv2.fillPoly(mask, [np.round(np.array(outline) * (SMALL - 1)).astype(np.int32)], 1.0)
    return mask
