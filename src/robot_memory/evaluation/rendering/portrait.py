"""A cut-out person in the picture: at any place, size and light, blurred by their own speed, standing on their coat.

Where a face is in the view follows from the same placing, in pixels: that is the truth a scorer gets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from robot_memory.evaluation.assets import Rectangle
from robot_memory.evaluation.rendering.cutout import Cutout, Pixels
from robot_memory.evaluation.story.script import Placing, Scene

FACE = 0.42  # height of the face, of the height of head and shoulders
COAT_BELOW = 3.0  # times its own height that a person goes on below their picture
COAT_DARKER = 0.55


def spot(
    face: Rectangle, shape: tuple[int, int], placing: Placing, view: tuple[int, int]
) -> tuple[float, float, float]:
    """Left, top and scale of a picture of `shape` (high, wide) in a view (high, wide), pixels."""
    high, wide = view
    own_high, own_wide = shape
    if placing.y is None:
        scale = placing.size * high / own_high
        return placing.x * wide - scale * own_wide / 2, placing.foot * high - scale * own_high, scale
    left, top, across, down = face
    scale = FACE * placing.size * high / (down * own_high)
    middle_x, middle_y = (left + across / 2) * own_wide, (top + down / 2) * own_high
    return placing.x * wide - scale * middle_x, placing.y * high - scale * middle_y, scale


def face_in_view(cutout: Cutout, placing: Placing, view: tuple[int, int]) -> Rectangle:
    """Left, top, width and height of the face in pixels of the view; it may lie outside."""
    high, wide = cutout.cover.shape[:2]
    left, top, scale = spot(cutout.face, (high, wide), placing, view)
    x, y, across, down = cutout.face
    return left + scale * x * wide, top + scale * y * high, scale * across * wide, scale * down * high


def paste(view: Pixels, cutout: Cutout, placing: Placing, blur_px: float = 0.0) -> None:
    """Put a cutout into a picture, in place. Parts outside the view are cut off; `blur_px`: smear across."""
    import cv2

    high, wide = view.shape[:2]
    own_high, own_wide = cutout.cover.shape[:2]
    left, top, scale = spot(cutout.face, (own_high, own_wide), placing, (high, wide))
    tall = own_high * scale if placing.y is None else own_high * scale * (1 + COAT_BELOW)
    if left >= wide or top >= high or left + scale * own_wide <= 0 or top + tall <= 0:
        return
    move = np.array([[scale, 0, left], [0, scale, top]], np.float64)
    colour: Any
    cover: Any
    colour = cv2.warpAffine(cutout.colour, move, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(cutout.cover, move, (wide, high), flags=cv2.INTER_LINEAR)[:, :, None]
    if placing.y is not None:
        _coat(colour, cover, top + scale * own_high, scale * own_high)
    if blur_px >= 2:
        length = round(blur_px)
        cover_smeared = cv2.blur(cover, (length, 1))[:, :, None]
        colour = cv2.blur(colour * cover, (length, 1)) / np.maximum(cover_smeared, 1e-3)
        cover = cover_smeared
    view += cover * (colour * placing.light - view)


def _coat(colour: Pixels, cover: Pixels, bottom: float, tall: float) -> None:
    """Below the picture the person goes on as their picture ends, darker towards the floor: nobody floats."""
    import cv2

    first = round(bottom) - 3
    if not 1 <= first < len(cover):
        return
    edge = max(first - 2, 0)
    hem = cv2.GaussianBlur(colour[edge : edge + 1] * cover[edge : edge + 1], (0, 0), max(1.0, 0.05 * tall))
    hem_cover = cv2.GaussianBlur(cover[edge : edge + 1, :, 0], (0, 0), max(1.0, 0.05 * tall))[:, :, None]
    down = np.arange(len(cover) - first, dtype=np.float32)[:, None, None]
    fading = np.clip(1 - COAT_DARKER * down / max(tall, 1.0), 1 - COAT_DARKER, 1)
    colour[first:] = hem / np.maximum(hem_cover, 1e-3) * fading
    cover[first:] = cover[edge : edge + 1]


def placing_at(scene: Scene, t_s: float) -> Placing | None:
    """Where a scene's person stands at a time, None while they are not in view."""
    if not scene.start_s <= t_s <= scene.end_s:
        return None
    times = [point.at_s for point in scene.path]

    def at(values: list[float]) -> float:
        return float(np.interp(t_s, times, values))

    return Placing(
        t_s,
        at([p.x for p in scene.path]),
        at([p.size for p in scene.path]),
        at([p.foot for p in scene.path]),
        at([p.light for p in scene.path]),
        None if scene.path[0].y is None else at([p.y or 0.0 for p in scene.path]),
    )


def speed(scene: Scene, t_s: float) -> float:
    """How fast a scene's person crosses the view, widths a second."""
    before, after = placing_at(scene, max(scene.start_s, t_s - 0.05)), placing_at(scene, min(scene.end_s, t_s + 0.05))
    if before is None or after is None or after.at_s <= before.at_s:
        return 0.0
    return abs(after.x - before.x) / (after.at_s - before.at_s)


def swayed(placing: Placing, phase: float) -> Placing:
    """The same placing with the small movements of someone standing: a person is never quite still."""
    t = placing.at_s
    x = placing.x + 0.006 * float(np.sin(t * 1.1 + phase)) + 0.003 * float(np.sin(t * 2.9 + 2 * phase))
    size = placing.size * (1.0 + 0.008 * float(np.sin(t * 0.8 + 3 * phase)))
    return Placing(t, x, size, placing.foot, placing.light, placing.y)
