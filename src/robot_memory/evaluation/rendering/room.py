"""The rooms a scripted story plays in: wall, floor, door, window, drawn with numpy and OpenCV.

Wider than the view, so that the robot can turn. The light flickers slowly and the sensor is noisy, the more the darker
it is. A room without a look is the plain one; a look is a seed for its colours and furniture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.story.script import Room as Asked

Picture = NDArray[np.float32]  # [height, width, 3], BGR, 0..255

WIDTH, HEIGHT = 640, 480
MARGIN = 160  # pixels to turn to on either side
PIXELS_PER_RADIAN = 620.0  # a lens of about 55 degrees
FLOOR = 365  # where the wall meets the floor
NOISE = 1.2  # standard deviation of the sensor's noise, grey levels
LAMPLIGHT = np.array([0.55, 0.2, 0.0], np.float32)  # what is missing of blue, green and red where it is dark
SOFTNESS = 1.0  # standard deviation of the lens's blur, pixels: a cheap camera


@dataclass(frozen=True)
class Room:
    """A drawn room: `canvas` is wider than the view by MARGIN on both sides; `grain` is a field of noise."""

    canvas: Picture
    grain: Picture
    phases: tuple[float, float, float]
    asked: Asked = field(default_factory=Asked)

    @property
    def on_people(self) -> float:
        """The light that falls on people, of what falls on the room: less before a bright window."""
        return 1.0 - 0.6 * self.asked.backlight

    @property
    def exposure(self) -> float:
        """How much longer the shutter is open than in bright light."""
        return 1.0 / max(self.asked.light, 0.2)

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
        noise = self.grain[top : top + HEIGHT, left : left + WIDTH] * math.sqrt(self.exposure)
        light = self.light(t_s) * self.asked.light * (1.0 - LAMPLIGHT * max(0.0, 1.0 - self.asked.light))
        exposed: NDArray[np.uint8] = np.clip(picture * light + noise + 0.5, 0, 255).astype(np.uint8)
        return exposed


def draw(seed: int, asked: Asked | None = None) -> Room:
    """A room with the noise and flicker of a seed. Its look, unless it has none, is the same for every seed."""
    asked = asked or Asked()
    rng = np.random.default_rng((seed, 1))
    canvas = _plain(rng) if asked.look is None else _furnished(np.random.default_rng((asked.look, 3)))
    if asked.backlight:
        canvas = np.asarray(np.minimum(canvas * (1 + 0.25 * asked.backlight), 255), np.float32)
    grain = rng.normal(0.0, NOISE, (2 * HEIGHT, 2 * WIDTH, 1)).astype(np.float32)
    phases = tuple(float(p) for p in rng.uniform(0, 2 * math.pi, 3))
    return Room(canvas, grain, (phases[0], phases[1], phases[2]), asked)


def _plain(rng: np.random.Generator) -> Picture:
    canvas = _wall_and_floor(rng)
    _door(canvas, left=60)
    _window(canvas, left=585)
    _shelf(canvas, left=330)
    return canvas


def _furnished(rng: np.random.Generator) -> Picture:
    """Colours of wall and floor by chance, and what stands in four places side by side."""
    canvas = _wall_and_floor(rng)
    wall = rng.uniform(0.82, 1.10, 3) * rng.uniform(0.85, 1.05)
    canvas[: FLOOR - 12] = np.minimum(canvas[: FLOOR - 12] * wall, 250)
    canvas[FLOOR + 2 :] *= rng.uniform(0.9, 1.1, 3) * rng.uniform(0.7, 1.25)
    pieces = [_door, _window, _shelf, _picture_frame, _lamp, _plant, _curtain]
    chosen = rng.permutation(len(pieces))[:4]
    for place, piece in enumerate(chosen):
        pieces[int(piece)](canvas, 40 + 230 * place + int(rng.integers(0, 40)))
    return canvas


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


def _picture_frame(canvas: Picture, left: int) -> None:
    """Hills and a sun in a dark frame."""
    import cv2

    _box(canvas, (left, 90), (150, 110), (58, 72, 92))
    _box(canvas, (left + 10, 100), (130, 90), (206, 214, 196))
    cv2.circle(canvas, (left + 104, 124), 12, (120, 190, 236), cv2.FILLED, cv2.LINE_AA)
    hills = np.array([(left + 10, 189), (left + 44, 142), (left + 74, 170), (left + 104, 150), (left + 139, 189)])
    cv2.fillPoly(canvas, [hills.astype(np.int32)], (108, 142, 96), cv2.LINE_AA)


def _lamp(canvas: Picture, left: int) -> None:
    """A standard lamp with a warm shade."""
    import cv2

    _box(canvas, (left + 66, 170), (8, FLOOR - 150), (66, 74, 84))
    cv2.ellipse(canvas, (left + 70, FLOOR + 22), (38, 9), 0, 0, 360, (60, 66, 76), cv2.FILLED, cv2.LINE_AA)
    shade = np.array([(left + 40, 96), (left + 100, 96), (left + 124, 172), (left + 16, 172)], np.int32)
    cv2.fillPoly(canvas, [shade], (168, 214, 238), cv2.LINE_AA)


def _plant(canvas: Picture, left: int) -> None:
    """A tall plant in a pot."""
    import cv2

    for lean, tall in ((-46, 150), (-22, 196), (0, 216), (26, 188), (48, 140)):
        tip, middle = (left + 70 + lean, FLOOR - tall), (left + 70 + lean // 3, FLOOR - tall // 2)
        cv2.line(canvas, (left + 70, FLOOR - 40), middle, (58, 112, 66), 5, cv2.LINE_AA)
        cv2.line(canvas, middle, tip, (64, 124, 72), 4, cv2.LINE_AA)
        cv2.ellipse(canvas, tip, (13, 34), lean // 2, 0, 360, (72, 138, 82), cv2.FILLED, cv2.LINE_AA)
    pot = np.array(
        [(left + 38, FLOOR - 50), (left + 102, FLOOR - 50), (left + 92, FLOOR + 26), (left + 48, FLOOR + 26)]
    )
    cv2.fillPoly(canvas, [pot.astype(np.int32)], (84, 112, 178), cv2.LINE_AA)


def _curtain(canvas: Picture, left: int) -> None:
    """A curtain in folds, from its rod to the floor."""
    _box(canvas, (left - 8, 46), (176, 8), (70, 92, 118))
    folds = 1 + 0.14 * np.sin(np.arange(160, dtype=np.float32) / 6.5)
    canvas[54 : FLOOR + 4, left : left + 160] = np.array([128, 104, 150]) * folds[None, :, None]


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
