"""The pictures kept of a clip: the first, and up to three where the scene changed most."""

from __future__ import annotations

import cv2
import numpy as np

from robot_memory.perception import pictures
from robot_memory.perception.keyframes import MOST, choose, difference, keep
from robot_memory.streams.media import SECOND, Frame


def scene(seed: int) -> np.ndarray:
    rough = np.random.default_rng(seed).integers(0, 256, (6, 8)).astype(np.uint8)
    return cv2.resize(rough, (32, 24), interpolation=cv2.INTER_LINEAR)


def frames(scenes: list[np.ndarray], every_s: float = 1.0) -> list[tuple[Frame, np.ndarray]]:
    return [(Frame(round(i * every_s * SECOND), b""), s) for i, s in enumerate(scenes)]


def seconds(chosen: list[Frame]) -> list[float]:
    return [f.stamp_ns / SECOND for f in chosen]


def test_nothing_happens_one_picture():
    assert seconds(choose(frames([scene(1)] * 30))) == [0]
    assert choose([]) == []


def test_each_new_scene_gives_one():
    assert seconds(choose(frames([scene(1)] * 8 + [scene(2)] * 8 + [scene(3)] * 8))) == [0, 8, 16]


def test_many_scenes_give_the_most_allowed_in_order():
    chosen = seconds(choose(frames([scene(i // 3) for i in range(30)])))
    assert len(chosen) == MOST
    assert chosen[0] == 0
    assert chosen == sorted(chosen)


def test_flicker_is_one_change():
    chosen = seconds(choose(frames([scene(1)] * 10 + [scene(i) for i in range(2, 12)], every_s=0.2)))
    assert chosen == [0, 2.0]


def test_a_lamp_makes_no_new_scene():
    brighter = np.clip(scene(1).astype(int) // 2 + 60, 0, 255).astype(np.uint8)
    dimmer = (scene(1).astype(int) // 2).astype(np.uint8)
    assert difference(brighter, dimmer) < 1
    assert seconds(choose(frames([brighter] * 5 + [dimmer] * 5))) == [0]


def test_a_jpeg_is_kept_as_it_is_and_a_png_becomes_one(hopper):
    assert keep(Frame(7, hopper)).jpeg is hopper
    png = cv2.imencode(".png", cv2.imdecode(np.frombuffer(hopper, np.uint8), cv2.IMREAD_COLOR))[1].tobytes()
    kept = keep(Frame(7, png))
    assert kept.stamp_ns == 7
    assert pictures.is_jpeg(kept.jpeg)
    assert pictures.size(kept.jpeg) == (512, 600)
    assert keep(Frame(7, b"junk")) is None
