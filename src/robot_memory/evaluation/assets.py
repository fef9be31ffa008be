"""Who can play in a rendered world: faces (pictures of one person each), voices, and readers (recorded speech).

Without a folder: the faces and voices of assets.yaml, whose pictures lie in the source tree's tests/media. With one
(`--assets DIR`, or ROBOT_MEMORY_ASSETS): every DIR/portraits/NAME_a.jpg, NAME_b.jpg, … are pictures of one person, and
every DIR/speech/SPEAKER/*.flac or *.wav is something SPEAKER reads aloud.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from robot_memory.config import expanded
from robot_memory.errors import RobotMemoryError

ENVIRONMENT = "ROBOT_MEMORY_ASSETS"
MEDIA = Path(__file__).resolve().parents[3] / "tests" / "media"
PICTURES, SOUNDS = (".jpg", ".jpeg", ".png"), (".flac", ".wav")
Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # left, top, width, height


class AssetsInvalid(RobotMemoryError):
    """A folder of faces and voices is not laid out as described above, or too few are there."""


@dataclass(frozen=True)
class Picture:
    """A portrait. `outline`: polygon around the person, `face`: where the face is, both in fractions of the picture;
    None: found by colour (portrait.py), the face then being the upper middle of what was found.
    """

    path: Path
    outline: tuple[Point, ...] | None = None
    face: Rectangle | None = None


@dataclass(frozen=True)
class Voice:
    """A voice of flite: `base` as it comes, or aiming at `pitch_hz` and played `speed` times as fast."""

    name: str
    base: str
    pitch_hz: float = 0.0
    speed: float = 1.0
    gender: str = ""


@dataclass(frozen=True)
class Assets:
    """`faces`: name -> pictures of one person; `genders`: of the faces, f or m, where known; `readers`: name ->
    recordings.
    """

    source: str
    faces: Mapping[str, tuple[Picture, ...]]
    genders: Mapping[str, str] = field(default_factory=dict)
    readers: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    def looks(self, name: str) -> tuple[Picture, ...]:
        """The pictures of a face, of the default ones if it is not among these. Raises AssetsInvalid."""
        found = self.faces.get(name) or default_assets().faces.get(name)
        if found is None:
            raise AssetsInvalid(f"there is no face {name!r} in {self.source} — it has {_listed(self.faces)}")
        return found


PLAIN = {name: Voice(name, name) for name in ("slt", "rms", "awb", "kal16", "kal")}


@cache
def voices() -> Mapping[str, Voice]:
    """Every voice by name: flite's own, and the variants of assets.yaml, which the speaker model keeps apart."""
    return {**PLAIN, **voices_apart()}


@cache
def voices_apart() -> Mapping[str, Voice]:
    """The variants alone: any two of them are different people to the speaker model."""
    return {
        name: Voice(name, one["base"], float(one["pitch_hz"]), float(one["speed"]), one["gender"])
        for name, one in _table()["voices"].items()
    }


def open_assets(folder: Path | None = None) -> Assets:
    """The folder's assets; without one, ROBOT_MEMORY_ASSETS's, else the default ones. Raises AssetsInvalid."""
    chosen = folder or (expanded(named) if (named := os.environ.get(ENVIRONMENT)) else None)
    return default_assets() if chosen is None else _of_folder(chosen)


@cache
def default_assets() -> Assets:
    """The faces of assets.yaml that can be had here, their bytes checked."""
    faces, genders = {}, {}
    for name, face in _table()["faces"].items():
        if all((MEDIA / one["file"]).is_file() for one in face["pictures"]):
            faces[name] = tuple(_checked(one) for one in face["pictures"])
            genders[name] = face["gender"]
    return Assets("the default faces (tests/media of the source tree)", faces, genders)


def _checked(one: dict[str, Any]) -> Picture:
    path = MEDIA / one["file"]
    if hashlib.sha256(path.read_bytes()).hexdigest() != one["sha256"]:
        raise AssetsInvalid(f"{path}: not the picture that assets.yaml describes — restore it from the repository")
    left, top, width, height = one["face"]
    return Picture(path, tuple((x, y) for x, y in one["outline"]), (left, top, width, height))


def _of_folder(folder: Path) -> Assets:
    portraits = folder / "portraits"
    if not portraits.is_dir():
        raise AssetsInvalid(f"{portraits}: no such folder — put pictures there as NAME_a.jpg, NAME_b.jpg")
    faces: dict[str, list[Picture]] = {}
    for path in sorted(path for path in portraits.iterdir() if path.suffix.lower() in PICTURES):
        parts = re.fullmatch(r"(.+)_[a-z0-9]", path.stem)
        if parts is None:
            raise AssetsInvalid(f"{path}: whose picture is it? — name it NAME_a{path.suffix}, NAME_b{path.suffix}, …")
        faces.setdefault(parts[1], []).append(Picture(path))
    if not faces:
        raise AssetsInvalid(f"{portraits}: holds no pictures — put some there as NAME_a.jpg, NAME_b.jpg")
    readers = {}
    for speaker in sorted(path for path in (folder / "speech").glob("*") if path.is_dir()):
        recordings = tuple(path for path in sorted(speaker.iterdir()) if path.suffix.lower() in SOUNDS)
        if not recordings:
            raise AssetsInvalid(f"{speaker}: holds no recordings — put .flac or .wav files there, or remove it")
        readers[speaker.name] = recordings
    return Assets(str(folder), {name: tuple(pictures) for name, pictures in faces.items()}, readers=readers)


@cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return table


def _listed(names: Mapping[str, object]) -> str:
    some = list(names)
    return ", ".join(some[:8]) + (f" and {len(some) - 8} more" if len(some) > 8 else "") if some else "none"
