"""Moments as people write them into files: ISO 8601 with a zone, to the nanosecond."""

from __future__ import annotations

import pytest

from robot_memory.control.times import NotAMoment, moment_ns


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-03-02T09:30:00Z", 1_772_443_800_000_000_000),
        ("2026-03-02T10:30:00+01:00", 1_772_443_800_000_000_000),
        ("2026-03-02 10:30+0100", 1_772_443_800_000_000_000),
        ("2026-03-02T09:30:00.123456789Z", 1_772_443_800_123_456_789),
        ("1969-12-31T23:59:59.5Z", -500_000_000),
    ],
)
def test_a_moment(written: str, expected: int) -> None:
    assert moment_ns(written) == expected


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("2026-03-02T09:30:00", "has no zone"),
        ("2026-03-02", "has no time and no zone"),
        ("2026-02-30T09:30:00Z", "no moment of the calendar"),
        ("yesterday", "no date and time"),
        ("", "no date and time"),
    ],
)
def test_what_is_wrong_is_said(written: str, problem: str) -> None:
    with pytest.raises(NotAMoment, match=problem):
        moment_ns(written)
