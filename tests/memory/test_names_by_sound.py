"""Names are hypotheses merged by sound, and a spoken name finds whoever goes by it."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from name_lists import COMMON, DIFFERENT, GROUPS

from robot_memory.memory.people.names import Called, Hearing, Nearness, choose, matches, nearness
from robot_memory.memory.people.sounds import same_sound

ALIKE = [pair for line in GROUPS.split("\n") for pair in itertools.combinations(line.split(), 2)]


def heard(*names: str, source: str = "introduction") -> list[Hearing]:
    """Each name in a turn of its own."""
    return [Hearing(name, source, at, at) for at, name in enumerate(names)]


def spelt(name: str, at: int = 50) -> Hearing:
    return Hearing(name, "spelling", at, at)


def operator(name: str, at: int = 100) -> Hearing:
    return Hearing(name, "operator", at)


# --- sounds


@pytest.mark.parametrize(
    "group",
    [
        "Siobhan Shivawn Chevonne",
        "Kaleb Caleb",
        "Ann Anne",
        "Joaquín Wakeen Joaquin",
        "Stephen Steven",
        "Xiu Shu",
        "Jon John",
        "Sara Sarah",
        "Katherine Kathryn Catherine",
    ],
)
def test_spellings_of_one_sound(group: str) -> None:
    assert all(same_sound(one, other) for one, other in itertools.combinations(group.split(), 2))


@pytest.mark.parametrize("pair", DIFFERENT.split())
def test_different_names_stay_apart(pair: str) -> None:
    one, other = pair.split("/")
    assert not same_sound(one, other)


def test_most_spellings_a_transcriber_would_write_are_known_as_one() -> None:
    share = sum(same_sound(one, other) for one, other in ALIKE) / len(ALIKE)
    assert share > 0.8


def test_common_names_are_not_merged_by_chance() -> None:
    alike = {frozenset(pair) for pair in ALIKE}
    names = sorted(set(COMMON.split()))
    pairs = [pair for pair in itertools.combinations(names, 2) if frozenset(pair) not in alike]
    merged = [pair for pair in pairs if same_sound(*pair)]
    # these do sound alike to an English ear
    homophones = {("Anh", "Ann"), ("Hana", "Hannah"), ("Louis", "Luis"), ("Min", "Minh"), ("Thomas", "Tomasz")}
    assert set(merged) - homophones <= {("Alan", "Alun")}, f"of {len(pairs)} pairs"


def test_diminutives_are_other_names() -> None:
    assert not same_sound("Liz", "Elizabeth")
    assert not same_sound("Bob", "Robert")


def test_accents_capitals_and_signs_make_no_difference() -> None:
    assert same_sound("RENÉE", "renee")
    assert same_sound("Søren", "Soren")
    assert same_sound("Anne-Marie O'Brien", "anne marie obrien")


@pytest.mark.parametrize("name", ["李小明", "Анна", "محمد", "प्रिया", "김민수", "ゆき", "Ωμέγα", "ǅ", "ß"])
def test_other_scripts_are_compared_as_written(name: str) -> None:
    assert same_sound(name, name)
    assert not same_sound(name, "Anna")


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_taken_and_order_makes_no_difference(one: str, other: str) -> None:
    assert same_sound(one, other) == same_sound(other, one)


# --- what somebody is called


def test_nothing_heard() -> None:
    assert choose([]) == Called("", "none")


def test_once_is_heard_twice_is_confirmed() -> None:
    assert choose(heard("Anna")) == Called("Anna", "heard")
    assert choose(heard("Anna", "Anna")) == Called("Anna", "confirmed")


def test_spellings_of_one_sound_confirm_each_other() -> None:
    assert choose(heard("Shivawn", "Siobhan", "Siobhan")) == Called("Siobhan", "confirmed", ("Shivawn",))


def test_different_names_do_not_confirm_each_other() -> None:
    assert choose(heard("Anna", "Hannah")).state == "heard"


def test_twice_in_one_turn_is_one_hearing() -> None:
    twice = [Hearing("Anna", "introduction", 1, 7), Hearing("Ana", "introduction", 2, 7)]
    assert choose(twice).state == "heard"


def test_a_spelling_confirms_at_once_and_outranks_what_is_heard() -> None:
    called = choose([*heard("Kaleb", "Kaleb", "Kaleb"), spelt("Caleb")])
    assert called == Called("Caleb", "confirmed", ("Kaleb",))
    assert choose([*heard("Anna", "Anna"), spelt("Hannah")]) == Called("Hannah", "confirmed", ("Anna",))


def test_of_two_spellings_the_later_is_the_correction() -> None:
    assert choose([spelt("Hannah", 2), spelt("Anna", 1)]).name == "Hannah"


def test_an_operators_last_word_decides() -> None:
    """The last that was said, whatever the clock said then."""
    called = choose([operator("Anna", 200), *heard("Hannah", "Hannah"), spelt("Hanna"), operator("Ana", 100)])
    assert called.name == "Ana" and called.state == "given"
    assert "Hannah" in called.others


def test_an_operators_empty_name_takes_away_what_was_heard_before() -> None:
    before = [*heard("Anna", "Anna"), operator("Anna", 80), operator("", 100)]
    assert choose(before) == Called("", "none")
    later = Hearing("Clara", "introduction", 120, 120)
    assert choose([*before, later]) == Called("Clara", "heard")
    assert choose([*before, operator("Anna", 130)]).state == "given"


def test_a_fuller_name_is_shown_once_it_is_heard_twice() -> None:
    assert choose(heard("Anna", "Anna Schmidt")) == Called("Anna", "confirmed", ("Anna Schmidt",))
    assert choose(heard("Anna", "Anna", "Anna", "Anna Schmidt", "Anna Schmidt")).name == "Anna Schmidt"
    assert choose(heard("Anna Schmidt")) == Called("Anna Schmidt", "heard")


def test_two_surnames_heard_once_each_still_confirm_the_first_name() -> None:
    called = choose(heard("Anna Schmidt", "Anna Smith"))
    assert (called.name, called.state) == ("Anna", "confirmed")


def test_a_title_is_no_first_name() -> None:
    assert choose(heard("Doctor Ito", "Doctor Brown")).state == "heard"


def test_of_two_single_hearings_the_persons_own_word_is_shown() -> None:
    hearings = [Hearing("Clara", "introduced", 1, 1), Hearing("Nora", "introduction", 2, 2)]
    assert choose(hearings).name == "Nora"


NAMES = st.sampled_from(["Anna", "Ana", "anna", "Hannah", "Anna Schmidt", "Siobhan", "Chevonne", "Shivawn", "", "李"])
SOURCES = st.sampled_from(["introduction", "introduced", "spelling"])
HEARINGS = st.lists(st.builds(Hearing, NAMES, SOURCES, st.integers(0, 9), st.none() | st.integers(0, 9)), max_size=8)


@given(HEARINGS, st.randoms(use_true_random=False))
def test_the_order_of_telling_makes_no_difference(hearings: list[Hearing], throw: random.Random) -> None:
    shuffled = list(hearings)
    throw.shuffle(shuffled)
    assert choose(hearings) == choose(shuffled)


@given(HEARINGS)
def test_one_more_hearing_of_the_chosen_name_never_makes_it_less_sure(hearings: list[Hearing]) -> None:
    called = choose(hearings)
    if called.name:
        again = choose([*hearings, Hearing(called.name, "introduction", 50, 50)])
        assert again.sure >= called.sure and same_sound(again.name.split()[0], called.name.split()[0])


# --- who is meant by a name

KNOWN = ["Anna Schmidt", "Ana", "Siobhan", "Ben", "Anna Keller", "Hannah", "Doctor Ito", ""]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("ana", ["Ana"]),
        ("Anna", ["Ana"]),
        ("ánna schmidt", ["Anna Schmidt"]),
        ("Anna Schmid", ["Ana"]),
        ("Chevonne", ["Siobhan"]),
        ("Ben Miller", ["Ben"]),
        ("Doctor Brown", []),
        ("Hannah Keller", ["Hannah"]),
        ("Tom", []),
        ("", []),
        ("?", []),
    ],
)
def test_the_very_name_is_meant_before_its_sound_and_that_before_a_first_name(asked: str, meant: list[str]) -> None:
    assert matches(asked, KNOWN) == meant


def test_a_first_name_may_mean_several_people() -> None:
    assert matches("Anna", ["Anna Schmidt", "Anna Keller", "Ben"]) == ["Anna Keller", "Anna Schmidt"]
    assert matches("Catherine", ["Kathryn Ito", "Catherine Berg"]) == ["Catherine Berg"]


def test_another_surname_is_somebody_else() -> None:
    assert nearness("Anna Schmidt", "Anna Berger") is None
    assert nearness("Anna Schmidt", "Ana Schmidt") == Nearness.SOUND
    assert nearness("Anna Schmidt", "Ana") == Nearness.FIRST_SOUND
