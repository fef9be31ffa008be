"""Votes join voices and faces into persons. Each test is a small story: who was heard while who was there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import MINUTE, SECOND, Story, add_clip

from robot_memory.memory.people.people import LINK, People, Vote, cast_vote, log_odds
from robot_memory.memory.storage.store import Store


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        yield Story(db)


def test_voice_1_with_face_2_twice_with_face_3_once_is_face_2(story: Story) -> None:
    story.vote("voice_1", "face_2", times=2)
    story.vote("voice_1", "face_3")
    assert story.together("voice_1", "face_2")
    assert not story.together("voice_1", "face_3")


def test_once_is_not_enough(story: Story) -> None:
    story.vote("voice_1", "face_2")
    assert not story.together("voice_1", "face_2")


def test_one_vote_in_each_of_two_conversations_is(story: Story) -> None:
    story.vote("voice_1", "face_2")
    story.vote("voice_1", "face_2", later=True)
    assert story.together("voice_1", "face_2")


def test_the_published_codes_fusing_case_gives_two_persons(story: Story) -> None:
    """face_0 once and face_1 five times with voice_2: there one wrong equivalence fused both faces into one person."""
    story.vote("voice_2", "face_0")
    story.vote("voice_2", "face_1", times=5)
    assert story.together("voice_2", "face_1")
    assert not story.together("face_0", "face_1")
    assert len({story.person(name) for name in ("face_0", "face_1", "voice_2")}) == 2


def test_even_with_strong_votes_for_both_two_faces_are_two_persons(story: Story) -> None:
    for _ in range(5):
        story.vote("voice_2", "face_0", times=2, later=True)
        story.vote("voice_2", "face_1", times=2, later=True)
    assert not story.together("face_0", "face_1")


def test_votes_saturate_within_a_conversation(story: Story) -> None:
    """A long talk over a silent listener counts as two votes, so two short meetings elsewhere outweigh it."""
    story.vote("voice_1", "face_2", times=200)
    assert story.together("voice_1", "face_2")
    story.vote("voice_1", "face_3", times=2, later=True)
    story.vote("voice_1", "face_3", times=2, later=True)
    assert story.together("voice_1", "face_3")
    assert not story.together("voice_1", "face_2")


def test_a_pause_of_a_minute_ends_a_conversation_and_a_shorter_one_does_not(story: Story) -> None:
    for gap, conversations in ((59, 1), (61, 2)):
        voice, face = story.entity(f"voice_{gap}"), story.entity(f"face_{gap}")
        story.now_ns += 60 * MINUTE
        for at_ns in (story.now_ns, story.now_ns + gap * SECOND):
            cast_vote(story.db, voice, face, story.clip, at_ns, 1)
        story.now_ns += 60 * MINUTE
        (found,) = story.db.execute(
            "SELECT count(DISTINCT conversation) FROM votes WHERE voice = ?", (voice,)
        ).fetchone()
        assert found == conversations


def test_sessions_do_not_share_conversations(story: Story) -> None:
    voice, face = story.entity("voice_1"), story.entity("face_1")
    other = add_clip(story.db, 0, session="another")
    cast_vote(story.db, voice, face, story.clip, SECOND, 1)
    cast_vote(story.db, voice, face, other, 2 * SECOND, 1)
    assert story.db.execute("SELECT count(DISTINCT conversation) FROM votes").fetchone()[0] == 2


def test_a_wrong_link_heals_when_it_is_outvoted(story: Story) -> None:
    story.vote("voice_1", "face_2", times=2)
    wrong = story.person("voice_1")
    story.vote("voice_1", "face_2", -1, times=2, later=True)
    assert not story.together("voice_1", "face_2"), "the voice is on its own again"
    assert story.person("face_2") == wrong, "a face keeps its person"
    story.vote("voice_1", "face_3", times=2, later=True)
    assert story.together("voice_1", "face_3") and not story.together("voice_1", "face_2")


def test_being_heard_while_the_face_is_away_counts_against_it(story: Story) -> None:
    story.vote("voice_1", "face_2", times=2)
    story.vote("voice_1", "face_2", -1, times=2)
    assert not story.together("voice_1", "face_2")


def test_one_voice_moving_takes_nobody_along(story: Story) -> None:
    """Two voices were taken for face_1's; when one heals, the other stays."""
    for voice in ("voice_1", "voice_2"):
        story.vote(voice, "face_1", times=2, later=True)
    assert story.together("voice_1", "voice_2", "face_1")
    story.vote("voice_2", "face_3", times=2, later=True)
    story.vote("voice_2", "face_3", times=2, later=True)
    assert story.together("voice_1", "face_1") and story.together("voice_2", "face_3")
    assert not story.together("voice_1", "voice_2")


