"""The plain room a scripted story plays in: wall, floor, door, window, drawn with numpy and OpenCV.

Wider than the view, so that the robot can turn. The light flickers slowly and the sensor is a little noisy; all of
it follows from the seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]  # [height, width, 3], BGR, 0..255

WIDTH, HEIGHT = 640, 480
MARGIN = 160  # pixels to turn to on either side
PIXELS_PER_RADIAN = 620.0  # a lens of about 55 degrees
FLOOR = 365  # where the wall meets the floor
NOISE = 1.2  # standard deviation of the sensor's noise, grey levels
SOFTNESS = 1.0  # standard deviation of the lens's blur, pixels: a cheap camera


@dataclass(frozen=True)
class Room:
    """A drawn room: `canvas` is wider than the view by MARGIN on both sides; `grain` is a field of noise."""

    canvas: Picture
    grain: Picture
    phases: tuple[float, float, float]

    def view(self, yaw: float) -> Picture:
        """What the camera sees, turned by `yaw` radians from straight ahead (left is positive)."""
        shift = min(max(round(MARGIN - yaw * PIXELS_PER_RADIAN), 0), 2 * MARGIN)
        view: Picture = self.canvas[:, shift : shift + WIDTH].copy()
        return view

    def light(self, t_s: float) -> float:
        """The lamp's brightness at a time: clouds pass slowly, the lamp hums a little."""
        slow, middle, fast = self.phases
        wave = 0.04 * math.sin(t_s / 7.3 + slow) + 0.02 * math.sin(t_s / 1.9 + middle)
        return 1.0 + wave + 0.006 * math.sin(t_s * 4.1 + fast)

    def expose(self, picture: Picture, t_s: float, frame: int) -> NDArray[np.uint8]:
        """Apply the lens, the light of the moment and the sensor's noise, as uint8."""
        import cv2

        picture = cv2.GaussianBlur(picture, (0, 0), SOFTNESS).astype(np.float32)
        top, left = (frame * 37) % HEIGHT, (frame * 101) % WIDTH
        noise = self.grain[top : top + HEIGHT, left : left + WIDTH]
        exposed: NDArray[np.uint8] = np.clip(picture * self.light(t_s) + noise + 0.5, 0, 255).astype(np.uint8)
        return exposed


def draw(seed: int) -> Room:
    """The room of a seed: the same wall and furniture, its own tints, noise and flicker."""
    rng = np.random.default_rng((seed, 1))
    canvas = _wall_and_floor(rng)
    _door(canvas, left=60)
    _window(canvas, left=585)
    _shelf(canvas, left=330)
    grain = rng.normal(0.0, NOISE, (2 * HEIGHT, 2 * WIDTH, 1)).astype(np.float32)
    phases = tuple(float(p) for p in rng.uniform(0, 2 * math.pi, 3))
    return Room(canvas, grain, (phases[0], phases[1], phases[2]))


def _wall_and_floor(rng: np.random.Generator) -> Picture:
    """A wall lighter towards the window, a floor darker towards the viewer, a skirting board between them."""
    width = WIDTH + 2 * MARGIN
    tint = rng.uniform(-6, 6, 3)
    canvas = np.empty((HEIGHT, width, 3), np.float32)
    across = np.linspace(0.80, 1.05, width, dtype=np.float32)[None, :, None]
    down = np.linspace(1.04, 0.90, FLOOR, dtype=np.float32)[:, None, None]
    canvas[:FLOOR] = (np.array([176, 190, 198]) + tint) * across * down
    near = np.linspace(0.95, 0.72, HEIGHT - FLOOR, dtype=np.float32)[:, None, None]
    canvas[FLOOR:] = np.array([82, 112, 148]) * across * near
    _boards(canvas)
    canvas[FLOOR - 12 : FLOOR] = np.array([205, 212, 216]) * across[0]
    canvas[FLOOR - 1 : FLOOR + 2] *= 0.6
    return canvas


def _boards(canvas: Picture) -> None:
    """Seams of floorboards, running away from the viewer."""
    import cv2

    middle = canvas.shape[1] // 2
    for offset in range(-900, 901, 300):
        far, near = (middle + offset // 2, FLOOR), (middle + int(offset * 1.4), HEIGHT)
        cv2.line(canvas, far, near, (66, 92, 124), 2, cv2.LINE_AA)


def _box(canvas: Picture, corner: tuple[int, int], size: tuple[int, int], colour: tuple[int, int, int]) -> None:
    import cv2

    x, y = corner
    cv2.rectangle(canvas, (x, y), (x + size[0] - 1, y + size[1] - 1), colour, cv2.FILLED)


def _door(canvas: Picture, left: int) -> None:
    import cv2

    _box(canvas, (left - 10, 70), (150, FLOOR - 70), (196, 204, 208))
    _box(canvas, (left, 80), (130, FLOOR - 80), (78, 104, 138))
    for y, high in ((98, 105), (222, 122)):
        _box(canvas, (left + 18, y), (94, high), (66, 90, 121))
        _box(canvas, (left + 22, y + 4), (86, high - 8), (84, 112, 147))
    cv2.circle(canvas, (left + 118, 222), 6, (90, 178, 205), cv2.FILLED, cv2.LINE_AA)


def _window(canvas: Picture, left: int) -> None:
    """Sky over a meadow, two panes, a sill."""
    wide, high, top = 170, 150, 64
    _box(canvas, (left - 10, top - 10), (wide + 20, high + 20), (214, 220, 224))
    down = np.linspace(0, 1, high, dtype=np.float32)[:, None, None]
    canvas[top : top + high, left : left + wide] = (
        np.array([232, 212, 190]) * (1 - down) + np.array([236, 230, 222]) * down
    )
    _box(canvas, (left, top + high - 34), (wide, 34), (120, 156, 136))
    _box(canvas, (left + wide // 2 - 3, top), (6, high), (214, 220, 224))
    _box(canvas, (left - 18, top + high + 10), (wide + 36, 10), (206, 213, 217))


def _shelf(canvas: Picture, left: int) -> None:
    """A shelf with a few broad books between door and window."""
    x = left
    for spine, wide, high in (
        ((88, 84, 140), 22, 64),
        ((132, 108, 84), 28, 56),
        ((92, 122, 100), 20, 64),
        ((90, 128, 160), 26, 56),
    ):
        _box(canvas, (x, 190 - high), (wide, high), spine)
        x += wide
    _box(canvas, (left - 14, 190), (x - left + 28, 9), (86, 112, 144))
