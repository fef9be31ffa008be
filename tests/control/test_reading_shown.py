"""What was understood is shown beside the results: short, readable, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from reading_cast import Cast

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.reader import Reader

NOW_NS = 1_772_452_800_000_000_000
BERLIN = Zone("Europe/Berlin")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Cast(tmp_path_factory.mktemp("cast") / "memory.sqlite") as people:
        yield Reader(people)


def test_all_that_was_asked_and_nothing_else(reader: Reader) -> None:
    reading = reader.read("what did anna first tell Peter about tea in the kitchen yesterday?", NOW_NS, BERLIN)
    shown = reading.shown()
    assert (
        json.loads(json.dumps(shown))
        == shown
        == {
            "asks": "what",
            "persons": ["anna: Anna (person_1)", "Peter: Peter (person_15) or Peter (person_17)"],
            "time": {"words": "yesterday", "from": "2026-03-01T00:00:00+01:00", "until": "2026-03-02T00:00:00+01:00"},
            "order": "first",
            "places": ["in the kitchen"],
            "topic": "tea kitchen",
        }
    )


def test_who_is_not_known_is_said(reader: Reader) -> None:
    shown = reader.read("Did Anna's brother meet Xiu?", NOW_NS, BERLIN).shown()
    assert shown["persons"] == ["Anna (person_1)", "Anna's brother: not known"] and shown["unknown_names"] == ["Xiu"]


def test_a_time_that_hangs_on_an_event_is_shown_by_its_words(reader: Reader) -> None:
    assert reader.read("Who came after Anna left?", NOW_NS, BERLIN).shown()["time"] == {"words": "after Anna left"}


def test_a_name_that_is_a_month_is_no_time_and_a_month_is_none(reader: Reader) -> None:
    reading = reader.read("In May, what did May tell June?", NOW_NS, BERLIN)
    assert reading.span.words == "in May" and [mention.words for mention in reading.mentions] == ["May", "June"]
    assert reading.topic == ""


def test_now_is_a_moment_only_where_somebody_is_or_does(reader: Reader) -> None:
    assert reader.read("Who is here now?", NOW_NS, BERLIN).span.start_ns is not None
    home = reader.read("Where does Anna live now?", NOW_NS, BERLIN)
    assert home.span.start_ns is None and home.validity == "latest"


def test_a_simulations_clock_knows_no_yesterday(reader: Reader) -> None:
    with pytest.raises(UnknownTime, match="yesterday"):
        reader.read("What did June say yesterday?", 60_000_000_000, Zone())


def test_the_time_of_a_simulations_clock_is_shown(reader: Reader) -> None:
    shown = reader.read("Who was here in the last 10 seconds?", 60_000_000_000, Zone()).shown()
    assert shown["time"]["words"] == "in the last 10 seconds"
