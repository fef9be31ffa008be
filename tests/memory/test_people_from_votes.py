"""Votes join voices and faces into persons. Each test is a small story: who was heard while who was there."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import MINUTE, SECOND, Story, add_clip

from robot_memory.memory.people.journal import changes
from robot_memory.memory.people.linking import PRIOR, Evidence, log_odds, persons
from robot_memory.memory.people.people import People
from robot_memory.memory.people.settling import settle
from robot_memory.memory.people.votes import Tally, Turn, cast, recount
from robot_memory.memory.storage.store import Store


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        yield Story(db)


def met_twice(story: Story, voice: str, *faces: str) -> None:
    """Two turns in each of two conversations: enough for a link where nothing speaks against it."""
    for _ in range(2):
        story.say(voice, *faces, times=2, later=True)


# ---- what makes a link


def test_two_conversations_with_a_face_alone_in_view_make_a_person(story: Story) -> None:
    story.say("voice_1", "face_2", times=2)
    assert not story.together("voice_1", "face_2"), "one conversation is not enough"
    story.say("voice_1", "face_2", later=True)
    assert story.together("voice_1", "face_2")


def test_who_says_who_they_are_is_known_at_once(story: Story) -> None:
    story.say("voice_1", "face_2", introduces=True)
    assert not story.together("voice_1", "face_2"), "a single turn is not enough even so"
    story.say("voice_1", "face_2")
    assert story.together("voice_1", "face_2")


def test_but_not_with_two_in_view(story: Story) -> None:
    story.say("voice_1", "face_2", "face_3", introduces=True, times=3)
    assert not story.together("voice_1", "face_2") and not story.together("voice_1", "face_3")


def test_voice_1_with_face_2_three_times_with_face_3_once_is_face_2(story: Story) -> None:
    for _ in range(3):
        story.say("voice_1", "face_2", times=2, later=True)
    story.say("voice_1", "face_3", later=True)
    assert story.together("voice_1", "face_2")
    assert not story.together("voice_1", "face_3")


def test_a_long_narration_over_a_visible_listener_does_not_link(story: Story) -> None:
    story.say("voice_1", "face_2", times=500)
    assert not story.together("voice_1", "face_2")


def test_nor_does_it_with_one_more_turn_among_others(story: Story) -> None:
    story.say("voice_1", "face_2", times=500)
    story.say("voice_1", "face_2", "face_3", later=True)
    assert not story.together("voice_1", "face_2")


def test_nor_does_the_radio_once_the_listener_has_a_voice(story: Story) -> None:
    """Evening after evening the radio talks while Anna sits there; her own voice was heard as often."""
    for _ in range(4):
        story.say("voice_1", "face_1", times=3, later=True)
        story.say("voice_9", "face_1", times=30, later=True)
    assert not story.together("voice_9", "face_1"), "as good as its rival: nobody's"
    for _ in range(4):
        story.say("voice_1", "face_1", times=3, later=True)
        story.say("voice_9", times=30, later=True)
    assert story.together("voice_1", "face_1") and not story.together("voice_9", "face_1")


def test_a_poster_is_nobodys_face(story: Story) -> None:
    """It is alone in view whoever talks."""
    for voice in ("voice_1", "voice_2", "voice_3", "voice_4", "voice_5", "voice_6"):
        for _ in range(4):
            story.say(voice, "face_9", times=2, later=True)
    assert all(not story.together(f"voice_{n}", "face_9") for n in range(1, 7))


def test_a_turn_with_two_in_view_is_shared_and_alone_never_enough(story: Story) -> None:
    for _ in range(5):
        story.say("voice_1", "face_1", "face_2", times=4, later=True)
        story.say("voice_2", "face_1", "face_2", times=4, later=True)
    assert len({story.person(name) for name in story.ids}) == 4, "nothing tells the couple apart"
    for _ in range(2):
        story.say("voice_1", "face_1", times=2, later=True)
    assert story.together("voice_1", "face_1")


def test_an_unknown_face_in_view_takes_its_share(story: Story) -> None:
    for _ in range(2):
        story.say("voice_1", "face_1", later=True, unknown=1)
    assert not story.together("voice_1", "face_1")


def test_who_speaks_from_outside_the_picture_is_not_who_stands_in_it(story: Story) -> None:
    """Oscar is heard with Anna in view, with Ben in view and with nobody: he is neither."""
    for _ in range(3):
        story.say("voice_7", "face_1", times=2, later=True)
        story.say("voice_7", "face_2", times=2, later=True)
        story.say("voice_7", times=2, later=True)
    assert len({story.person(name) for name in story.ids}) == 3


# ---- what stands between two


def test_the_published_codes_fusing_case_gives_two_persons(story: Story) -> None:
    """face_0 once and face_1 five times with voice_2: there one wrong equivalence fused both faces into one person."""
    story.say("voice_2", "face_0", later=True)
    for _ in range(5):
        story.say("voice_2", "face_1", later=True)
    assert story.together("voice_2", "face_1")
    assert not story.together("face_0", "face_1")
    assert len({story.person(name) for name in ("face_0", "face_1", "voice_2")}) == 2


def test_even_with_strong_votes_for_both_two_faces_are_two_persons(story: Story) -> None:
    for _ in range(5):
        story.say("voice_2", "face_0", times=2, later=True)
        story.say("voice_2", "face_1", times=2, later=True)
    assert not story.together("face_0", "face_1")


def test_two_looks_of_one_face_join_by_their_voice(story: Story) -> None:
    """Anna with and without glasses: the faces look alike, were never seen together, and share a voice."""
    story.resemble("face_1", "face_2")
    met_twice(story, "voice_1", "face_1")
    met_twice(story, "voice_1", "face_2")
    assert story.together("face_1", "face_2", "voice_1")


def test_twins_who_were_seen_together_do_not(story: Story) -> None:
    story.resemble("face_1", "face_2")
    met_twice(story, "voice_1", "face_1")
    met_twice(story, "voice_1", "face_2")
    assert story.together("face_1", "face_2")
    story.meet("face_1", "face_2")
    assert not story.together("face_1", "face_2"), "two people in one picture are never one"


def test_a_second_voice_joins_a_face_only_if_it_sounds_like_the_first(story: Story) -> None:
    for voice in ("voice_1", "voice_2"):
        for _ in range(3):
            story.say(voice, "face_1", times=2, later=True)
    assert not story.together("voice_1", "voice_2")
    story.resemble("voice_1", "voice_2")
    assert story.together("voice_1", "voice_2", "face_1")
    story.meet("voice_1", "voice_2")
    assert not story.together("voice_1", "voice_2")


# ---- healing


def test_a_wrong_link_heals_when_it_is_outvoted(story: Story) -> None:
    met_twice(story, "voice_1", "face_2")
    wrong = story.person("voice_1")
    assert wrong == story.person("face_2")
    met_twice(story, "voice_1", "face_3")
    assert not story.together("voice_1", "face_2"), "the voice is on its own again"
    assert story.person("face_2") == wrong, "a face keeps its person"
    met_twice(story, "voice_1", "face_3")
    met_twice(story, "voice_1", "face_3")
    assert story.together("voice_1", "face_3") and not story.together("voice_1", "face_2")


def test_the_right_voice_takes_its_face_from_a_wrong_one(story: Story) -> None:
    """The visitor at the door was heard while Anna stood there in silence; then she speaks."""
    met_twice(story, "voice_9", "face_1")
    assert story.together("voice_9", "face_1")
    for _ in range(4):
        story.say("voice_1", "face_1", times=2, later=True)
    assert story.together("voice_1", "face_1") and not story.together("voice_9", "face_1")


def test_one_voice_moving_takes_nobody_along(story: Story) -> None:
    met_twice(story, "voice_1", "face_1")
    met_twice(story, "voice_2", "face_2")
    met_twice(story, "voice_3", "face_2")
    for _ in range(4):
        story.say("voice_2", "face_3", times=2, later=True)
    assert story.together("voice_1", "face_1")


# ---- conversations


def test_a_pause_of_a_minute_ends_a_conversation_and_a_shorter_one_does_not(story: Story) -> None:
    for gap, conversations in ((59, 1), (61, 2)):
        voice, face = story.entity(f"voice_{gap}"), story.entity(f"face_{gap}")
        story.now_ns += 60 * MINUTE
        for at_ns in (story.now_ns, story.now_ns + gap * SECOND):
            cast(story.db, Turn(voice, (face,)), story.clip, at_ns)
        story.now_ns += 60 * MINUTE
        (found,) = story.db.execute(
            "SELECT count(DISTINCT conversation) FROM votes WHERE voice = ?", (voice,)
        ).fetchone()
        assert found == conversations


def test_sessions_do_not_share_conversations(story: Story) -> None:
    voice, face = story.entity("voice_1"), story.entity("face_1")
    other = add_clip(story.db, 0, session="another")
    cast(story.db, Turn(voice, (face,)), story.clip, SECOND)
    cast(story.db, Turn(voice, (face,)), other, 2 * SECOND)
    assert story.db.execute("SELECT count(DISTINCT conversation) FROM votes").fetchone()[0] == 2


# ---- ids and the journal


def test_a_persons_id_is_for_life(story: Story) -> None:
    """Joining leaves an alias, parting makes a new id; an old id always leads to somebody."""
    face_person, voice_person = story.person("face_1"), story.person("voice_1")
    met_twice(story, "voice_1", "face_1")
    people = People(story.db)
    assert people.now(voice_person) == face_person
    assert people.get(voice_person) == people.get(face_person) == people.of_entity(story.entity("face_1"))
    assert people.get(face_person).aliases == (voice_person,)  # type: ignore[union-attr]
    met_twice(story, "voice_1", "face_2")
    parted = story.person("voice_1")
    assert parted not in (face_person, voice_person)
    assert People(story.db).get(parted).voices == (story.entity("voice_1"),)  # type: ignore[union-attr]


def test_every_change_is_in_the_journal_with_its_reason(story: Story) -> None:
    story.say("voice_1", "face_1", times=2)
    assert changes(story.db) == [], "nothing changed"
    story.say("voice_1", "face_1", times=2, later=True)
    met_twice(story, "voice_1", "face_2")
    unlinked, linked = changes(story.db)
    assert (linked.actor, linked.action, unlinked.action) == ("", "link", "unlink")
    assert linked.detail["entity"] == story.entity("voice_1")
    assert linked.detail["with"] == [story.entity("face_1")]
    assert linked.detail["votes"][0]["plus"] == 4 and linked.detail["votes"][0]["minus"] == 0
    assert {story.token("voice_1"), story.token("face_1")} <= set(linked.subjects)
    assert changes(story.db, story.token("voice_1")) == [unlinked, linked]


# ---- numbers


def test_log_odds_in_numbers() -> None:
    """A face that was seen with no other voice is alone in view a fifth of the time; a speaker is three quarters."""
    faces, voices = frozenset({1, 2}), frozenset({9})
    tallies = (Tally(9, 1, 3.0, 1.0, 3.0, 2.0), Tally(9, 2, 1.0, 3.0, 0.0, 1.0))
    known = Evidence(faces, voices, tallies, {9: 4.0}, {1: (3.0, 4.0), 2: (0.0, 4.0)})
    plus, minus = 1.32176, 1.16315  # log(0.75 / 0.2), log(0.8 / 0.25)
    odds = log_odds(known)
    assert odds[9, 1] == pytest.approx(PRIOR + 3 * plus - minus, abs=1e-4)
    assert odds[9, 2] == pytest.approx(PRIOR + plus - 3 * minus, abs=1e-4)
    assert persons(Evidence(faces, voices)) == [{1}, {2}, {9}]


# ---- whatever is voted

turns = st.lists(
    st.tuples(
        st.integers(1, 3), st.sets(st.integers(1, 4), max_size=3), st.integers(0, 1), st.integers(1, 6), st.booleans()
    ),
    max_size=40,
)


def cast_all(story: Story, said: list[tuple[int, set[int], int, int, bool]], stepwise: bool) -> list[set[str]]:
    names = [f"{kind}_{n}" for kind in ("face", "voice") for n in range(1, 5)]
    for name in names:
        story.entity(name)
    story.resemble("face_1", "face_2")
    story.resemble("voice_1", "voice_2")
    for n, (voice, faces, unknown, conversation, together) in enumerate(said):
        seen = tuple(sorted(story.entity(f"face_{face}") for face in faces))
        turn = Turn(story.entity(f"voice_{voice}"), seen, unknown, together)
        cast(story.db, turn, story.clip, conversation * MINUTE + n, conversation)
        if together and {1, 2} <= faces:
            story.meet("face_1", "face_2")
        if stepwise:
            settle(story.db, [turn.voice, *seen], story.clip, n)
    settle(story.db, [story.entity(name) for name in names], story.clip, 0)
    found: dict[int, set[str]] = {}
    for name in names:
        found.setdefault(story.person(name), set()).add(name)
    return sorted(found.values(), key=sorted)


def counted(db: sqlite3.Connection) -> list[tuple[float, ...]]:
    return [
        tuple(row)
        for table in ("heard", "talks", "tallies")
        for row in db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
    ]


def fresh(tmp_path: Path, name: str) -> Store:
    for old in tmp_path.glob(f"{name}*"):
        old.unlink()
    return Store(tmp_path / name)


@given(said=turns, seed=st.integers(0, 999))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_votes_in_any_order_make_the_same_people(
    tmp_path: Path, said: list[tuple[int, set[int], int, int, bool]], seed: int
) -> None:
    shuffled = random.Random(seed).sample(said, len(said))
    with fresh(tmp_path, "one") as one, one.write() as db:
        first = cast_all(Story(db), said, stepwise=True)
        kept = counted(db)
        recount(db)
        assert [pytest.approx(row) for row in kept] == counted(db), "the running tallies are those of a recount"
    with fresh(tmp_path, "other") as other, other.write() as db:
        assert cast_all(Story(db), shuffled, stepwise=seed % 2 == 0) == first


@given(said=turns)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_voted(tmp_path: Path, said: list[tuple[int, set[int], int, int, bool]]) -> None:
    """Everyone is somebody, no id is lost, and nobody met with another is one with them."""
    with fresh(tmp_path, "memory") as store, store.write() as db:
        story = Story(db)
        ever = {story.person(f"{kind}_{n}") for kind in ("face", "voice") for n in range(1, 5)}
        cast_all(story, said, stepwise=True)
        ever |= {story.person(name) for name in story.ids}
        people = People(db)
        assert all(people.get(person) is not None for person in ever), "an id that once was given leads nowhere"
        members = [entity for person in people.all() for entity in (*person.faces, *person.voices)]
        assert sorted(members) == sorted(story.ids.values())
        for one, other in db.execute("SELECT one, other FROM apart"):
            assert people.of_entity(one) != people.of_entity(other)
