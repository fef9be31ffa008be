"""Ranges around changes of the clock: days of 23 and 25 hours, hours that come twice or never. Expected in UTC."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime, span_in

BERLIN, LOS_ANGELES = "Europe/Berlin", "America/Los_Angeles"
# Berlin: forward on 29 March 2026 at 01:00 UTC, back on 25 October 2026 at 01:00 UTC.
# Los Angeles: forward on 8 March 2026 at 10:00 UTC, back on 1 November 2026 at 09:00 UTC.
CASES = [  # zone, asked at, phrase, from, to; all in UTC
    (BERLIN, "2026-03-29T16:00", "today", "2026-03-28T23:00", "2026-03-29T22:00"),  # 23 hours
    (BERLIN, "2026-03-30T16:00", "yesterday", "2026-03-28T23:00", "2026-03-29T22:00"),
    (BERLIN, "2026-03-30T16:00", "last Sunday", "2026-03-28T23:00", "2026-03-29T22:00"),
    (BERLIN, "2026-03-30T16:00", "yesterday morning", "2026-03-29T03:00", "2026-03-29T10:00"),
    (BERLIN, "2026-03-29T16:00", "last night", "2026-03-28T17:00", "2026-03-29T03:00"),
    (BERLIN, "2026-03-30T16:00", "last week", "2026-03-22T23:00", "2026-03-29T22:00"),  # 167 hours
    (BERLIN, "2026-03-29T16:00", "in the last 24 hours", "2026-03-28T16:00", "2026-03-29T16:00"),  # a stopwatch's
    (BERLIN, "2026-03-29T16:00", "in the last day", "2026-03-28T17:00", "2026-03-29T16:00"),  # the calendar's
    (BERLIN, "2026-03-29T03:00", "two hours ago", "2026-03-29T00:30", "2026-03-29T01:30"),
    (BERLIN, "2026-03-29T16:00", "between 1 and 4 am", "2026-03-29T00:00", "2026-03-29T02:00"),
    (BERLIN, "2026-03-29T16:00", "since 2:30 am", "2026-03-29T01:00", "2026-03-29T16:00"),  # never came: the jump
    (BERLIN, "2026-03-29T16:00", "at 2:30 am", "2026-03-29T00:50", "2026-03-29T01:10"),
    (BERLIN, "2026-10-25T16:00", "today", "2026-10-24T22:00", "2026-10-25T23:00"),  # 25 hours
    (BERLIN, "2026-10-26T16:00", "yesterday", "2026-10-24T22:00", "2026-10-25T23:00"),
    (BERLIN, "2026-10-25T16:00", "last night", "2026-10-24T16:00", "2026-10-25T04:00"),
    (BERLIN, "2026-10-25T16:00", "between 2 and 3 am", "2026-10-25T00:00", "2026-10-25T02:00"),  # came twice: both
    (BERLIN, "2026-10-25T16:00", "since 2:30 am", "2026-10-25T00:30", "2026-10-25T16:00"),  # from its first coming
    (BERLIN, "2026-10-25T16:00", "at 2:30 am", "2026-10-25T00:20", "2026-10-25T01:40"),
    (BERLIN, "2026-10-25T01:30", "an hour ago", "2026-10-25T00:00", "2026-10-25T01:00"),  # at 2:30: at 2:30
    (BERLIN, "2026-10-25T16:00", "in the last day", "2026-10-24T15:00", "2026-10-25T16:00"),
    (LOS_ANGELES, "2026-03-08T20:00", "today", "2026-03-08T08:00", "2026-03-09T07:00"),
    (LOS_ANGELES, "2026-03-09T20:00", "yesterday", "2026-03-08T08:00", "2026-03-09T07:00"),
    (LOS_ANGELES, "2026-03-09T20:00", "yesterday at noon", "2026-03-08T18:50", "2026-03-08T19:10"),
    (LOS_ANGELES, "2026-03-08T20:00", "at 2:30 am", "2026-03-08T09:50", "2026-03-08T10:10"),
    (LOS_ANGELES, "2026-03-08T20:00", "this month", "2026-03-01T08:00", "2026-04-01T07:00"),
    (LOS_ANGELES, "2026-11-01T20:00", "today", "2026-11-01T07:00", "2026-11-02T08:00"),
    (LOS_ANGELES, "2026-11-02T20:00", "yesterday", "2026-11-01T07:00", "2026-11-02T08:00"),
    (LOS_ANGELES, "2026-11-01T20:00", "between 1 and 2 am", "2026-11-01T08:00", "2026-11-01T10:00"),
    (LOS_ANGELES, "2026-11-02T20:00", "two days ago", "2026-10-31T07:00", "2026-11-01T07:00"),
    (LOS_ANGELES, "2026-11-02T20:00", "since Saturday", "2026-10-31T07:00", "2026-11-02T20:00"),
]


def utc_ns(written: str) -> int:
    return int(datetime.fromisoformat(written).replace(tzinfo=timezone.utc).timestamp()) * 1_000_000_000


@pytest.mark.parametrize(("zone", "now", "phrase", "start", "end"), CASES)
def test_a_range_across_a_change(zone: str, now: str, phrase: str, start: str, end: str) -> None:
    span, _ = span_in(f"Who was here {phrase}?", utc_ns(now), Zone(zone))
    assert span.start_ns is not None and span.end_ns is not None
    shown = [datetime.fromtimestamp(edge / 1e9, timezone.utc).isoformat() for edge in (span.start_ns, span.end_ns)]
    assert span.start_ns == utc_ns(start), shown
    assert 0 <= span.end_ns - utc_ns(end) <= 1, shown  # now itself is included


def test_an_hour_that_never_came_is_said_to_be_so() -> None:
    with pytest.raises(UnknownTime, match="between 2 and 3 am"):
        span_in("Who was here between 2 and 3 am?", utc_ns("2026-03-29T16:00"), Zone(BERLIN))
