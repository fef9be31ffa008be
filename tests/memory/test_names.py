"""Names are hypotheses: heard once, twice, or given by an operator, whose word decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from remembering import SECOND, Story

from robot_memory.memory.people.people import People, hear_name
from robot_memory.memory.storage.store import Store


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        yield Story(db)


def call(story: Story, entity: str, name: str, source: str = "introduction", times: int = 1) -> None:
    for _ in range(times):
        story.now_ns += SECOND
        hear_name(story.db, story.entity(entity), name, source, story.clip, story.now_ns)


def told(story: Story, entity: str) -> str:
    return People(story.db).of_entity(story.entity(entity)).describe()


def test_nameless(story: Story) -> None:
    person = story.person("voice_1")
    assert told(story, "voice_1") == f"person {person}"


def test_one_hearing_is_someone_who_said_so(story: Story) -> None:
    call(story, "voice_1", "Anna")
    assert told(story, "voice_1") == "someone who said 'Anna'"


def test_two_hearings_make_the_name(story: Story) -> None:
    call(story, "voice_1", "Anna", times=2)
    assert told(story, "voice_1") == "Anna"


@pytest.mark.parametrize("source", ["operator", "spelling"])
def test_a_spelling_or_an_operator_makes_the_name_at_once(story: Story, source: str) -> None:
    call(story, "voice_1", "Anne", times=5)
    call(story, "voice_1", "Anna", source)
    assert told(story, "voice_1") == "Anna"
    call(story, "voice_1", "Anne", times=5)
    assert told(story, "voice_1") == "Anna"


def test_an_operators_word_decides_whatever_is_spelt_later(story: Story) -> None:
    call(story, "voice_1", "Anna", "operator")
    call(story, "voice_1", "Hannah", "spelling")
    assert told(story, "voice_1") == "Anna"
    call(story, "voice_1", "Ana", "operator")
    assert told(story, "voice_1") == "Ana", "the operator's last word"


def test_the_name_heard_more_often_wins(story: Story) -> None:
    call(story, "voice_1", "Anna", times=2)
    call(story, "voice_1", "Hannah", times=3)
    assert told(story, "voice_1") == "Hannah"


def test_upper_and_lower_case_are_one_name(story: Story) -> None:
    """A transcriber writes what it likes."""
    call(story, "voice_1", "anna")
    call(story, "voice_1", "Anna")
    assert told(story, "voice_1").casefold() == "anna"


def test_a_name_goes_with_the_entity_that_it_was_heard_for(story: Story) -> None:
    call(story, "voice_1", "Anna", times=2)
    for _ in range(2):
        story.say("voice_1", "face_1", times=2, later=True)
    assert told(story, "face_1") == "Anna", "learnt later, right for before"
    for _ in range(2):
        story.say("voice_1", "face_2", times=2, later=True)
    assert told(story, "voice_1") == "Anna"
    assert told(story, "face_1").startswith("person ")


def test_hearings_of_voice_and_face_add_up(story: Story) -> None:
    call(story, "voice_1", "Clara")
    call(story, "face_1", "Clara")
    for _ in range(2):
        story.say("voice_1", "face_1", times=2, later=True)
    assert told(story, "voice_1") == "Clara"


def test_those_who_go_by_a_name(story: Story) -> None:
    call(story, "voice_1", "Anna", times=2)
    call(story, "voice_2", "anna")
    call(story, "voice_3", "Bert", times=2)
    people = People(story.db)
    assert [person.voices for person in people.called("ANNA")] == [
        (story.entity("voice_1"),),
        (story.entity("voice_2"),),
    ]
    assert people.called("Nobody") == []


def test_tokens_are_spoken_of_by_name(story: Story) -> None:
    call(story, "voice_1", "Anna", times=2)
    old = story.person("voice_1")
    for _ in range(2):
        story.say("voice_1", "face_1", times=2, later=True)
    people = People(story.db)
    for token in (
        f"voice_{story.entity('voice_1')}",
        f"face_{story.entity('face_1')}",
        f"person_{old}",
        f"person_{story.person('face_1')}",
    ):
        assert people.name_of(token) == "Anna"
    assert people.name_of("face_99") == people.name_of("person_99") == "someone"


def test_every_hearing_is_in_the_journal(story: Story) -> None:
    call(story, "voice_1", "Anna")
    row = story.db.execute("SELECT actor, action, detail FROM journal").fetchone()
    assert (row["actor"], row["action"]) == ("", "name") and '"Anna"' in row["detail"]
