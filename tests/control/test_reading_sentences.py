"""A question is read as a person would read it: whom it mentions, what it asks for, when, where, and about what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from reading_cast import CAST, Cast

from robot_memory.control.clock import Zone
from robot_memory.control.understanding.places import Places
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.understanding.reading import ROLE, Reading

NOW_NS = 1_772_452_800_000_000_000  # Monday 2 March 2026, noon
ROWS = yaml.safe_load(Path(__file__).with_name("reading_sentences.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Cast(tmp_path_factory.mktemp("cast") / "memory.sqlite") as people:
        yield Reader(people, Places(["kitchen", "Blue Room"]))


def told(reading: Reading) -> dict[str, Any]:
    """A reading in the words of the table."""
    return {
        "asks": reading.asks,
        "persons": [CAST[person][0] for person in reading.persons],
        "roles": [mention.words for mention in reading.mentions if mention.how == ROLE],
        "unknown": list(reading.unknown_names),
        "time": reading.span.words,
        "order": reading.order,
        "validity": reading.validity,
        "counts": reading.counts,
        "negated": reading.negated,
        "compares": reading.compares,
        "pronoun": reading.pronoun,
        "places": [place.words for place in reading.places],
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["q"][:40])
def test_it_is_read_as_meant(reader: Reader, row: dict[str, Any]) -> None:
    reading = reader.read(row["q"], NOW_NS, Zone("Europe/Berlin"), asker="person_2")
    found = told(reading)
    assert found == {name: row.get(name, type(value)()) for name, value in found.items()}
    if "topic" in row:
        assert reading.topic == row["topic"]
    if "speaks" in row:
        assert [mention.words for mention in reading.mentions if mention.speaks] == row["speaks"]
    if "robot" in row:
        assert reading.robot == row["robot"]
    if "known_places" in row:
        assert [place.name for place in reading.places if place.known] == row["known_places"]


def test_there_are_enough_of_them() -> None:
    assert len({row["q"] for row in ROWS}) == len(ROWS) >= 120
