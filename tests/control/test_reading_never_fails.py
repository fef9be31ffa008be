"""Whatever is typed or heard is read, or its time phrase is said to be unknown: nothing else is ever raised."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading_cast import CAST, Cast

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime
from robot_memory.control.understanding.places import Places
from robot_memory.control.understanding.reader import Reader
from robot_memory.control.understanding.reading import Reading

NOW_NS = 1_772_452_800_000_000_000
LONGEST = 1000  # characters that a question may have
WORDS = """
    who whom what when where how many long often times did does is will may mark was not n't never before after still
    used to first last the a in on next kitchen table my I you she person_2 <face_3> <voice_99> say said tell that if
    yesterday June May 's ’s " “ ” ' , . ? ! : ; — ( ) &c. 3 1st and or than more İstanbul ᚠaaa 小明 مرحبا Зоя é́́ 😀
    Anna's annas Xiu ANNA Dr. Mr
"""
PIECES = [*WORDS.split(), "\n", "\t", "\ud83d", *(name for names in CAST.values() for name in names)]
questions = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Cast(tmp_path_factory.mktemp("cast") / "memory.sqlite") as people:
        yield Reader(people, Places(["kitchen", "", "  ", "a (b", "İ"]))


def read(reader: Reader, text: str, asker: str = "person_2") -> Reading | None:
    try:
        return reader.read(text, NOW_NS, Zone("Europe/Berlin"), asker)
    except UnknownTime:
        return None


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=questions, asker=st.sampled_from(["", "person_2", "face_1", "<voice_2>", "nobody"]))
def test_anything_is_read_and_can_be_shown(reader: Reader, text: str, asker: str) -> None:
    reading = read(reader, text, asker)
    if reading is None:
        return
    assert reading.words == text
    json.dumps(reading.shown())
    assert all(person in CAST for person in reading.persons)
    assert all(word in text for word in reading.topic.split()), "the topic is made of the question's own words"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=questions)
def test_reading_twice_gives_the_same(reader: Reader, text: str) -> None:
    assert read(reader, text) == read(reader, text)


REPEATED = """
    a ? ' " “ ᚠ x' - İ 小明 Anna Anna's did_not tell_me who, in_the how_many 1 used_to did_he_use May also please really
    <person_1> if_you_know
"""


@pytest.mark.parametrize(
    "piece", [" ", *(f"{piece} ".replace("_", " ") for piece in REPEATED.split()), "a", "'", "Anna"]
)
def test_a_thousand_characters_do_not_take_long(reader: Reader, piece: str) -> None:
    text = (piece * LONGEST)[:LONGEST]
    read(reader, text)
    start = time.perf_counter()
    read(reader, text)
    assert time.perf_counter() - start < 0.5
