"""Reads a script (script.py) from a YAML file; every mistake is reported with its line and what to do.

Times are seconds from the start of the episode, `?` marks what may be left out:

    name: grace                       # what reports call it: letters, digits, - and _
    zone: Europe/London               # ? the robot's time zone, for words like "this morning" (UTC)
    seed: 1                           # ? every noise and flicker follows from it (0)
    frames_per_second: 5              # ? pictures a second (5)
    quality: 75                       # ? JPEG quality (75)
    people:
      grace:
        name: Grace                   # ? what people call them (as written here)
        picture: media/grace.jpg      # ? portrait, relative to this file; without it the person is only heard
        pictures: [a.jpg, b.jpg]      # ? instead of `picture`: several of one person; a scene says which
        looks: grace_hopper           # ? instead: a face of assets.yaml or of the folder --assets, all its pictures
        outline: [[0.1, 1], [0.5, 0], [0.9, 1]]   # ? cut `picture` along this polygon, in fractions (found by colour)
        face: [0.4, 0.1, 0.2, 0.3]    # ? where its face is: left, top, width, height in fractions (upper middle)
        voice: slt-bright             # ? of assets.yaml, or one of `flite`; without it they never speak
    start: 2026-03-02T09:30:00Z       # stamp of the first message, with its zone
    duration: 62                      # seconds
    place: kitchen                    # ? name of the room
    room: {look: 3, light: 0.4, backlight: 0.5, noise: 6, echo: 2, shutter: 0.02}   # ? all may be left
                                      # out; Room in script.py says what they mean
    scenes:                           # ? who is in view, from the first `at` of the path to the last, linear between
      - who: grace
        picture: 2                    # ? which of their pictures, from 1 (each new scene the next one)
        path:                         # x: middle of the portrait, 0 left edge of the view, 1 right edge
          - {at: 2, x: -0.3, size: 0.8}               # size: height of the portrait, 1 = height of the view
          - {at: 5, x: 0.4, size: 0.8, foot: 1.0, light: 1.1}   # foot: ? its lower edge, 1 = lower edge of the view
          # with `y` (0 upper edge of the view) on each point, (x, y) is the middle of the face instead, and size the
          # height of head and shoulders, so that it does not matter what the picture shows; `foot` is then unused
    says:                             # ? speech
      - {at: 6, who: grace, text: "Hello.", pace: 1.0, level: -3}   # pace: ? 2 is twice as slow; level: ? dB
      - {at: 9, who: grace, sound: story.flac, text: "Once upon a time.", far: true}
                                      # sound: ? a recording of the text, relative to this file, any voice
                                      # far: ? out of view: quieter, more echo (true where the speaker is not seen)
    odometry:                         # ? where the robot is: metres and radians, linear between the points
      - {at: 0, x: 1.0, y: 2.0, yaw: 0.0}
    empty:                            # ? stretches where nobody may be in view or begin to speak: checked
      - {from: 37, to: 48}

A day of several episodes: instead of start, duration, place, room, scenes, says, odometry and empty, a list

    episodes:
      - {start: 2026-03-02T08:10:00Z, duration: 40, place: kitchen, scenes: …, says: …}
      - {gap: 14400, duration: 40, …}   # seconds after the end of the one before, instead of `start`
"""

from __future__ import annotations

import re
from pathlib import Path

from robot_memory.evaluation.assets import Assets
from robot_memory.evaluation.story.cast import cast
from robot_memory.evaluation.story.episodes import WHAT, WHEN, EpisodeReader, given
from robot_memory.evaluation.story.script import Script
from robot_memory.evaluation.story.yamlnodes import Item, ScriptInvalid, compose


def load(path: Path, assets: Assets | None = None) -> Script:
    """Read and check a script file. Raises ScriptInvalid naming the line, what is wrong and what to do."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptInvalid(f"{path}: cannot be read ({error}) — give the path of a script in UTF-8") from error
    return parse(text, path.parent, path.name, assets)


def parse(text: str, folder: Path, file: str = "script", assets: Assets | None = None) -> Script:
    """A script from its text; files are looked for relative to `folder`. Raises ScriptInvalid or AssetsInvalid."""
    root = compose(text, file)
    several = "episodes" in root.entries()
    top = root.fields(
        ("name", "people", *(("episodes",) if several else WHEN)),
        ("seed", "zone", "frames_per_second", "quality", *(() if several else WHAT)),
    )
    people = cast(top["people"], folder, assets)
    reader = EpisodeReader(people, folder)
    return Script(
        name=_name(top["name"]),
        zone=_zone(top["zone"]) if "zone" in top else "UTC",
        seed=top["seed"].whole(0, 2**31) if "seed" in top else 0,
        frames_per_second=given(top, "frames_per_second", 5.0, lambda item: item.number(0.1, 60.0)),
        quality=int(given(top, "quality", 75.0, lambda item: item.whole(10, 100))),
        people=tuple(people.values()),
        episodes=reader.episodes(top["episodes"]) if several else (reader.episode(top, None),),
    )


def _name(item: Item) -> str:
    name = item.text()
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise item.wrong(f"is {name!r}", "use letters, digits, - and _, 64 at most")
    return name


def _zone(item: Item) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(item.text()).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise item.wrong(f"is {item.text()!r}", "write an IANA zone like Europe/London") from None
