"""Can a file lie at a path at all? Looks at what there is of its folders, and makes nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from robot_memory.memory.storage import files

LONGEST_ENDING = len(f"{files.NEXT}damaged-{files.moment()}{files.JOURNAL}")  # of a file that may lie beside a memory
LONGEST_NAME = 255


def nearest(path: Path) -> Path:
    """The last folder on the way to `path` that is there."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())


def trouble(path: Path) -> str:
    """Why no memory can lie at `path`; empty if one can, or does."""
    path = path.absolute()
    try:
        for folder in reversed(path.parents):
            if why := _in_the_way(folder):
                return why
        if not stat.S_ISREG(path.stat().st_mode):
            return f"{path} is there, and is no file"
    except FileNotFoundError:
        if path.is_symlink():  # to a disk that is not mounted, perhaps: no new memory is begun
            return f"{path} is a link to a file that is not there"
    except OSError as error:
        return f"{path}: {error.strerror}"
    limit = _longest_name(nearest(path))
    for name, room in ((max(path.parts, key=_length), limit), (path.name, limit - LONGEST_ENDING)):
        if _length(name) > room:
            return f"the name {name[:40]}… is longer than {room} bytes"
    return ""


def _in_the_way(folder: Path) -> str:
    """What keeps `folder` from being one. Raises OSError; of these, FileNotFoundError where it is yet to be made."""
    try:
        return "" if stat.S_ISDIR(folder.stat().st_mode) else f"{folder} is a file, not a folder"
    except FileNotFoundError:
        if folder.is_symlink():
            return f"{folder} is a link to a folder that is not there"
        raise


def _length(name: str) -> int:
    return len(os.fsencode(name))


def _longest_name(folder: Path) -> int:
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (OSError, ValueError):  # some file systems do not say
        return LONGEST_NAME
