"""Reads the episodes of a script file: scenes, lines, places of the robot. The format: docs/stories.md."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from robot_memory.evaluation.story.script import Episode, Line, Person, Placing, Room, Scene, Stand, Stretch
from robot_memory.evaluation.story.yamlnodes import Item
from robot_memory.streams.media import SECOND

LONGEST_S = 3600.0  # the sound of an episode is held in memory; longer stretches are several episodes
WHEN = ("start", "duration")
WHAT = ("place", "room", "scenes", "says", "odometry", "empty")


class EpisodeReader:
    """Reads the episodes of one script, and remembers how often each person has been seen."""

    def __init__(self, people: dict[str, Person], folder: Path) -> None:
        self._people, self._folder = people, folder
        self._shown: dict[str, int] = {}

    def episodes(self, item: Item) -> tuple[Episode, ...]:
        found: list[Episode] = []
        for one in item.items():
            starts = ("gap",) if found and "gap" in one.entries() else ("start",)
            found.append(self.episode(one.fields((*starts, "duration"), WHAT), found[-1] if found else None))
        if not found:
            raise item.wrong("is empty", "list at least one episode")
        return tuple(found)

    def episode(self, top: dict[str, Item], before: Episode | None) -> Episode:
        length = top["duration"].number(0.1, LONGEST_S)
        parts = {key: top[key].items() if key in top else () for key in WHAT[2:]}
        scenes = tuple(self._scene(item, length) for item in parts["scenes"])
        lines = tuple(self._line(item, length) for item in parts["says"])
        stands = tuple(_stand(item, length) for item in parts["odometry"])
        _rising(parts["odometry"], [stand.at_s for stand in stands])
        _rising(parts["says"], [line.at_s for line in lines])
        _once_at_a_time(parts["scenes"], scenes)
        return Episode(
            start_ns=_start(top, before),
            duration_s=length,
            place=top["place"].text() if "place" in top else "",
            room=_room(top["room"]) if "room" in top else Room(),
            scenes=tuple(sorted(scenes, key=lambda scene: scene.start_s)),
            lines=lines,
            stands=stands,
            empty=tuple(_stretch(item, scenes, lines, length) for item in parts["empty"]),
        )

    def _who(self, item: Item) -> Person:
        known = item.text()
        if known not in self._people:
            listed = ", ".join(self._people)
            raise item.wrong(f"is {known!r}, who is not among the people", f"use one of {listed}, or add them")
        return self._people[known]

    def _scene(self, item: Item, length: float) -> Scene:
        found = item.fields(("who", "path"), ("picture",))
        person = self._who(found["who"])
        if not person.pictures:
            raise found["who"].wrong(f"is {person.name!r}, who has no picture", "give them a picture under people")
        points = found["path"].items()
        path = tuple(_placing(point, length) for point in points)
        if len(path) < 2:
            raise found["path"].wrong(
                f"has {len(path)} points", "give at least where they come in and where they leave"
            )
        if len({placing.y is None for placing in path}) > 1:
            raise found["path"].wrong("has 'y' on some points only", "give it to all of them, or to none")
        _rising(points, [placing.at_s for placing in path])
        shown = self._shown.get(person.name, 0)
        chosen = found["picture"].whole(1, len(person.pictures)) - 1 if "picture" in found else shown
        self._shown[person.name] = chosen + 1
        return Scene(person.name, path, chosen % len(person.pictures))

    def _line(self, item: Item, length: float) -> Line:
        found = item.fields(("at", "who", "text"), ("pace", "level", "sound", "far"))
        person = self._who(found["who"])
        sound = self._folder / found["sound"].text() if "sound" in found else None
        if sound is not None and not sound.is_file():
            raise found["sound"].wrong(
                f"is {str(sound)!r}, which is not a file", "mend the path (relative to the script)"
            )
        if sound is None and not person.voice:
            raise found["who"].wrong(f"is {person.name!r}, who has no voice", "give them one under people")
        return Line(
            found["at"].number(0.0, length),
            person.name,
            found["text"].text(),
            given(found, "pace", 1.0, lambda value: value.number(0.3, 3.0)),
            given(found, "level", 0.0, lambda value: value.number(-60.0, 6.0)),
            sound,
            found["far"].yes() if "far" in found else None,
        )


def given(found: dict[str, Item], key: str, default: float, read: Callable[[Item], float]) -> float:
    return read(found[key]) if key in found else default


def _start(top: dict[str, Item], before: Episode | None) -> int:
    if "gap" in top and before is not None:
        return before.end_ns + round(top["gap"].number(0.0, 1e8) * SECOND)
    start = _moment(top["start"])
    if before is not None and start < before.end_ns:
        raise top["start"].wrong("is before the end of the episode before it", "put episodes in order of time")
    return start


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
    return (since.days * 86400 + since.seconds) * SECOND + since.microseconds * 1000


def _room(item: Item) -> Room:
    found = item.fields((), ("look", "light", "backlight", "noise", "echo", "shutter"))
    plain = Room()
    return Room(
        found["look"].whole(0, 2**31) if "look" in found else plain.look,
        given(found, "light", plain.light, lambda value: value.number(0.05, 2.0)),
        given(found, "backlight", plain.backlight, lambda value: value.number(0.0, 1.0)),
        given(found, "noise", plain.noise_db, lambda value: value.number(-20.0, 50.0)),
        given(found, "echo", plain.echo, lambda value: value.number(0.0, 4.0)),
        given(found, "shutter", plain.shutter_s, lambda value: value.number(0.0, 0.2)),
    )


def _placing(item: Item, length: float) -> Placing:
    found = item.fields(("at", "x", "size"), ("foot", "light", "y"))
    return Placing(
        found["at"].number(0.0, length),
        found["x"].number(-2.0, 3.0),
        found["size"].number(0.02, 4.0),
        given(found, "foot", 1.0, lambda value: value.number(0.0, 4.0)),
        given(found, "light", 1.0, lambda value: value.number(0.05, 3.0)),
        found["y"].number(-1.0, 2.0) if "y" in found else None,
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
