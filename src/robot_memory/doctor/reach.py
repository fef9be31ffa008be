"""Can a file lie at a path at all? Looks at what there is of its folders, and makes nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

LONGEST_ENDING = len("-journal")  # SQLite keeps such a file beside a memory
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
        if path.is_symlink():  # SQLite would make the file that it leads to
            return trouble(Path(os.path.realpath(path)))
    except OSError as error:
        return f"{path}: {error.strerror}"
    name = max(path.parts, key=lambda part: len(os.fsencode(part)))
    room = _longest_name(nearest(path)) - LONGEST_ENDING
    return f"the name {name[:40]}… is longer than {room} bytes" if len(os.fsencode(name)) > room else ""


def _in_the_way(folder: Path) -> str:
    """What keeps `folder` from being one. Raises OSError; of these, FileNotFoundError where it is yet to be made."""
    try:
        return "" if stat.S_ISDIR(folder.stat().st_mode) else f"{folder} is a file, not a folder"
    except FileNotFoundError:
        if folder.is_symlink():
            return f"{folder} is a link to a folder that is not there"
        raise


def _longest_name(folder: Path) -> int:
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (OSError, ValueError):  # some file systems do not say
        return LONGEST_NAME
