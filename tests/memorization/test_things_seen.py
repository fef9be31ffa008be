"""Things in the pictures of a clip become memories, where a detector says that they are there."""

from __future__ import annotations

import json

import numpy as np
import pytest

from robot_memory.memorization.scene import Scene
from robot_memory.memorization.things_seen import things_seen, told
from robot_memory.perception.objects import Thing
from robot_memory.perception.pictures import Picture, encode_jpeg
from robot_memory.streams.media import SECOND, Pose
from robot_memory.streams.observation import ClipObservation, Keyframe


class ByBrightness:
    """Finds as many cups as the picture is bright (in steps of 50), and a person in all of them."""

    name = "by brightness"

    def detect(self, picture: Picture) -> list[Thing]:
        cups = [Thing("cup", 0.9, (0.0, 0.0, 9.0, 9.0))] * round(float(picture.mean()) / 50)
        return [*cups, Thing("person", 0.9, (0.0, 0.0, 9.0, 9.0))]


def test_a_thing_is_told_from_the_first_picture_to_the_last_that_shows_it() -> None:
    shades = {2: 0, 8: 50, 14: 100, 25: 0}
    keys = tuple(Keyframe(s * SECOND, encode_jpeg(np.full((9, 9, 3), grey, np.uint8))) for s, grey in shades.items())
    poses = (Pose(8 * SECOND, "map", (3.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)),)
    broken = Keyframe(20 * SECOND, b"no picture")
    observation = ClipObservation("s", 0, 0, 30 * SECOND, poses=poses, keyframes=(*keys, broken))
    (seen,) = things_seen(Scene(1, observation, (), ()), ByBrightness())
    assert (seen.text, seen.source, seen.kind) == ("Two cups were in view.", "seen", "episodic")
    assert (seen.start_ns, seen.end_ns) == (8 * SECOND, 14 * SECOND)
    assert json.loads(seen.pose)["position"][0] == 3.0


@pytest.mark.parametrize(
    ("label", "count", "words"),
    [
        ("cup", 1, "A cup was in view."),
        ("apple", 1, "An apple was in view."),
        ("scissors", 1, "A pair of scissors was in view."),
        ("knife", 2, "Two knives were in view."),
        ("wine glass", 3, "Three wine glasses were in view."),
        ("sheep", 9, "Several sheep were in view."),
    ],
)
def test_how_things_are_told(label: str, count: int, words: str) -> None:
    assert told(label, count) == words
