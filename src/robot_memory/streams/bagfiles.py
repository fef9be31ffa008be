"""Which files make up a bag: what metadata.yaml says, and what lies there. The files are believed.

A recorder that was killed leaves no metadata.yaml, or one that does not know the last file; copies lose files. Nothing
is ever written into the bag's folder: files compressed as a whole are unpacked elsewhere.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from robot_memory.errors import BagUnreadable
from robot_memory.streams.unpacking import unpack_file

SUFFIXES = (".mcap", ".db3")
PACKED = ".zstd"
METADATA = "metadata.yaml"
ENDS_BYTES = 1_000_000
BIGGEST_METADATA = 50_000_000  # bytes; a bag of ten thousand topics needs a tenth of it


@dataclass(frozen=True)
class Metadata:
    """What metadata.yaml says; None where it says nothing that can be understood."""

    files: tuple[str, ...] = ()
    count: int | None = None
    seconds: float | None = None
    topics: frozenset[tuple[str, str]] = frozenset()  # topic, type


@dataclass(frozen=True)
class BagFiles:
    """A bag's files in order, what metadata.yaml says of them, and `notes` on where the two disagree."""

    folder: Path
    paths: tuple[Path, ...]
    missing: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=Metadata)
    notes: tuple[str, ...] = ()


def find(path: Path) -> BagFiles:
    """The files of the bag at `path`: its folder, or one of its files. Raises BagUnreadable if there are none."""
    if not path.exists():
        raise BagUnreadable(f"there is no bag at {path}")
    if path.is_file() and path.name != METADATA:
        if not is_storage(path):
            raise BagUnreadable(f"{path} is no bag: name its folder, or a .mcap or .db3 file")
        return BagFiles(path.parent, (path,))
    folder = path if path.is_dir() else path.parent
    try:
        there = sorted((one for one in folder.iterdir() if is_storage(one) and one.is_file()), key=_in_order)
    except OSError as error:
        raise BagUnreadable(f"{folder} cannot be read: {error.strerror}") from error
    if not there:
        raise BagUnreadable(
            f"{path} cannot be read as a bag: no .mcap or .db3 file lies in it. "
            "A bag is a folder with metadata.yaml and .mcap or .db3 files"
        )
    metadata, notes = _metadata(folder / METADATA)
    return _agree(folder, there, metadata, notes)


def is_storage(path: Path) -> bool:
    return PurePath(path.name.removesuffix(PACKED)).suffix in SUFFIXES


def unpacked(path: Path, scratch: list[tempfile.TemporaryDirectory[str]]) -> tuple[Path, bool]:
    """The file itself, or what a file compressed as a whole unpacks to, in a folder that `scratch` then holds; and
    whether all of it did. Raises BagUnreadable where there is no room for it.
    """
    if not path.name.endswith(PACKED):
        return path, True
    try:
        scratch.append(tempfile.TemporaryDirectory(prefix="robot-memory-bag-"))
        out = Path(scratch[-1].name) / path.name.removesuffix(PACKED)
        return out, unpack_file(path, out)
    except OSError as error:
        raise BagUnreadable(
            f"{path} cannot be unpacked ({error}): give it room, or set TMPDIR to a folder that has some"
        ) from error


def _agree(folder: Path, there: list[Path], metadata: Metadata, notes: list[str]) -> BagFiles:
    names = {one.name: one for one in there}
    listed = [names[name] for name in dict.fromkeys(metadata.files) if name in names]
    missing = tuple(name for name in dict.fromkeys(metadata.files) if name not in names)
    if not listed:  # it speaks of another bag, if of any
        return BagFiles(folder, tuple(there), (), Metadata() if missing else metadata, (*notes, *_of_others(missing)))
    series = {_series(one) for one in listed}
    paths = [one for one in there if one in listed or _series(one) in series]
    notes += [f"{one.name} is read too, which {METADATA} does not know" for one in paths if one not in listed]
    notes += [f"{one.name} is left out: {METADATA} does not know it" for one in there if one not in paths]
    return BagFiles(folder, tuple(paths), missing, metadata, tuple(notes))


def _of_others(missing: tuple[str, ...]) -> list[str]:
    return [f"{METADATA} names other files ({', '.join(missing[:3])}): what lies there is read"] if missing else []


def _metadata(path: Path) -> tuple[Metadata, list[str]]:
    import yaml

    if not path.is_file():
        return Metadata(), [f"{METADATA} is missing: what the files hold is read"]
    try:
        if path.stat().st_size > BIGGEST_METADATA:
            raise ValueError(f"it has {path.stat().st_size:,} bytes")
        text = path.read_text("utf-8")
        said = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["rosbag2_bagfile_information"]
        files = tuple(PurePath(one).name for one in said["relative_file_paths"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, yaml.YAMLError) as error:
        short = " ".join(str(error).split())[:80]
        return Metadata(), [f"{METADATA} cannot be understood ({short}): what the files hold is read"]
    count, topics = _natural(said.get("message_count")), _topics(said.get("topics_with_message_count"))
    duration = said.get("duration")
    lasted = _natural(duration.get("nanoseconds")) if isinstance(duration, dict) else None
    understood = {"message_count": count, "duration": lasted, "topics_with_message_count": topics}
    odd = ", ".join(name for name, value in understood.items() if value is None)
    notes = [f"{METADATA} makes no sense in {odd}: what the files hold is read"] * bool(odd)
    return Metadata(files, count, None if lasted is None else lasted / 1e9, topics or frozenset()), notes


def _topics(said: Any) -> frozenset[tuple[str, str]] | None:
    try:
        each = [one["topic_metadata"] for one in said]
        return frozenset((str(one["name"]), str(one["type"])) for one in each)
    except (TypeError, KeyError):
        return None


def _natural(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None


def _series(path: Path) -> str:
    """What the files of a split bag have in common: rosbag2 puts a number behind each one's name."""
    return re.sub(r"(_\d+)?(\.\w+)+$", "", path.name) + "".join(path.suffixes)


def _in_order(path: Path) -> tuple[str, int, str]:
    number = re.search(r"_(\d+)(\.\w+)+$", path.name)
    return _series(path), int(number[1]) if number else -1, path.name


def ends(file: Path) -> Iterator[bytes]:
    """The first and the last bytes of a file: enough to know it again."""
    with file.open("rb") as data:
        yield data.read(ENDS_BYTES)
        data.seek(max(0, file.stat().st_size - ENDS_BYTES))
        yield data.read(ENDS_BYTES)
