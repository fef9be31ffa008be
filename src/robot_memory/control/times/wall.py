"""Wall time and stamps: what a zone's clock on the wall shows, and back, over changes of the clock.

A wall time that the clocks skip in spring is the moment they jump. One that comes twice in autumn begins a range with
its first coming and ends a range with its second, so that a range never loses what people lived through.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from robot_memory.control.clock import CALENDAR_NS, Zone
from robot_memory.streams.media import SECOND

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Now:
    """The moment a question is asked at: the stamp, and what the wall clock shows (no zone attached)."""

    stamp_ns: int
    wall: datetime
    zone: Zone

    @classmethod
    def at(cls, stamp_ns: int, zone: Zone) -> Now:
        zone = zone if stamp_ns >= CALENDAR_NS else Zone()
        return cls(stamp_ns, _wall(stamp_ns, zone), zone)

    @property
    def has_calendar(self) -> bool:
        """False for a simulation's clock, which counts from its own start."""
        return self.stamp_ns >= CALENDAR_NS

    @property
    def today(self) -> datetime:
        """Last midnight."""
        return self.wall.replace(hour=0, minute=0, second=0, microsecond=0)

    def start_ns(self, wall: datetime) -> int:
        """The stamp at which a range beginning at this wall time begins."""
        return self._stamp(wall, fold=0)

    def end_ns(self, wall: datetime) -> int:
        """The stamp at which a range ending at this wall time ends."""
        return self._stamp(wall, fold=1)

    def _stamp(self, wall: datetime, fold: int) -> int:
        moment = wall.replace(tzinfo=self.zone.info(), fold=fold)
        stamp_ns = _ns(moment)
        if _wall(stamp_ns, self.zone) == wall:
            return stamp_ns
        before, after = (moment.replace(fold=f).utcoffset() or timedelta() for f in (0, 1))
        return self._jump(stamp_ns, after - before)

    def _jump(self, near_ns: int, by: timedelta) -> int:
        """The moment the clocks jumped forward, to the second; `near_ns` lies less than the jump from it."""
        reach = int(by.total_seconds())
        low, high = near_ns // SECOND - reach, near_ns // SECOND + reach
        offset = _offset(low, self.zone)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _offset(middle, self.zone) == offset else (low, middle)
        return high * SECOND


def _wall(stamp_ns: int, zone: Zone) -> datetime:
    moment = EPOCH + timedelta(microseconds=stamp_ns // 1000)
    return moment.astimezone(zone.info()).replace(tzinfo=None, fold=0)


def _ns(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND * 1000


def _offset(seconds: int, zone: Zone) -> timedelta | None:
    return (EPOCH + timedelta(seconds=seconds)).astimezone(zone.info()).utcoffset()
