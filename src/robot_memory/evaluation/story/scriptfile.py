"""Reads a script (script.py) from a YAML file; every mistake is reported with its line and what to do.

The format is on the page docs/stories.md, whose examples are tests.
"""

from __future__ import annotations

import re
from pathlib import Path

from robot_memory.evaluation.assets import Assets
from robot_memory.evaluation.story import yamlnodes
from robot_memory.evaluation.story.cast import cast
from robot_memory.evaluation.story.episodes import WHAT, WHEN, EpisodeReader, given
from robot_memory.evaluation.story.script import Script
from robot_memory.evaluation.story.yamlnodes import Item, compose


def load(path: Path, assets: Assets | None = None) -> Script:
    """Read and check a script file. Raises ScriptInvalid naming the line, what is wrong and what to do."""
    return parse(yamlnodes.load(path, "a script"), path.parent, path.name, assets)


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
