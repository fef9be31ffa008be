"""A scripted stretch of life: who comes into view, who says what, where the robot stands. Plain data, times in seconds.

Written by hand in YAML (scriptfile.py reads it and documents the format) or made by a generator; render.py makes
it a bag.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

VOICES = ("slt", "rms", "awb", "kal16", "kal")
Point = tuple[float, float]


@dataclass(frozen=True)
class Person:
    """Someone the script knows. `picture` None: never seen; `voice` empty: never heard; `outline` empty: an oval."""

    name: str
    picture: Path | None = None
    outline: tuple[Point, ...] = ()
    voice: str = ""


@dataclass(frozen=True)
class Placing:
    """Where a portrait stands in the view at one moment, in fractions of the view (see the format above)."""

    at_s: float
    x: float
    size: float
    foot: float = 1.0
    light: float = 1.0


@dataclass(frozen=True)
class Scene:
    """One appearance of one person, from the first placing to the last."""

    who: str
    path: tuple[Placing, ...]

    @property
    def start_s(self) -> float:
        return self.path[0].at_s

    @property
    def end_s(self) -> float:
        return self.path[-1].at_s


@dataclass(frozen=True)
class Line:
    """One thing said, without a pause between its sentences longer than the voice makes."""

    at_s: float
    who: str
    text: str
    pace: float = 1.0
    level_db: float = 0.0


@dataclass(frozen=True)
class Stand:
    """Where the robot is at one moment: metres and radians in `odom`."""

    at_s: float
    x: float
    y: float
    yaw: float


@dataclass(frozen=True)
class Stretch:
    """A stretch of time, seconds from the start, half-open."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class Script:
    """A whole script. `start_ns` is nanoseconds since the epoch; scenes, lines and stands are in order of time."""

    name: str
    start_ns: int
    duration_s: float
    seed: int
    frames_per_second: float
    quality: int
    people: tuple[Person, ...]
    scenes: tuple[Scene, ...]
    lines: tuple[Line, ...]
    stands: tuple[Stand, ...]
    empty: tuple[Stretch, ...]

    def person(self, name: str) -> Person:
        return next(person for person in self.people if person.name == name)
