"""A moment written as ISO 8601, as people put it into files and options: "2026-03-02T09:30:00Z"."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from robot_memory.streams.media import SECOND

TIME = r"(?P<time>\d\d:\d\d(?::\d\d)?)(?:[.,](?P<fraction>\d{1,9}))?"
ZONE = r"(?P<zone>Z|[+-]\d\d:?\d\d)"
WRITTEN = re.compile(rf"(?P<day>\d{{4}}-\d\d-\d\d)(?:[T ]{TIME}{ZONE}?)?")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class NotAMoment(ValueError):
    """Not a date and time with its zone; the message says what is wrong, in words that follow on the text itself."""


def moment_ns(written: str) -> int:
    """Nanoseconds since 1970, to the last of them. Raises NotAMoment."""
    match = WRITTEN.fullmatch(written.strip())
    if match is None:
        raise NotAMoment("is no date and time: write them like 2026-03-02T09:30:00Z")
    if not match["time"]:
        raise NotAMoment(f"has no time and no zone: write {match['day']}T00:00:00Z, or an offset like +01:00")
    if not match["zone"]:
        raise NotAMoment(f"has no zone: write {written.strip()}Z, or an offset like +01:00")
    zone = match["zone"].replace("Z", "+00:00")
    zone = zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
    try:
        since = datetime.fromisoformat(f"{match['day']}T{match['time']}{zone}") - EPOCH
    except ValueError as error:
        raise NotAMoment(f"is no moment of the calendar ({error})") from None
    return since // timedelta(seconds=1) * SECOND + int((match["fraction"] or "0").ljust(9, "0"))
