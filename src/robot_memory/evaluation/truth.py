"""What really happened: who was where in the picture, who said what, and what was true when.

Made by whoever made the world (a generator, a renderer, a person with a script, a public set) and seen by scorers
alone, never by the memory under test. One JSON file, `truth.json`, beside a bag. Times are nanoseconds on the
source's clock.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import jsonfile
from robot_memory.evaluation.jsonfile import Wrong

FILE = "truth.json"
VERSION = 1
FUNCTIONAL = ("job", "home", "age", "place", "appointment", "promise", "routine")  # one value at a time
SET_VALUED = ("name", "likes", "owns", "relation", "plan", "opinion")  # many at once
ATTRIBUTES = FUNCTIONAL + SET_VALUED
SIDES = ("x", "y", "width", "height")
LATEST_NS = 2**62  # sums of two of these still fit


class TruthUnreadable(RobotMemoryError):
    """A truth file is missing, damaged or of another version."""


@dataclass(frozen=True)
class Box:
    """A face in the picture at one moment: pixels of the full picture."""

    at_ns: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Appearance:
    """One stretch of a person in view; `path` has at least its two ends, linear between; `place` names the room."""

    who: str
    path: tuple[Box, ...]
    place: str = ""

    @property
    def start_ns(self) -> int:
        return self.path[0].at_ns

    @property
    def end_ns(self) -> int:
        return self.path[-1].at_ns

    def boxes(self, stamps: ArrayLike) -> NDArray[np.float64]:
        """[n, 4] left, top, width, height at `stamps` [n]: nanoseconds within the appearance."""
        since = np.asarray(stamps, np.int64) - self.start_ns
        times = np.array([box.at_ns - self.start_ns for box in self.path], np.float64)
        rows = np.array([(box.x, box.y, box.width, box.height) for box in self.path])
        return np.stack([np.interp(since, times, rows[:, side]) for side in range(4)], axis=1)


@dataclass(frozen=True)
class Said:
    """Something said, by whom, in view or not."""

    who: str
    start_ns: int
    end_ns: int
    text: str
    place: str = ""


@dataclass(frozen=True)
class Fact:
    """Something true in the world and told aloud (or never told: `told` empty).

    `subject` is a person's name or a thing; `attribute` one of ATTRIBUTES; `polarity` -1 for "does not like".
    `valid_until_ns` None: still so at the end. `told` lists the start of each line that states it.
    """

    subject: str
    attribute: str
    value: str
    polarity: int = 1
    valid_from_ns: int | None = None
    valid_until_ns: int | None = None
    told: tuple[int, ...] = ()


@dataclass(frozen=True)
class Truth:
    """All of it, in order of time. `people` lists every name, seen or heard or only spoken of."""

    name: str
    zone: str
    start_ns: int
    end_ns: int
    people: tuple[str, ...]
    appearances: tuple[Appearance, ...]
    lines: tuple[Said, ...]
    facts: tuple[Fact, ...] = ()


def write(truth: Truth, path: Path) -> None:
    path.write_text(json.dumps({"version": VERSION, **asdict(truth)}, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read(path: Path) -> Truth:
    """Raises TruthUnreadable, which names the place of what is wrong."""
    known = jsonfile.load(path, TruthUnreadable, "`robot-memory world render` writes it beside a bag")
    if not isinstance(known, dict) or known.get("version") != VERSION:
        raise TruthUnreadable(f"{path}: is no truth of version {VERSION} — render the bag again")
    try:
        return _truth(known)
    except Wrong as wrong:
        raise TruthUnreadable(
            f"{path}: {wrong} — mend it there (docs/stories.md has its form), or render the bag again"
        ) from None


def _truth(known: dict[str, Any]) -> Truth:
    fields = _known(known, "the file", ("version", *(field.name for field in dataclasses.fields(Truth))))
    fields = {"appearances": [], "lines": [], "facts": [], **fields}
    start_ns, end_ns = _span(fields, "the file")
    people = tuple(_texts(fields.get("people"), "people"))
    zone = jsonfile.text(fields, "zone", "the file")
    _check_zone(zone)
    return Truth(
        jsonfile.text(fields, "name", "the file"),
        zone,
        start_ns,
        end_ns,
        people,
        tuple(_appearance(one, where, people) for one, where in _each(fields, "appearances")),
        tuple(_said(one, where, people) for one, where in _each(fields, "lines")),
        tuple(_fact(one, where) for one, where in _each(fields, "facts")),
    )


def _appearance(one: Any, where: str, people: tuple[str, ...]) -> Appearance:
    fields = _known(one, where, ("who", "path", "place"))
    path = tuple(_box(box, at) for box, at in _each(fields, "path", where))
    if not path:
        raise Wrong(f"{where}: 'path' is empty")
    for n, (before, after) in enumerate(zip(path, path[1:]), start=1):
        if after.at_ns <= before.at_ns:
            raise Wrong(f"{where}.path[{n}] is not later than the one before")
    return Appearance(_who(fields, where, people), path, jsonfile.text(fields, "place", where, ""))


def _box(one: Any, where: str) -> Box:
    fields = _known(one, where, ("at_ns", *SIDES))
    x, y, width, height = (jsonfile.number(fields, side, where) for side in SIDES)
    if width <= 0 or height <= 0:
        raise Wrong(f"{where} is {width:g} wide and {height:g} high")
    return Box(_moment(fields, "at_ns", where), x, y, width, height)


def _said(one: Any, where: str, people: tuple[str, ...]) -> Said:
    fields = _known(one, where, tuple(field.name for field in dataclasses.fields(Said)))
    text, place = jsonfile.text(fields, "text", where), jsonfile.text(fields, "place", where, "")
    return Said(_who(fields, where, people), *_span(fields, where), text, place)


def _fact(one: Any, where: str) -> Fact:
    fields = _known(one, where, tuple(field.name for field in dataclasses.fields(Fact)))
    subject, attribute, value = (jsonfile.text(fields, key, where) for key in ("subject", "attribute", "value"))
    if attribute not in ATTRIBUTES:
        raise Wrong(f"{where}: 'attribute' is {attribute!r}, not one of {', '.join(ATTRIBUTES)}")
    if (polarity := fields.get("polarity", 1)) not in (1, -1):
        raise Wrong(f"{where}: 'polarity' is {polarity!r}, not 1 or -1")
    ends = ("valid_from_ns", "valid_until_ns")
    since, until = (None if fields.get(key) is None else _moment(fields, key, where) for key in ends)
    if since is not None and until is not None and until < since:
        raise Wrong(f"{where} is over before it begins")
    told = jsonfile.listing(fields.get("told", []), f"{where}.told")
    moments = tuple(_moment({"told": one}, "told", f"{where}.told[{n}]") for n, one in enumerate(told))
    return Fact(subject, attribute, value, int(polarity), since, until, moments)


def _who(fields: dict[str, Any], where: str, people: tuple[str, ...]) -> str:
    who = jsonfile.text(fields, "who", where)
    if who not in people:
        raise Wrong(f"{where}: 'who' is {who!r}, who is not among the 'people'")
    return who


def _span(fields: dict[str, Any], where: str) -> tuple[int, int]:
    start_ns, end_ns = _moment(fields, "start_ns", where), _moment(fields, "end_ns", where)
    if end_ns < start_ns:
        raise Wrong(f"{where} ends before it begins")
    return start_ns, end_ns


def _moment(fields: dict[str, Any], key: str, where: str) -> int:
    return jsonfile.whole(fields, key, where, 0, LATEST_NS)


def _each(fields: dict[str, Any], key: str, where: str = "") -> Iterator[tuple[Any, str]]:
    name = f"{where}.{key}" if where else key
    return ((one, f"{name}[{n}]") for n, one in enumerate(jsonfile.listing(fields.get(key), name)))


def _texts(found: Any, where: str) -> list[str]:
    texts = jsonfile.listing(found, where)
    for n, one in enumerate(texts):
        if not isinstance(one, str) or not one.strip():
            raise Wrong(f"{where}[{n}] is {jsonfile.kind(one) if one != '' else 'empty'}, not a name")
        if one in texts[:n]:
            raise Wrong(f"{where}[{n}], {one!r}, is there twice")
    return texts


def _known(one: Any, where: str, keys: tuple[str, ...]) -> dict[str, Any]:
    fields = jsonfile.mapping(one, where)
    for key in fields:
        if key not in keys:
            raise Wrong(f"{where}: {key!r} is not a known field; there are {', '.join(keys)}")
    return fields


def _check_zone(zone: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Wrong(f"'zone' is {zone!r}, no IANA zone like Europe/London") from None
