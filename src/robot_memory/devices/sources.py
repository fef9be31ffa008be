"""What a person may write as a source, sorted into devices, files and URLs; and what may go wrong with one.

What is plainly wrong (no such file, no such device) is refused at once; what may pass (a camera that does not answer)
is a SourceLost, after which it is worth trying again.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from robot_memory.errors import RobotMemoryError

CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
FILE_LIKE = re.compile(r"[/~]|\.\w{2,4}$")


class SourceRefused(RobotMemoryError):
    """A source that cannot work as it is written, or for which something is not installed."""


class SourceLost(RobotMemoryError):
    """A source that does not answer now, or no longer; it may come back."""


class Kind(Enum):
    """Where a stream comes from."""

    DEVICE = "device"
    FILE = "file"
    URL = "URL"


@dataclass(frozen=True)
class Source:
    """A source: `address` is a device's number or name, a path, or a URL."""

    kind: Kind
    address: str

    def __str__(self) -> str:
        """For logs and diagnostics: a password in a URL is not shown."""
        return CREDENTIALS.sub("", self.address)


def source(text: str) -> Source:
    """Sort what was written. A file must be there. Raises SourceRefused."""
    text = text.strip()
    if "://" in text:
        return Source(Kind.URL, text)
    if text.isdigit() or text.startswith("/dev/"):
        return Source(Kind.DEVICE, text)
    path = Path(text).expanduser()
    if path.exists():
        if not os.access(path, os.R_OK):
            raise SourceRefused(f"{path} may not be read by this user")
        return Source(Kind.FILE, str(path))
    if FILE_LIKE.search(text):
        raise SourceRefused(f"there is no file {path.absolute()}: give a device, a file or a URL")
    return Source(Kind.DEVICE, text)
