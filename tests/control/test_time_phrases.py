"""What time phrases mean: the table time_phrases.yaml, in two zones, asked as part of a question."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from robot_memory.control.clock import Zone
from robot_memory.control.times import span_in

TABLE = yaml.safe_load(Path(__file__).with_name("time_phrases.yaml").read_text())
PHRASES = [(phrase, meant) for group in TABLE.values() for phrase, meant in group.items()]
NOW = datetime(2026, 3, 18, 15, 30)
ZONES = ("Europe/Berlin", "America/Los_Angeles")


def stamp(written: str, zone: str) -> int | None:
    """A side of a range in the table; worked out without the code under test."""
    if written == "open":
        return None
    wall = NOW if written == "now" else datetime.fromisoformat(written)
    return int(wall.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000) * 1_000_000


def test_the_table_is_long_enough() -> None:
    assert len(PHRASES) >= 150


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("phrase", "meant"), PHRASES, ids=[phrase for phrase, _ in PHRASES])
def test_a_phrase_means_its_range(phrase: str, meant: str, zone: str) -> None:
    now_ns = stamp("now", zone)
    assert now_ns is not None
    start, end = (stamp(side.strip(), zone) for side in meant.split(".."))
    span, rest = span_in(f"Who was here {phrase}?", now_ns, Zone(zone))
    shown = [None if edge is None else Zone(zone).at(edge).isoformat() for edge in (span.start_ns, span.end_ns)]
    assert span.start_ns == start, shown
    assert span.end_ns == end or (end is not None and span.end_ns == end + 1), shown
    assert rest == "Who was here?"
