"""The truth of a rendered script: boxes of faces in the picture over time, and lines with their true ends.

A box is where the picture's face is, give or take a few pixels of sway; where a picture does not say where its face is
(a folder's portraits), it is the upper middle of the person (cutout.py). So a scorer matches a detected face to a box
by overlap, or by whether the middle of one lies in the other. Somebody hidden behind another still counts as in view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robot_memory.evaluation.rendering import portrait, room
from robot_memory.evaluation.rendering.filming import Take
from robot_memory.evaluation.story.script import Placing, Scene
from robot_memory.evaluation.truth import Appearance, Box, Fact, Said, Truth

VIEW = (room.HEIGHT, room.WIDTH)
EDGE = 0.04  # a face is in view while its middle is this far inside the picture, in widths
SHORTEST_S = 0.4
Face = tuple[float, float, float, float]
Step = tuple[float, Face]  # seconds, box


def known(takes: Sequence[Take], facts: tuple[Fact, ...] = (), strangers: tuple[str, ...] = ()) -> Truth:
    script = takes[0].script
    lines = [
        Said(
            said.line.who,
            take.episode.at_ns(said.line.at_s),
            take.episode.at_ns(said.end_s),
            said.line.text,
            take.episode.place,
        )
        for take in takes
        for said in take.lines
    ]
    return Truth(
        name=script.name,
        zone=script.zone,
        start_ns=script.start_ns,
        end_ns=script.end_ns,
        people=tuple(person.name for person in script.people) + strangers,
        appearances=tuple(one for take in takes for one in appearances(take)),
        lines=tuple(sorted(lines, key=lambda line: line.start_ns)),
        facts=facts,
    )


def appearances(take: Take) -> Iterator[Appearance]:
    """The stretches in which each face of an episode is in view."""
    episode = take.episode
    for scene in episode.scenes:
        for steps in _in_view(list(_steps(take, scene))):
            if steps[-1][0] - steps[0][0] >= SHORTEST_S:
                path = tuple(Box(episode.at_ns(t_s), *(round(value, 1) for value in face)) for t_s, face in steps)
                yield Appearance(scene.who, path, episode.place)


def _steps(take: Take, scene: Scene) -> Iterator[Step]:
    """The face at every point of a scene's path: what lies between is linear in the placing, and so in the box."""
    for placing in scene.path:
        if placing.at_s <= take.episode.duration_s:
            yield placing.at_s, _face(take, scene, placing)


def _face(take: Take, scene: Scene, placing: Placing) -> Face:
    return portrait.face_in_view(take.cutouts[scene.who, scene.picture], placing, VIEW)


def _in_view(steps: list[Step]) -> Iterator[list[Step]]:
    """The path cut where the middle of the face enters or leaves the picture."""
    now: list[Step] = []
    for before, after in zip(steps, steps[1:], strict=False):
        cuts = sorted({0.0, 1.0, *_crossings(before, after)})
        for low, high in zip(cuts, cuts[1:], strict=False):
            if _inside(_between(before, after, (low + high) / 2)):
                now = (now or [_between(before, after, low)]) + [_between(before, after, high)]
            elif now:
                yield now
                now = []
    if now:
        yield now


def _crossings(before: Step, after: Step) -> list[float]:
    """Where between two steps, 0..1, the middle of the face crosses an edge."""
    found = []
    for axis, length in ((0, room.WIDTH), (1, room.HEIGHT)):
        first, last = (step[1][axis] + step[1][axis + 2] / 2 for step in (before, after))
        if first != last:
            found += [(edge * length - first) / (last - first) for edge in (EDGE, 1 - EDGE)]
    return [part for part in found if 0 < part < 1]


def _inside(step: Step) -> bool:
    x, y, wide, high = step[1]
    middle_x, middle_y = (x + wide / 2) / room.WIDTH, (y + high / 2) / room.HEIGHT
    return EDGE <= middle_x <= 1 - EDGE and EDGE <= middle_y <= 1 - EDGE


def _between(before: Step, after: Step, part: float) -> Step:
    if part in (0.0, 1.0):
        return after if part else before
    x, y, wide, high = (a + (b - a) * part for a, b in zip(before[1], after[1], strict=True))
    return before[0] + (after[0] - before[0]) * part, (x, y, wide, high)
