"""Which names a transcriber is told to listen for: sure ones, single words, who was met last first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from remembering import SECOND, Story

from robot_memory.memory.people.corrections import name_person
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.known_names import MOST_KNOWN, known_names, names_to_listen_for
from robot_memory.memory.people.names import CONFIRMED, GIVEN, HEARD
from robot_memory.memory.people.people import Person, hear_name
from robot_memory.memory.storage.store import Store
from robot_memory.perception.transcription import MOST_NAMES


def person(name: str, state: str = CONFIRMED) -> Person:
    return Person(1, (), (1,), (), name, state)


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("Anna", ["Anna"]),
        ("Anna Schmidt", ["Anna"]),
        ("Dr Patel", ["Patel"]),
        ("Mrs. O'Brien", ["O'Brien"]),
        ("Anne-Marie", ["Anne-Marie"]),
        ("Karl, the plumber", ["Karl"]),
        ("Zoë", ["Zoë"]),
        ("J", []),
        ("Doctor", []),
        ("X" * 80, []),
        ("42", []),
    ],
)
def test_the_word_that_somebody_is_spoken_of_by(name: str, spoken: list[str]) -> None:
    assert [*names_to_listen_for([person(name)])] == spoken


def test_only_sure_names_each_once_and_not_too_many() -> None:
    people = [person("Zoe", GIVEN), person("Ben", HEARD), person("Anna"), person("ANNA Berg"), person("", GIVEN)]
    assert names_to_listen_for(people) == ("Zoe", "Anna")
    many = [person("N" + chr(ord("a") + n)) for n in range(20)]
    assert names_to_listen_for(many) == tuple(one.name for one in many[:MOST_KNOWN])


def test_the_transcriber_shows_all_that_are_listed() -> None:
    assert MOST_KNOWN == MOST_NAMES


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        yield Story(db)


def seen(story: Story, face: str, at_s: int) -> None:
    span = (story.clip, story.entity(face), at_s * SECOND, (at_s + 1) * SECOND)
    story.db.execute("INSERT INTO sightings(clip, entity, start_ns, end_ns) VALUES (?, ?, ?, ?)", span)


def heard(story: Story, voice: str, at_s: int) -> None:
    span = (story.clip, story.entity(voice), at_s * SECOND, (at_s + 1) * SECOND)
    story.db.execute(
        "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, '', 1.0)", span
    )


def name(story: Story, entity: str, called: str) -> None:
    name_person(story.db, f"person_{story.person(entity)}", called, Word("", "", 0))


def test_who_was_met_last_comes_first(story: Story) -> None:
    for entity, called in (("face_1", "Anna"), ("voice_1", "Ben"), ("face_2", "Carl"), ("face_3", "Never")):
        name(story, entity, called)
    seen(story, "face_1", 10)
    heard(story, "voice_1", 20)
    seen(story, "face_2", 5)
    assert known_names(story.db) == ("Ben", "Anna", "Carl", "Never")
    seen(story, "face_2", 30)
    assert known_names(story.db) == ("Carl", "Ben", "Anna", "Never")


def test_a_name_counts_once_it_was_heard_twice_and_goes_when_it_is_taken_away(story: Story) -> None:
    for turn in range(2):
        assert known_names(story.db) == ()
        hear_name(story.db, story.entity("voice_1"), "Anna", "introduction", story.clip, turn * SECOND)
    assert known_names(story.db) == ("Anna",)
    name(story, "voice_1", "")
    assert known_names(story.db) == ()
