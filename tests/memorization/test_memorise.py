"""A clip becomes memory whole, once, and with the right people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robot_memory.config import PerceptionSettings
from robot_memory.control.service import models_of
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.people.people import People, Person
from robot_memory.models.manifest import load_profile
from robot_memory.streams.observation import ClipObservation
from told import Story


def people(story: Story) -> list[Person]:
    with story.graph.store.snapshot() as db:
        return People(db).all()


def hashed(story: Story) -> str:
    with story.graph.store.snapshot() as db:
        return fingerprint(db)


def again(story: Story, observation: ClipObservation) -> None:
    Memoriser(story.graph, story.embedder, TranscriptDescriber(), 3.0).memorise(observation, story.session)


def test_a_voice_joins_the_face_it_was_heard_with(story: Story) -> None:
    story.clip({"anna": (1, 28)}, [("anna", 3, 6, "Good morning."), ("anna", 8, 12, "Lovely weather.")])
    assert len(people(story)) == 2, "one conversation is not enough"
    story.clip({"anna": (601, 628)}, [("anna", 603, 606, "Me again."), ("anna", 608, 612, "Still lovely.")])
    (anna,) = people(story)
    assert anna.faces and anna.voices


def test_who_gives_their_name_is_known_in_the_first_conversation(story: Story) -> None:
    story.clip({"anna": (1, 28)}, [("anna", 3, 6, "My name is Anna."), ("anna", 8, 12, "Lovely weather.")])
    (anna,) = people(story)
    assert anna.faces and anna.voices and anna.name == "Anna"


def test_one_turn_is_not_enough_to_join(story: Story) -> None:
    story.clip({"anna": (1, 28)}, [("anna", 3, 8, "Good morning, my name is Anna.")])
    assert len(people(story)) == 2


def test_two_faces_in_view_join_nobody(story: Story) -> None:
    story.clip({"anna": (1, 28), "ben": (1, 28)}, [("anna", 3, 6, "Good morning."), ("anna", 8, 12, "Lovely weather.")])
    assert len(people(story)) == 3


def test_a_long_talk_over_a_silent_listener_joins_nobody(story: Story) -> None:
    story.clip({"ben": (1, 28)}, [("radio", n, n + 3, "And now the news.") for n in range(2, 26, 4)])
    assert len(people(story)) == 2


def test_too_little_speech_enrols_nobody_but_is_remembered(story: Story) -> None:
    story.clip(said=[("anna", 3, 4.5, "Coming!")])
    assert people(story) == []
    row = story.graph.store.reader().execute("SELECT text FROM memories").fetchone()
    assert row["text"] == "someone said: “Coming!”"


def test_a_glimpse_of_a_face_enrols_nobody(story: Story) -> None:
    story.clip({"anna": (3, 3.5)})
    assert people(story) == []


def test_the_same_person_is_one_person_in_every_clip(story: Story) -> None:
    for start in (0, 30, 60):
        story.clip({"anna": (start + 1, start + 20), "ben": (start + 5, start + 25)})
    assert len(people(story)) == 2


def test_storing_a_clip_twice_changes_nothing(story: Story) -> None:
    told = story.clip({"anna": (1, 28)}, [("anna", 3, 8, "My name is Anna.")])
    before, generation = hashed(story), story.graph.store.generation()
    again(story, told)
    assert (hashed(story), story.graph.store.generation()) == (before, generation)


def test_a_failure_half_way_leaves_nothing_and_the_clip_can_be_stored_later(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    story.clip({"ben": (1, 20)})
    before = hashed(story)
    with monkeypatch.context() as patch:
        patch.setattr(TranscriptDescriber, "describe", lambda self, scene: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            story.clip({"anna": (31, 58)}, [("anna", 33, 38, "My name is Anna.")])
    assert hashed(story) == before
    assert len(story.graph.galleries["face"]) == 1  # what the failed clip had enrolled is gone from memory as well
    story.clip({"anna": (31, 58)}, [("anna", 33, 38, "My name is Anna.")])
    assert len(people(story)) == 3


def test_a_skipped_clip_is_accounted_for(story: Story) -> None:
    again(story, ClipObservation("story", 7, 0, 1, skipped="perception fell behind"))
    row = story.graph.store.reader().execute("SELECT skipped FROM clips").fetchone()
    assert row["skipped"] == "perception fell behind"


def test_embeddings_of_another_model_enrol_and_match_nobody(story: Story) -> None:
    told = story.observe({"anna": (1, 28)}, [("anna", 3, 8, "My name is Anna.")])
    again(story, replace(told, embedders={"face_embedding": "another", "speaker_embedding": "another"}))
    assert people(story) == []
    row = story.graph.store.reader().execute("SELECT text FROM memories").fetchone()
    assert row["text"] == "someone said: “My name is Anna.”"


def test_after_a_restart_the_same_people_are_recognised(story: Story) -> None:
    story.clip({"anna": (1, 28)}, [("anna", 3, 8, "My name is Anna.")])
    story.graph = MemoryGraph(story.graph.store, models_of(load_profile(PerceptionSettings().profile)))
    again(story, story.observe({"anna": (31, 58)}, [("anna", 33, 38, "I'm Anna.")]))
    (anna,) = people(story)
    assert anna.sure and anna.name == "Anna"
