"""Reads a script (script.py) from a YAML file; every mistake is reported with its line and what to do.

Times are seconds from the start, `?` marks what may be left out:

    name: grace                       # what reports call it: letters, digits, - and _
    start: 2026-03-02T09:30:00Z       # stamp of the first message, with its zone
    duration: 62                      # seconds
    seed: 1                           # ? every noise and flicker follows from it (0)
    frames_per_second: 5              # ? pictures a second (5)
    quality: 75                       # ? JPEG quality (75)
    people:
      grace:
        picture: media/grace.jpg      # ? portrait, relative to this file; without it the person is only heard
        outline: [[0.1, 1], [0.5, 0], [0.9, 1]]   # ? cut along this polygon, in fractions of the picture (an oval)
        voice: slt                    # ? a voice of `flite`; without it the person never speaks
    scenes:                           # ? who is in view, from the first `at` of the path to the last, linear between
      - who: grace
        path:                         # x: middle of the portrait, 0 left edge of the view, 1 right edge
          - {at: 2, x: -0.3, size: 0.8}               # size: height of the portrait, 1 = height of the view
          - {at: 5, x: 0.4, size: 0.8, foot: 1.0, light: 1.1}   # foot: ? its lower edge, 1 = lower edge of the view
    says:                             # ? speech; a person out of view is heard all the same
      - {at: 6, who: grace, text: "Hello.", pace: 1.0, level: -3}   # pace: ? 2 is twice as slow; level: ? dB
    odometry:                         # ? where the robot is: metres and radians, linear between the points
      - {at: 0, x: 1.0, y: 2.0, yaw: 0.0}
    empty:                            # ? stretches where nobody may be in view or begin to speak: checked
      - {from: 37, to: 48}
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from robot_memory.evaluation.story.script import VOICES, Line, Person, Placing, Point, Scene, Script, Stand, Stretch
from robot_memory.evaluation.story.yamlnodes import Item, ScriptInvalid, compose

LONGEST_S = 3600.0  # the whole sound is held in memory; longer days are several scripts


def load(path: Path) -> Script:
    """Read and check a script file. Raises ScriptInvalid naming the line, what is wrong and what to do."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptInvalid(f"{path}: cannot be read ({error}) — give the path of a script in UTF-8") from error
    return parse(text, path.parent, path.name)


def parse(text: str, folder: Path, file: str = "script") -> Script:
    """A script from its text; pictures are looked for relative to `folder`. Raises ScriptInvalid."""
    top = compose(text, file).fields(
        ("name", "start", "duration", "people"),
        ("seed", "frames_per_second", "quality", "scenes", "says", "odometry", "empty"),
    )
    length = top["duration"].number(0.1, LONGEST_S)
    people = {name: _person(name, item, folder) for name, item in top["people"].entries().items()}
    parts = {key: top[key].items() if key in top else () for key in ("scenes", "says", "odometry", "empty")}
    scenes = tuple(_scene(item, people, length) for item in parts["scenes"])
    lines = tuple(_line(item, people, length) for item in parts["says"])
    stretches = tuple(_stretch(item, scenes, lines, length) for item in parts["empty"])
    stands = tuple(_stand(item, length) for item in parts["odometry"])
    _rising(parts["odometry"], [stand.at_s for stand in stands])
    _rising(parts["says"], [line.at_s for line in lines])
    _once_at_a_time(parts["scenes"], scenes)
    return Script(
        name=_name(top["name"]),
        start_ns=_moment(top["start"]),
        duration_s=length,
        seed=top["seed"].whole(0, 2**31) if "seed" in top else 0,
        frames_per_second=_or(top, "frames_per_second", 5.0, lambda item: item.number(0.1, 60.0)),
        quality=int(_or(top, "quality", 75.0, lambda item: item.whole(10, 100))),
        people=tuple(people.values()),
        scenes=tuple(sorted(scenes, key=lambda scene: scene.start_s)),
        lines=lines,
        stands=stands,
        empty=stretches,
    )


def _or(found: dict[str, Item], key: str, default: float, read: Callable[[Item], float]) -> float:
    return read(found[key]) if key in found else default


def _name(item: Item) -> str:
    name = item.text()
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise item.wrong(f"is {name!r}", "use letters, digits, - and _, 64 at most")
    return name


