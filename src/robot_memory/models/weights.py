"""Weights on disk: a file is whole and right, or it is not used.

A verified file has a stamp beside it (`.NAME.verified`: sha256, size, mtime), so that the next start costs a stat
instead of a hash. The stamp guards against accidents, not against someone who can write to the folder.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from enum import Enum
from pathlib import Path

from robot_memory.errors import ModelCorrupt, ModelMissing
from robot_memory.models.files import ModelFile

log = logging.getLogger(__name__)


class FileState(Enum):
    """What is known of a file without hashing it."""

    READY = "ready"
    UNVERIFIED = "not verified"
    WRONG = "wrong bytes"
    PARTIAL = "partly downloaded"
    MISSING = "missing"


def verified_path(folder: Path, file: ModelFile, owner: str, command: str) -> Path:
    """The path of `file` in `folder`, its bytes known to be right. Errors name its `owner` and the `command` to run.

    Raises ModelMissing if it is not there and ModelCorrupt if its bytes are not the manifest's.
    """
    path = folder / file.name
    if not path.is_file():
        raise ModelMissing(f"{owner}: {file.name} is not in {folder} — run: {command}")
    if stamped(path, file):
        return path
    if (digest := sha256_of(path)) != file.sha256:
        raise ModelCorrupt(f"{owner}: {path} has sha256 {digest}, the manifest says {file.sha256} — run: {command}")
    stamp(path, file)
    return path


def state(folder: Path, file: ModelFile) -> FileState:
    """What is known of `file` without reading it."""
    path = folder / file.name
    if path.is_file():
        if path.stat().st_size != file.bytes:
            return FileState.WRONG
        return FileState.READY if stamped(path, file) else FileState.UNVERIFIED
    unfinished = [part_of(folder, file)] + ([part_of(folder, file.source)] if file.source else [])
    return FileState.PARTIAL if any(part.is_file() for part in unfinished) else FileState.MISSING


def rehash(folder: Path, file: ModelFile) -> FileState:
    """READY, WRONG, PARTIAL or MISSING after reading every byte; the stamp is renewed or removed."""
    path = folder / file.name
    if not path.is_file():
        return state(folder, file)
    if sha256_of(path) == file.sha256:
        stamp(path, file)
        return FileState.READY
    stamp_of(path).unlink(missing_ok=True)
    return FileState.WRONG


def part_of(folder: Path, file: ModelFile) -> Path:
    """Where `file` grows while it is downloaded."""
    return folder / f"{file.name}.part"


def place(part: Path, path: Path, file: ModelFile) -> None:
    """Move a verified `part` to its place, so that a crash leaves either the old state or the whole file."""
    with part.open("rb") as whole:
        os.fsync(whole.fileno())
    stamp_of(path).unlink(missing_ok=True)
    part.replace(path)
    sync_folder(path.parent)
    stamp(path, file)


def remove(folder: Path, file: ModelFile) -> None:
    """Delete `file` and its stamp."""
    stamp_of(folder / file.name).unlink(missing_ok=True)
    (folder / file.name).unlink(missing_ok=True)


def stamped(path: Path, file: ModelFile) -> bool:
    """Whether the stamp says that these very bytes were verified."""
    try:
        noted = json.loads(stamp_of(path).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return bool(noted == stamp_content(path, file))


def stamp(path: Path, file: ModelFile) -> None:
    """Note that `path` was verified. In a read-only folder nothing is noted, and the next start hashes again."""
    temporary = stamp_of(path).with_suffix(f".{os.getpid()}.part")
    try:
        temporary.write_text(json.dumps(stamp_content(path, file)), encoding="ascii")
        temporary.replace(stamp_of(path))
    except OSError as error:
        log.debug("no stamp for %s: %s", path, error)


def stamp_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.verified")


def stamp_content(path: Path, file: ModelFile) -> dict[str, str | int]:
    found = path.stat()
    return {"sha256": file.sha256, "bytes": found.st_size, "mtime_ns": found.st_mtime_ns}


def sha256_of(path: Path) -> str:
    """Hexadecimal sha256 of the file, read in blocks of 1 MiB."""
    digest = hashlib.sha256()
    with path.open("rb") as source:
        while block := source.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
