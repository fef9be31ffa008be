"""A session is one run of the clock: live from start to stop, or one bag.

When the clock jumps back inside a session, the rest becomes a new session that keeps the first one's name with a
number behind it ("6f3a", "6f3a.1", …), so that both can be found together.
"""

from __future__ import annotations

import os
import re
import uuid
from dataclasses import dataclass, replace

from robot_memory.errors import RobotMemoryError

LIVE = ""
ID = re.compile(r"[A-Za-z0-9_-]{1,64}(\.\d{1,6})?")


class SessionInvalid(RobotMemoryError):
    """A session id that cannot name a folder."""


def checked(session_id: str) -> str:
    """The id, which names a folder in the spool. Raises SessionInvalid for what could name any other place."""
    if not ID.fullmatch(session_id):
        raise SessionInvalid(f"session id {session_id[:80]!r}: 1 to 64 letters, digits, _ and - are allowed")
    return session_id


@dataclass(frozen=True)
class Session:
    """Where and when a stream was recorded. `origin_ns` is where the first clip starts; None: at the first stamp's
    own slot.
    """

    id: str
    bag_uri: str = LIVE
    bag_fingerprint: str = ""
    utc_offset_s: int = 0
    zone: str = ""
    boot_id: str = ""
    clock: str = ""
    origin_ns: int | None = None
    lockstep: bool = False
    run: str = ""  # which opening of the session this is: a bag may be opened again to finish it

    @property
    def live(self) -> bool:
        return self.bag_uri == LIVE

    def part(self, number: int) -> Session:
        """The session that a clock jump splits off; part 0 is the session itself."""
        return self if number == 0 else replace(self, id=f"{self.id}.{number}", origin_ns=None)


def root_of(session_id: str) -> str:
    """The id of the session that `session_id` was split off from."""
    return session_id.split(".")[0]


def new_session_id() -> str:
    return uuid.uuid4().hex


def local_zone() -> str:
    """This machine's IANA zone ("Europe/Berlin"); empty where it cannot be told."""
    if named := os.environ.get("TZ", "").lstrip(":"):
        return named
    try:
        return os.readlink("/etc/localtime").partition("zoneinfo/")[2]
    except OSError:
        return ""


def boot_id() -> str:
    """The kernel's id of this boot; empty where there is none."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""
