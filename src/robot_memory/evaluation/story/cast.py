"""Reads the people of a script file: what each looks like and sounds like. The format: docs/stories.md."""

from __future__ import annotations

from pathlib import Path

from robot_memory.evaluation.assets import Assets, Picture, Point, Rectangle, open_assets, voices
from robot_memory.evaluation.story.script import Person
from robot_memory.evaluation.story.yamlnodes import Item

LOOKS = ("looks", "picture", "pictures")


def cast(item: Item, folder: Path, assets: Assets | None = None) -> dict[str, Person]:
    """Key in the file -> person. Raises ScriptInvalid or AssetsInvalid."""
    people = {key: _person(key, entry, folder, assets) for key, entry in item.entries().items()}
    names: dict[str, str] = {}
    for key, person in people.items():
        if person.name in names:
            raise item.wrong(
                f"calls both {names[person.name]} and {key} {person.name!r}", "give each a name of their own"
            )
        names[person.name] = key
    return people


def _person(key: str, item: Item, folder: Path, assets: Assets | None) -> Person:
    found = item.fields((), ("name", *LOOKS, "outline", "face", "voice"))
    given = [one for one in LOOKS if one in found]
    if len(given) > 1:
        raise item.wrong(f"has {' and '.join(given)}", "keep one of them")
    voice = found["voice"].text() if "voice" in found else ""
    if voice and voice not in voices():
        raise found["voice"].wrong(f"is {voice!r}", f"choose one of {', '.join(voices())}")
    return Person(found["name"].text() if "name" in found else key, _pictures(found, folder, assets), voice)


def _pictures(found: dict[str, Item], folder: Path, assets: Assets | None) -> tuple[Picture, ...]:
    if "looks" in found:
        return (assets or open_assets()).looks(found["looks"].text())
    if "pictures" in found:
        return tuple(Picture(_file(one, folder)) for one in found["pictures"].items())
    if "picture" not in found:
        return ()
    outline = _outline(found["outline"]) if "outline" in found else None
    return (Picture(_file(found["picture"], folder), outline, _face(found["face"]) if "face" in found else None),)


def _file(item: Item, folder: Path) -> Path:
    path = folder / item.text()
    if not path.is_file():
        raise item.wrong(f"is {str(path)!r}, which is not a file", "mend the path (relative to the script)")
    return path


def _outline(item: Item) -> tuple[Point, ...]:
    corners = [corner.items() for corner in item.items()]
    for corner, pair in zip(item.items(), corners, strict=True):
        if len(pair) != 2:
            raise corner.wrong(f"has {len(pair)} numbers", "write [x, y], each from 0 to 1")
    if len(corners) < 3:
        raise item.wrong(f"has {len(corners)} corners", "a polygon needs three or more")
    return tuple((x.number(0.0, 1.0), y.number(0.0, 1.0)) for x, y in corners)


def _face(item: Item) -> Rectangle:
    numbers = [one.number(0.0, 1.0) for one in item.items()]
    if len(numbers) != 4:
        raise item.wrong(f"has {len(numbers)} numbers", "write [left, top, width, height], each from 0 to 1")
    left, top, width, height = numbers
    return left, top, width, height