def _moment(item: Item) -> int:
    """Nanoseconds since the epoch of an ISO 8601 date and time with a zone."""
    written = item.text()
    try:
        moment = datetime.fromisoformat(written.replace("Z", "+00:00"))
    except ValueError:
        raise item.wrong(f"is {written!r}", "write date, time and zone like 2026-03-02T09:30:00Z") from None
    if moment.tzinfo is None:
        raise item.wrong("has no zone", f"write {written}Z, or an offset like +01:00")
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    if not 0 <= since.days < 36500:
        raise item.wrong(f"is {written!r}", "choose a date between 1970 and 2069")
    return (since.days * 86400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000


def _person(name: str, item: Item, folder: Path) -> Person:
    found = item.fields((), ("picture", "outline", "voice"))
    picture = folder / found["picture"].text() if "picture" in found else None
    if picture is not None and not picture.is_file():
        raise found["picture"].wrong(
            f"is {str(picture)!r}, which is not a file", "mend the path (relative to the script)"
        )
    voice = found["voice"].text() if "voice" in found else ""
    if voice and voice not in VOICES:
        raise found["voice"].wrong(f"is {voice!r}", f"choose one of {', '.join(VOICES)}")
    return Person(name, picture, _outline(found["outline"]) if "outline" in found else (), voice)


def _outline(item: Item) -> tuple[Point, ...]:
    corners = [corner.items() for corner in item.items()]
    for corner, pair in zip(item.items(), corners, strict=True):
        if len(pair) != 2:
            raise corner.wrong(f"has {len(pair)} numbers", "write [x, y], each from 0 to 1")
    if len(corners) < 3:
        raise item.wrong(f"has {len(corners)} corners", "a polygon needs three or more")
    return tuple((x.number(0.0, 1.0), y.number(0.0, 1.0)) for x, y in corners)


def _who(item: Item, people: dict[str, Person]) -> Person:
    name = item.text()
    if name not in people:
        raise item.wrong(f"is {name!r}, who is not among the people", f"use one of {', '.join(people)}, or add them")
    return people[name]


def _scene(item: Item, people: dict[str, Person], length: float) -> Scene:
    found = item.fields(("who", "path"))
    person = _who(found["who"], people)
    if person.picture is None:
        raise found["who"].wrong(f"is {person.name!r}, who has no picture", "give them a picture under people")
    points = found["path"].items()
    path = tuple(_placing(point, length) for point in points)
    if len(path) < 2:
        raise found["path"].wrong(f"has {len(path)} points", "give at least where they come in and where they leave")
    _rising(points, [placing.at_s for placing in path])
    return Scene(person.name, path)


def _placing(item: Item, length: float) -> Placing:
    found = item.fields(("at", "x", "size"), ("foot", "light"))
    return Placing(
        found["at"].number(0.0, length),
        found["x"].number(-2.0, 3.0),
        found["size"].number(0.02, 4.0),
        _or(found, "foot", 1.0, lambda value: value.number(0.0, 4.0)),
        _or(found, "light", 1.0, lambda value: value.number(0.05, 3.0)),
    )


def _line(item: Item, people: dict[str, Person], length: float) -> Line:
    found = item.fields(("at", "who", "text"), ("pace", "level"))
    person = _who(found["who"], people)
    if not person.voice:
        raise found["who"].wrong(f"is {person.name!r}, who has no voice", f"give them one of {', '.join(VOICES)}")
    return Line(
        found["at"].number(0.0, length),
        person.name,
        found["text"].text(),
        _or(found, "pace", 1.0, lambda value: value.number(0.3, 3.0)),
        _or(found, "level", 0.0, lambda value: value.number(-60.0, 6.0)),
    )


def _stand(item: Item, length: float) -> Stand:
    found = item.fields(("at", "x", "y", "yaw"))
    x, y = (found[key].number(-1e6, 1e6) for key in ("x", "y"))
    return Stand(found["at"].number(0.0, length), x, y, found["yaw"].number(-100.0, 100.0))


def _stretch(item: Item, scenes: tuple[Scene, ...], lines: tuple[Line, ...], length: float) -> Stretch:
    found = item.fields(("from", "to"))
    stretch = Stretch(found["from"].number(0.0, length), found["to"].number(0.0, length))
    if stretch.end_s <= stretch.start_s:
        raise item.wrong("ends before it begins", "let 'to' be later than 'from'")
    for scene in scenes:
        if scene.start_s < stretch.end_s and scene.end_s > stretch.start_s:
            seen = f"{scene.start_s:g} to {scene.end_s:g} s"
            raise item.wrong(f"is not empty: {scene.who} is in view from {seen}", "move one of the two")
    for line in lines:
        if stretch.start_s <= line.at_s < stretch.end_s:
            raise item.wrong(f"is not empty: {line.who} speaks at {line.at_s:g} s", "move one of the two")
    return stretch


def _rising(items: tuple[Item, ...], times: list[float]) -> None:
    for item, before, after in zip(items[1:], times, times[1:], strict=False):
        if after <= before:
            raise item.wrong(
                f"is at {after:g} s, not after the one before it ({before:g} s)", "put them in order of time"
            )


def _once_at_a_time(items: tuple[Item, ...], scenes: tuple[Scene, ...]) -> None:
    """Nobody stands in two places at once."""
    for i, (item, scene) in enumerate(zip(items, scenes, strict=True)):
        for other in scenes[:i]:
            if other.who == scene.who and other.start_s < scene.end_s and scene.start_s < other.end_s:
                raise item.wrong(f"shows {scene.who} twice at once", "let one appearance end before the next")
