"""From paths in the view to boxes in the picture: when somebody's face can be seen, and where."""

from __future__ import annotations

from collections.abc import Iterator

from robot_memory.evaluation.truth import Appearance, Box
from robot_memory.evaluation.worlds.world import EDGE, Entry, Episode, Placing

WIDTH, HEIGHT = 640, 480  # pixels of the picture
FACE_HEIGHT, FACE_WIDTH, FACE_MIDDLE = 0.42, 0.33, 0.42  # of the height of head and shoulders; middle from their top
SHORTEST_S = 0.4


def appearances(episode: Episode) -> Iterator[Appearance]:
    """The stretches in which each face of an episode is in view; their paths are linear between the boxes."""
    for entry in episode.entries:
        for path in _in_view(entry):
            if path[-1].at_s - path[0].at_s >= SHORTEST_S:
                yield Appearance(entry.who, tuple(_box(episode, placing) for placing in path), episode.room)


def _in_view(entry: Entry) -> Iterator[list[Placing]]:
    """The path cut where the middle of the face enters or leaves the view."""
    now: list[Placing] = []
    for before, after in zip(entry.path, entry.path[1:], strict=False):
        cuts = sorted({0.0, 1.0, *_crossings(before, after)})
        for low, high in zip(cuts, cuts[1:], strict=False):
            if EDGE <= between(before, after, (low + high) / 2).x <= 1 - EDGE:
                now = (now or [between(before, after, low)]) + [between(before, after, high)]
            elif now:
                yield now
                now = []
    if now:
        yield now


def _crossings(before: Placing, after: Placing) -> list[float]:
    """Where between two placings, 0..1, the face crosses an edge."""
    if before.x == after.x:
        return []
    found = [(edge - before.x) / (after.x - before.x) for edge in (EDGE, 1 - EDGE)]
    return [part for part in found if 0 < part < 1]


def between(before: Placing, after: Placing, part: float) -> Placing:
    """The placing a part (0..1) of the way from one to the next."""
    if part in (0.0, 1.0):
        return after if part else before
    ends = ((before.at_s, after.at_s), (before.x, after.x), (before.size, after.size))
    return Placing(*(a + (b - a) * part for a, b in ends))


def _box(episode: Episode, placing: Placing) -> Box:
    tall = placing.size * HEIGHT
    width, height = FACE_WIDTH * tall, FACE_HEIGHT * tall
    x, y = placing.x * WIDTH - width / 2, HEIGHT - tall + FACE_MIDDLE * tall - height / 2
    return Box(episode.at_ns(placing.at_s), round(x, 1), round(y, 1), round(width, 1), round(height, 1))
