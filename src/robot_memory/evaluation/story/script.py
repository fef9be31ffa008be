"""A scripted stretch of life: who comes into view, who says what, where the robot stands. Plain data, times in seconds.

Written by hand in YAML (scriptfile.py reads it; docs/stories.md documents it) or made of a generated world (staging);
rendering/ makes it a bag. A script is one or several episodes; between them the robot sees and hears nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from robot_memory.evaluation.assets import Picture
from robot_memory.streams.media import SECOND


@dataclass(frozen=True)
class Person:
    """Someone the script knows, by the name that people call them. No pictures: never seen; no voice: never heard."""

    name: str
    pictures: tuple[Picture, ...] = ()
    voice: str = ""


@dataclass(frozen=True)
class Placing:
    """Where a person stands in the view at one moment, in fractions of the view.

    `y` None: x is the middle of the picture, `size` its height, `foot` its lower edge. Otherwise (x, y) is the middle
    of the face and `size` the height of head and shoulders, whatever the picture shows.
    """

    at_s: float
    x: float
    size: float
    foot: float = 1.0
    light: float = 1.0
    y: float | None = None


@dataclass(frozen=True)
class Scene:
    """One appearance of one person in one of their pictures, from the first placing to the last."""

    who: str
    path: tuple[Placing, ...]
    picture: int = 0

    @property
    def start_s(self) -> float:
        return self.path[0].at_s

    @property
    def end_s(self) -> float:
        return self.path[-1].at_s


@dataclass(frozen=True)
class Line:
    """One thing said, in one breath: synthesised, or the recording `sound`, of which `text` is the transcript.

    `far`: spoken out of view (quieter, more echo); None: if the speaker is not in view. `lasts_s`: how long it should
    take, as near as the voice can; 0: as long as it takes.
    """

    at_s: float
    who: str
    text: str
    pace: float = 1.0
    level_db: float = 0.0
    sound: Path | None = None
    far: bool | None = None
    lasts_s: float = 0.0


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
class Room:
    """What a place looks and sounds like. `look`: seed of its walls and furniture (None: the plain room).

    `light`: 1 is a bright day, 0.3 a lamp in the evening; `backlight`: 0..1, people stand dark before a bright window;
    `noise_db`: louder than a quiet room; `echo`: times as much as a small furnished room; `shutter_s`: how long the
    shutter is open by day: who crosses fast is blurred.
    """

    look: int | None = None
    light: float = 1.0
    backlight: float = 0.0
    noise_db: float = 0.0
    echo: float = 1.0
    shutter_s: float = 0.0


@dataclass(frozen=True)
class Episode:
    """One stretch without a gap. `start_ns` is nanoseconds since the epoch; scenes, lines and stands are in order."""

    start_ns: int
    duration_s: float
    place: str = ""
    room: Room = Room()
    scenes: tuple[Scene, ...] = ()
    lines: tuple[Line, ...] = ()
    stands: tuple[Stand, ...] = ()
    empty: tuple[Stretch, ...] = ()

    @property
    def end_ns(self) -> int:
        return self.start_ns + round(self.duration_s * SECOND)

    def at_ns(self, seconds: float) -> int:
        return self.start_ns + round(seconds * SECOND)


@dataclass(frozen=True)
class Script:
    """A whole script; its episodes are in order of time and do not overlap."""

    name: str
    zone: str
    seed: int
    frames_per_second: float
    quality: int
    people: tuple[Person, ...]
    episodes: tuple[Episode, ...]

    @property
    def start_ns(self) -> int:
        return self.episodes[0].start_ns

    @property
    def end_ns(self) -> int:
        return self.episodes[-1].end_ns

    @property
    def duration_s(self) -> float:
        """Seconds of film: the gaps between episodes left out."""
        return sum(episode.duration_s for episode in self.episodes)

    def person(self, name: str) -> Person:
        return next(person for person in self.people if person.name == name)
