"""A person cut out of a portrait with a soft edge, and put into a picture at any place, size and light."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.story.script import Person, Placing, Point, Scene
from robot_memory.evaluation.story.yamlnodes import ScriptInvalid

Picture = NDArray[np.float32]

OVAL: tuple[Point, ...] = tuple(
    (0.5 + 0.48 * float(np.cos(angle)), 0.5 + 0.49 * float(np.sin(angle))) for angle in np.linspace(0, 2 * np.pi, 48)
)
SOFT = 0.006  # width of the soft edge, as a fraction of the portrait's height


@dataclass(frozen=True)
class Cutout:
    """A portrait without its background: `colour` [h, w, 3] BGR 0..255 and `cover` [h, w, 1] 0..1."""

    colour: Picture
    cover: Picture


def cut(person: Person, tallest: float) -> Cutout:
    """Cut a person out of their picture, at the size of the tallest appearance (in pixels): shrinking more is soft.

    Raises ScriptInvalid where the picture cannot be read.
    """
    import cv2

    colour = cv2.imdecode(np.frombuffer(_bytes(person), np.uint8), cv2.IMREAD_COLOR)
    if colour is None:
        raise ScriptInvalid(f"{person.picture}: not a picture OpenCV can read — give {person.name} a JPEG or PNG")
    factor = min(1.0, tallest / colour.shape[0])
    size = (max(2, round(colour.shape[1] * factor)), max(2, round(colour.shape[0] * factor)))
    colour = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
    corners = np.array(person.outline or OVAL) * (np.array(size) - 1)
    mask = np.zeros(colour.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 1.0, cv2.LINE_AA, shift=4)
    width = max(0.8, SOFT * size[1])
    mask = np.clip(cv2.GaussianBlur(mask, (0, 0), width) * 1.6 - 0.6, 0, 1)  # fades inwards: no rim of the old wall
    return Cutout(colour.astype(np.float32), mask[:, :, None])


def _bytes(person: Person) -> bytes:
    path: Path = person.picture or Path()
    try:
        return path.read_bytes()
    except OSError as error:
        raise ScriptInvalid(f"{path}: cannot be read ({error}) — mend {person.name}'s picture") from error


def paste(view: Picture, cutout: Cutout, placing: Placing) -> None:
    """Put a cutout into a picture, in place. Parts outside the view are cut off."""
    import cv2

    high, wide = view.shape[:2]
    own_high, own_wide = cutout.cover.shape[:2]
    scale = placing.size * high / own_high
    left, top = placing.x * wide - scale * own_wide / 2, placing.foot * high - scale * own_high
    if left >= wide or top >= high or left + scale * own_wide <= 0 or top + scale * own_high <= 0:
        return
    move = np.array([[scale, 0, left], [0, scale, top]], np.float64)
    colour = cv2.warpAffine(cutout.colour, move, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(cutout.cover, move, (wide, high), flags=cv2.INTER_LINEAR)[:, :, None]
    view += cover * (colour * placing.light - view)


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
    )


def swayed(placing: Placing, phase: float) -> Placing:
    """The same placing with the small movements of someone standing: a person is never quite still."""
    t = placing.at_s
    x = placing.x + 0.006 * float(np.sin(t * 1.1 + phase)) + 0.003 * float(np.sin(t * 2.9 + 2 * phase))
    size = placing.size * (1.0 + 0.008 * float(np.sin(t * 0.8 + 3 * phase)))
    return Placing(t, x, size, placing.foot, placing.light)
