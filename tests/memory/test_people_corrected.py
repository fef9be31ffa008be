"""An operator's word: names, merges, splits, and everything can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import Story

from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.people.corrections import (
    CorrectionInvalid,
    CorrectionRefused,
    PersonUnknown,
    merge_persons,
    name_person,
    split_person,
)
from robot_memory.memory.people.explain import link_confidence, maybe_same, summary, undoable, why
from robot_memory.memory.people.journal import ChangeUnknown, Word, changes
from robot_memory.memory.people.people import People, Person, hear_name
from robot_memory.memory.people.undoing import undo
from robot_memory.memory.storage.store import Store

WORD = Word("ops", "I know them", 1_000)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    with Store(tmp_path / "memory.sqlite") as store, store.write() as db:
        yield Story(db)


def person(story: Story, name: str) -> str:
    return f"person_{story.person(name)}"


def known(story: Story, name: str) -> Person:
    return People(story.db).of_entity(story.entity(name))


def met(story: Story, voice: str, *faces: str, times: int = 2) -> None:
    for _ in range(times):
        story.say(voice, *faces, times=2, later=True)


# ---- names


def test_an_operators_name_outweighs_what_was_heard(story: Story) -> None:
    for _ in range(3):
        hear_name(story.db, story.entity("voice_1"), "Hannah", "introduction", story.clip, 0, None)
    name_person(story.db, person(story, "voice_1"), "Anna", WORD)
    assert known(story, "voice_1").name == "Anna" and known(story, "voice_1").state == "given"


def test_an_empty_name_takes_it_away(story: Story) -> None:
    name_person(story.db, person(story, "face_1"), "Anna", WORD)
    name_person(story.db, person(story, "face_1"), " ", WORD)
    assert known(story, "face_1").name == ""


def test_the_name_stays_with_the_face_when_a_wrong_voice_leaves(story: Story) -> None:
    met(story, "voice_1", "face_1")
    name_person(story.db, person(story, "face_1"), "Anna", WORD)
    assert known(story, "voice_1").name == "Anna"
    met(story, "voice_1", "face_2")
    assert known(story, "face_1").name == "Anna" and known(story, "voice_1").name == ""


@pytest.mark.parametrize("name", ["x" * 81, "An\x00na", "An\x1bna", "person_4", "Person 4", "voice-7"])
def test_what_is_no_name(story: Story, name: str) -> None:
    with pytest.raises(CorrectionInvalid, match=r"no name|taken for an id"):
        name_person(story.db, person(story, "face_1"), name, WORD)


# ---- merge and split


def test_a_merge_joins_and_leaves_an_alias(story: Story) -> None:
    keep, other = person(story, "face_2"), person(story, "face_1")
    merge_persons(story.db, keep, other, WORD)
    assert person(story, "face_1") == person(story, "face_2") == keep, "the one to keep is kept, though it is younger"
    assert f"person_{known(story, 'face_1').aliases[0]}" == other


def test_a_merge_keeps_the_name_of_the_one_to_keep(story: Story) -> None:
    name_person(story.db, person(story, "face_1"), "Anna", WORD)
    name_person(story.db, person(story, "face_2"), "Ben", WORD)
    change = merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)
    assert known(story, "face_2").name == "Anna" and known(story, "face_2").others == ("Ben",)
    undo(story.db, change, WORD)
    assert known(story, "face_2").name == "Ben"


def test_votes_do_not_part_what_an_operator_joined(story: Story) -> None:
    merge_persons(story.db, person(story, "face_1"), person(story, "voice_1"), WORD)
    met(story, "voice_1", "face_2", times=6)
    assert story.together("voice_1", "face_1") and not story.together("voice_1", "face_2")


def test_those_seen_together_cannot_be_merged(story: Story) -> None:
    story.meet("face_1", "face_2")
    with pytest.raises(CorrectionRefused, match=r"two people: they were seen in one picture in clip \d"):
        merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)


def test_two_who_each_have_a_voice_are_merged_with_both(story: Story) -> None:
    """Grace with glasses was met as somebody else, with a voice of her own that sounds otherwise."""
    met(story, "voice_2", "face_1")
    met(story, "voice_4", "face_3")
    hear_name(story.db, story.entity("voice_2"), "Grace", "introduction", story.clip, 0)
    merge_persons(story.db, person(story, "face_1"), person(story, "face_3"), WORD)
    assert story.together("face_1", "voice_2", "face_3", "voice_4")
    assert known(story, "face_3").name == "Grace"


def test_a_person_is_merged_with_a_voice_that_was_enrolled_twice(story: Story) -> None:
    met(story, "voice_2", "face_1")
    merge_persons(story.db, person(story, "face_1"), person(story, "voice_5"), WORD)
    assert story.together("face_1", "voice_2", "voice_5")


def test_a_merge_with_oneself_or_nobody(story: Story) -> None:
    with pytest.raises(CorrectionInvalid, match="one person already"):
        merge_persons(story.db, person(story, "face_1"), person(story, "face_1"), WORD)
    for nobody in ("person_99", "person_x", "Anna", "", "face_99", "person_9" * 30):
        with pytest.raises(PersonUnknown, match="nobody is known as"):
            merge_persons(story.db, person(story, "face_1"), nobody, WORD)


def test_a_split_makes_a_new_person_and_the_id_stays_with_the_rest(story: Story) -> None:
    met(story, "voice_1", "face_1")
    old = person(story, "face_1")
    _, new = split_person(story.db, old, [story.token("voice_1")], WORD)
    assert person(story, "voice_1") == new != old == person(story, "face_1")
    met(story, "voice_1", "face_1", times=6)
    assert person(story, "voice_1") == new, "however often they are met together"


def test_the_face_may_leave_too(story: Story) -> None:
    met(story, "voice_1", "face_1")
    old = person(story, "face_1")
    _, new = split_person(story.db, old, [story.token("face_1")], WORD)
    assert person(story, "face_1") == new and person(story, "voice_1") == old


def test_the_rest_stays_together_when_what_held_it_leaves(story: Story) -> None:
    story.resemble("face_1", "face_2")
    met(story, "voice_3", "face_1")
    met(story, "voice_3", "face_2")
    _, new = split_person(story.db, person(story, "face_1"), [story.token("voice_3")], WORD)
    assert story.together("face_1", "face_2") and person(story, "voice_3") == new != person(story, "face_1")


def test_a_split_needs_some_that_leave_and_some_that_stay(story: Story) -> None:
    met(story, "voice_1", "face_1")
    anna = person(story, "face_1")
    with pytest.raises(CorrectionInvalid, match="would be left without"):
        split_person(story.db, anna, [story.token("face_1"), story.token("voice_1")], WORD)
    with pytest.raises(CorrectionInvalid, match="name the faces and voices that leave"):
        split_person(story.db, anna, [], WORD)
    with pytest.raises(CorrectionInvalid, match=r"'voice_99' is not of person_\d, who has face_"):
        split_person(story.db, anna, ["voice_99"], WORD)


# ---- undo


def corrected(story: Story) -> dict[str, Callable[[], int]]:
    return {
        "name": lambda: name_person(story.db, person(story, "face_1"), "Anna", WORD),
        "merge": lambda: merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD),
        "merge a voice": lambda: merge_persons(story.db, person(story, "voice_3"), person(story, "face_2"), WORD),
        "split": lambda: split_person(story.db, person(story, "face_1"), [story.token("voice_1")], WORD)[0],
    }


@pytest.mark.parametrize("which", ["name", "merge", "merge a voice", "split"])
def test_undo_restores_the_logical_hash_and_the_ids_and_redo_makes_it_again(story: Story, which: str) -> None:
    met(story, "voice_1", "face_1")
    for name in ("face_2", "voice_3"):
        story.entity(name)
    before, ids = fingerprint(story.db), {name: story.person(name) for name in story.ids}
    change = corrected(story)[which]()
    after = fingerprint(story.db)
    assert after != before
    back = undo(story.db, change, WORD)
    assert fingerprint(story.db) == before
    assert {name: story.person(name) for name in story.ids} == ids
    again = undo(story.db, back, WORD)
    assert fingerprint(story.db) == after
    undo(story.db, again, WORD)
    assert fingerprint(story.db) == before


def test_what_was_taken_back_cannot_be_taken_back_again(story: Story) -> None:
    change = name_person(story.db, person(story, "face_1"), "Anna", WORD)
    undo(story.db, change, WORD)
    with pytest.raises(CorrectionRefused, match="was taken back by change"):
        undo(story.db, change, WORD)
    with pytest.raises(ChangeUnknown, match="there is no change 99"):
        undo(story.db, 99, WORD)


def test_a_change_that_others_stand_on_is_kept(story: Story) -> None:
    first = merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)
    second = merge_persons(story.db, person(story, "face_1"), person(story, "face_3"), WORD)
    with pytest.raises(CorrectionRefused, match=f"change {second} .merge. stands on change {first}"):
        undo(story.db, first, WORD)
    undo(story.db, second, WORD)
    undo(story.db, first, WORD)
    assert len({person(story, f"face_{n}") for n in (1, 2, 3)}) == 3


def test_redoing_does_not_join_two_who_were_met_together_since(story: Story) -> None:
    change = merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)
    back = undo(story.db, change, WORD)
    story.meet("face_1", "face_2")
    with pytest.raises(CorrectionRefused, match="two people: they were seen in one picture"):
        undo(story.db, back, WORD)


def test_redoing_waits_for_what_was_taken_back_since(story: Story) -> None:
    first = merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)
    second = merge_persons(story.db, person(story, "face_3"), person(story, "face_1"), WORD)
    back = undo(story.db, second, WORD)
    gone = undo(story.db, first, WORD)
    with pytest.raises(CorrectionRefused, match=f"change {gone} .undo. stands on change {back}"):
        undo(story.db, back, WORD)
    undo(story.db, gone, WORD)
    undo(story.db, back, WORD)
    assert story.together("face_1", "face_2", "face_3")


def test_a_change_about_somebody_who_is_lost_cannot_be_taken_back(story: Story) -> None:
    change = merge_persons(story.db, person(story, "face_1"), person(story, "face_2"), WORD)
    story.db.execute("PRAGMA defer_foreign_keys=ON")
    gone = story.entity("face_2")
    for table, column in (("decisions", "one"), ("decisions", "other"), ("entities", "id")):
        story.db.execute(f"DELETE FROM {table} WHERE {column} = ?", (gone,))
    with pytest.raises(CorrectionRefused, match="not there any more"):
        undo(story.db, change, WORD)


def test_what_the_votes_concluded_can_be_taken_back(story: Story) -> None:
    met(story, "voice_1", "face_1")
    (linked,) = changes(story.db, limit=1)
    back = undo(story.db, linked.id, WORD)
    assert not story.together("voice_1", "face_1")
    met(story, "voice_1", "face_1", times=6)
    assert not story.together("voice_1", "face_1"), "it is an operator's word now"
    undo(story.db, back, WORD)
    assert story.together("voice_1", "face_1")


def test_taking_back_a_conclusion_leaves_an_operators_word_alone(story: Story) -> None:
    merge = merge_persons(story.db, person(story, "voice_2"), person(story, "voice_3"), WORD)
    met(story, "voice_2", "face_1", times=3)
    assert story.together("voice_2", "voice_3", "face_1")
    for change in changes(story.db):
        if change.action == "link":
            undo(story.db, change.id, WORD)
            break
    assert story.together("voice_2", "voice_3"), f"change {merge} stands"


def test_what_was_heard_cannot_be_taken_back(story: Story) -> None:
    hear_name(story.db, story.entity("voice_1"), "Anna", "introduction", story.clip, 0)
    (heard,) = changes(story.db)
    assert not undoable(story.db, heard)
    with pytest.raises(CorrectionRefused, match="what was heard was heard"):
        undo(story.db, heard.id, WORD)


steps = st.lists(st.tuples(st.sampled_from("nmsuv"), st.integers(0, 99), st.integers(0, 99)), max_size=12)


@given(steps=steps)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_corrected_the_newest_standing_change_can_be_undone(
    tmp_path: Path, steps: list[tuple[str, int, int]]
) -> None:
    """After any corrections and votes, one more correction and its undo leave everything as it was."""
    for old in tmp_path.glob("memory*"):
        old.unlink()
    with Store(tmp_path / "memory") as store, store.write() as db:
        story = Story(db)
        names = [f"{kind}_{n}" for n in (1, 2, 3) for kind in ("face", "voice")]
        for name in names:
            story.entity(name)
        for what, one, other in [*steps, ("m", 0, 1), ("s", 0, 0), ("n", 2, 0)]:
            before = fingerprint(db)
            ids = [story.person(name) for name in names]
            try:
                change = apply(story, names, what, one, other)
            except (CorrectionInvalid, CorrectionRefused):
                assert fingerprint(db) == before, "what is refused changes nothing"
                continue
            if change and what != "v":
                undo(db, change, WORD)
                assert fingerprint(db) == before
                assert [story.person(name) for name in names] == ids
                apply(story, names, what, one, other)


def apply(story: Story, names: list[str], what: str, one: int, other: int) -> int:
    first, second = names[one % len(names)], names[other % len(names)]
    if what == "n":
        return name_person(story.db, person(story, first), "Anna" if other % 2 else "Ben", WORD)
    if what == "m":
        return merge_persons(story.db, person(story, first), person(story, second), WORD)
    if what == "s":
        return split_person(story.db, person(story, first), [story.token(first)], WORD)[0]
    if what == "u":
        return (
            undo(story.db, changes(story.db, limit=1)[0].id if changes(story.db) else 0, WORD)
            if changes(story.db)
            else 0
        )
    voice, face = f"voice_{one % 3 + 1}", f"face_{other % 3 + 1}"
    met(story, voice, face)
    return 0


# ---- explanations


def test_why_is_this_voice_anna(story: Story) -> None:
    hear_name(story.db, story.entity("voice_1"), "Anna", "introduction", story.clip, 0, None)
    met(story, "voice_1", "face_1")
    story.meet("face_1", "face_2")
    change = name_person(story.db, person(story, "face_1"), "Anne", WORD)
    lines = why(story.db, story.token("voice_1"))
    told = "\n".join(lines)
    assert lines[0].startswith(f"{story.token('voice_1')} is Anne ({person(story, 'face_1')})")
    assert "introduced themselves as Anna in clip 1" in told
    assert "4 votes for, 0 against" in told and "enough for one person" in told
    assert "was seen in one picture with" in told
    assert f"change {change}: ops named" in told and "taken to be of" in told


def test_every_kind_of_change_has_a_summary(story: Story) -> None:
    met(story, "voice_1", "face_1")
    met(story, "voice_1", "face_2")
    hear_name(story.db, story.entity("voice_1"), "Anna", "introduction", story.clip, 0)
    for change in list(corrected(story).values())[:3]:
        undo(story.db, change(), WORD)
    told = {change.action: summary(change, People(story.db)) for change in changes(story.db)}
    assert set(told) == {"link", "unlink", "name", "merge", "undo"}
    assert all(len(words) > 10 and "None" not in words for words in told.values())


def test_a_proposal_to_merge_ends_when_it_is_decided(story: Story) -> None:
    story.resemble("face_1", "face_2")
    people = People(story.db)
    assert [one.token for one in maybe_same(story.db, people, known(story, "face_1"))] == [person(story, "face_2")]
    story.meet("face_1", "face_2")
    assert maybe_same(story.db, people, known(story, "face_1")) == []


def test_how_sure_a_link_is(story: Story) -> None:
    story.entity("face_1")
    assert link_confidence(story.db, known(story, "face_1")) == 0
    met(story, "voice_1", "face_1")
    little = link_confidence(story.db, known(story, "face_1"))
    met(story, "voice_1", "face_1", times=4)
    assert 0.5 < little < link_confidence(story.db, known(story, "face_1")) < 1
    merge_persons(story.db, person(story, "face_1"), person(story, "voice_2"), WORD)
    assert link_confidence(story.db, known(story, "face_1")) > 0.5