def test_a_persons_id_is_for_life(story: Story) -> None:
    """Joining leaves an alias, parting makes a new id; an old id always leads to somebody."""
    face_person, voice_person = story.person("face_1"), story.person("voice_1")
    story.vote("voice_1", "face_1", times=2)
    people = People(story.db)
    assert people.now(voice_person) == face_person
    assert people.get(voice_person) == people.get(face_person) == people.of_entity(story.entity("face_1"))
    assert people.get(face_person).aliases == (voice_person,)  # type: ignore[union-attr]
    story.vote("voice_1", "face_1", -1, times=2, later=True)
    story.vote("voice_1", "face_1", -1, times=2, later=True)
    parted = story.person("voice_1")
    assert parted not in (face_person, voice_person)
    assert People(story.db).get(parted).voices == (story.entity("voice_1"),)  # type: ignore[union-attr]


def test_every_change_is_in_the_journal_with_its_reason(story: Story) -> None:
    story.vote("voice_1", "face_1")
    assert story.db.execute("SELECT count(*) FROM journal").fetchone()[0] == 0, "nothing changed"
    story.vote("voice_1", "face_1")
    story.vote("voice_1", "face_1", -1, times=2)
    rows = story.db.execute("SELECT actor, action, detail FROM journal ORDER BY id").fetchall()
    assert [(row["actor"], row["action"]) for row in rows] == [("votes", "link"), ("votes", "unlink")]
    detail = json.loads(rows[0]["detail"])
    assert detail["voice"] == story.entity("voice_1") and detail["face"] == story.entity("face_1")
    assert detail["log_odds"] == {str(story.entity("face_1")): 1.0}


def test_log_odds_in_numbers() -> None:
    """Prior -2, each vote 1.5, two of a sign count in a conversation."""
    votes = [Vote(1, 1, 1)] * 5 + [Vote(1, 2, 1)] + [Vote(2, 1, -1)] * 9 + [Vote(3, 1, 1), Vote(3, 1, -1)]
    assert log_odds(votes) == {1: -2 + 4.5, 2: -2 - 3.0, 3: -2.0}
    assert log_odds([]) == {} and LINK == 0


steps = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 4), st.sampled_from([1, 1, 1, -1]), st.booleans()), max_size=40
)


@given(steps=steps)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_voted(story: Story, steps: list[tuple[int, int, int, bool]]) -> None:
    """Faces never move, a voice is with its likeliest face or alone, no id is lost, none is used again."""
    story.ids.clear()
    for kind in ("face", "voice"):
        for n in range(1, 5):
            story.entity(f"{kind}_{n}")
    homes = {name: story.person(name) for name in story.ids if name.startswith("face")}
    ever = {story.person(name) for name in story.ids}
    for voice, face, value, later in steps:
        story.vote(f"voice_{voice}", f"face_{face}", value, later=later)
        fresh = {story.person(name) for name in story.ids} - ever
        assert all(person > max(ever) for person in fresh)
        ever |= fresh
        assert {name: story.person(name) for name in homes} == homes
        rows = story.db.execute(
            "SELECT face, conversation, value FROM votes WHERE voice = ?", (story.entity(f"voice_{voice}"),)
        )
        odds = log_odds([Vote(row["face"], row["conversation"], row["value"]) for row in rows])
        mine = story.person(f"voice_{voice}")
        likely = [homes[name] for name in homes if odds.get(story.ids[name], -9) == max(odds.values()) > LINK]
        assert mine in likely if likely else mine not in homes.values()
        people = People(story.db)
        for person in ever:
            assert people.get(person) is not None, "an id that once was given leads nowhere"
    people = People(story.db)
    members = [entity for person in people.all() for entity in (*person.faces, *person.voices)]
    assert sorted(set(members)) == sorted(members) and set(story.ids.values()) <= set(members)
