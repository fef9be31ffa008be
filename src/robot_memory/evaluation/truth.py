"""What really happened: who was where in the picture, who said what, and what was true when.

Made by whoever made the world (a generator, a renderer, a person with a script, a public set) and seen by scorers
alone, never by the memory under test. One JSON file, `truth.json`, beside a bag. Times are nanoseconds on the
source's clock.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from robot_memory.errors import RobotMemoryError

FILE = "truth.json"
VERSION = 1
FUNCTIONAL = ("job", "home", "age", "place", "appointment", "promise", "routine")  # one value at a time
SET_VALUED = ("name", "likes", "owns", "relation", "plan", "opinion")  # many at once
ATTRIBUTES = FUNCTIONAL + SET_VALUED


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
    """Raises TruthUnreadable."""
    try:
        known = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise TruthUnreadable(
            f"{path}: cannot be read ({error}) — `robot-memory world render` writes it beside a bag"
        ) from error
    if not isinstance(known, dict) or known.pop("version", None) != VERSION:
        raise TruthUnreadable(f"{path}: is no truth of version {VERSION} — render the bag again")
    try:
        return _truth(known)
    except (KeyError, TypeError) as error:
        raise TruthUnreadable(f"{path}: {error} is missing or wrong — render the bag again") from error


def _truth(known: dict[str, Any]) -> Truth:
    appearances = tuple(
        Appearance(one["who"], tuple(Box(**box) for box in one["path"]), one["place"]) for one in known["appearances"]
    )
    lines = tuple(Said(**one) for one in known["lines"])
    facts = tuple(Fact(**{**one, "told": tuple(one["told"])}) for one in known["facts"])
    return Truth(
        **{**known, "people": tuple(known["people"]), "appearances": appearances, "lines": lines, "facts": facts}
    )
