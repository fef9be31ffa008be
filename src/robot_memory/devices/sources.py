"""What a person may write as a source, sorted into devices, files and URLs; and what may go wrong with one.

What is plainly wrong (no such file, no such device) is refused at once; what may pass (a camera that does not answer)
is a SourceLost, after which it is worth trying again.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

from robot_memory.config import expanded
from robot_memory.errors import RobotMemoryError

CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
FILE_LIKE = re.compile(r"[/~]|\.\w{2,4}$")
SCHEMES = ("http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtp", "srt", "tcp", "udp")


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
    """Sort what was written. A file must be there. Raises SourceRefused, or SettingsInvalid for the home of nobody."""
    text = text.strip()
    if not text:
        raise SourceRefused("a source of nothing but blanks: give a device, a file or a URL")
    if "://" in text:
        return _url(Source(Kind.URL, text))
    if text.isdecimal():
        return Source(Kind.DEVICE, text)
    path = expanded(text).absolute()  # FFmpeg takes what is before a colon for a protocol
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if text.startswith("/dev/") or not FILE_LIKE.search(text):
            return Source(Kind.DEVICE, text)
        if isinstance(error, FileNotFoundError):
            raise SourceRefused(f"there is no file {path}: give a device, a file or a URL") from error
        raise SourceRefused(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if stat.S_ISCHR(mode):
        return Source(Kind.DEVICE, str(path))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise SourceRefused(f"{path} is neither a file, nor a folder, nor a device")
    if not os.access(path, os.R_OK):
        raise SourceRefused(f"{path} may not be read by this user")
    return Source(Kind.FILE, str(path))


def _url(source: Source) -> Source:
    """The source, if FFmpeg may know what to do with it."""
    try:
        parts = urlsplit(source.address)
    except ValueError as error:
        raise SourceRefused(f"{source} is no URL: {error}") from error
    if parts.scheme == "file":
        raise SourceRefused(f"{source}: write a file as a path, {parts.path}")
    if parts.scheme not in SCHEMES:
        raise SourceRefused(f"{source}: a URL begins with one of {', '.join(SCHEMES)}")
    if not parts.netloc:
        raise SourceRefused(f"{source} names no machine: write {parts.scheme}://HOST/…")
    return source
