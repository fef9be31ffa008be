"""Whom a question means: relatives, people nobody has met, those described, names that several have."""

from __future__ import annotations

import pytest
from claimed import TUESDAY, Talk

from robot_memory.control.answer import Outcome
from robot_memory.control.understanding.reading import Mention, Reading
from robot_memory.control.whom.described import descriptions
from robot_memory.control.whom.kinship import answers, inverts
from robot_memory.control.whom.roles import role_in
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph

ANNA = Reading("", mentions=(Mention("Anna", (1,)),))


@pytest.fixture
def talk(graph: MemoryGraph, embedder: TextEmbedder) -> Talk:
    return Talk(graph, embedder, "Anna", "Ben", "Clara")


def test_a_relative_is_found_by_name_and_what_was_told_of_them(talk: Talk) -> None:
    tie = talk.tells("Anna", "I", "relation", "brother Ben")
    job = talk.tells("Ben", "I", "job", "baker")
    assert talk.ask("Who is Anna's brother?").text == "Ben is Anna's brother."
    answer = talk.ask("What does Anna's brother do for a living?")
    assert answer.text == "Ben works as a baker."
    assert [one.memory for one in answer.evidence] == [job, tie]


def test_a_relative_is_found_the_other_way_round(talk: Talk) -> None:
    talk.tells("Ben", "I", "relation", "mother Anna")
    assert talk.ask("Who is Anna's son?").text == "Ben is Anna's son."
    assert talk.ask("Who is Anna's aunt?").outcome is Outcome.ABSTAINED


def test_a_relative_without_a_name(talk: Talk) -> None:
    talk.tells("Anna", "Anna's brother", "home", "Leeds")
    assert talk.ask("Where does Anna's brother live?").text == "Anna's brother lives in Leeds, Anna says."
    assert talk.ask("Where does Ben's brother live?").outcome is Outcome.ABSTAINED
    assert talk.ask("Where does Anna live?").outcome is Outcome.ABSTAINED


def test_how_two_know_each_other(talk: Talk) -> None:
    talk.tells("Anna", "I", "relation", "boss Ben")
    assert talk.ask("How are Anna and Ben connected?").text == "Ben is Anna's boss."
    assert talk.ask("How are Anna and Clara connected?").outcome is Outcome.ABSTAINED


def test_somebody_only_talked_about(talk: Talk) -> None:
    talk.tells("Anna", "Zebedee", "job", "pilot")
    assert talk.ask("What does Zebedee do for a living?").text == "Zebedee works as a pilot, Anna says."
    untold = talk.ask("Where does Zebedee live?")
    assert untold.text == "I have not met Zebedee, and nobody told me where Zebedee lives."


def test_who_asks_for_their_own_name(talk: Talk) -> None:
    wish = Wish(Kind.VALUE, "name")
    assert talk.ask("What is my name?", asker="Ben", wish=wish).text == "You are Ben."
    talk.tells("Ben", "I", "name", "Benny")
    assert talk.ask("What is my name?", asker="Ben", wish=wish).text == "You are Ben, also called Benny."
    assert talk.ask("What do people call Ben?", wish=wish).text == "Ben is called Benny."


def test_what_was_told_before_somebody_was_met_is_theirs(talk: Talk) -> None:
    talk.tells("Anna", "Dora", "job", "pilot")
    talk.voices["Dora"] = talk.person("Dora", "voice")[0]
    assert talk.ask("What does Dora do for a living?").text == "Dora works as a pilot, Anna says."
    talk.tells("Dora", "I", "job", "baker", day=TUESDAY)
    assert talk.ask("What does Dora do for a living?").text == "Dora works as a baker."


def test_somebody_described_by_what_was_told(talk: Talk) -> None:
    talk.tells("Anna", "I", "job", "nurse")
    talk.tells("Anna", "I", "home", "Leeds")
    talk.tells("Ben", "I", "home", "York")
    home = Wish(Kind.VALUE, "home")
    assert talk.ask("Where does the person who works as a nurse live?", wish=home).text == "Anna lives in Leeds."
    assert talk.ask("Where does the person who works as a pilot live?", wish=home).outcome is Outcome.ABSTAINED


def test_a_name_that_two_have_is_asked_back(talk: Talk) -> None:
    talk.voices["other"] = talk.person("Anna", "voice")[0]
    talk.tells("Anna", "I", "job", "nurse")
    answer = talk.ask("What does Anna do for a living?")
    assert answer.outcome is Outcome.AMBIGUOUS
    assert answer.text.startswith("Do you mean Anna (person 1) or Anna (person ")
    assert len(answer.candidates) == 2


def test_a_name_in_sound_is_asked_back_only_where_nobody_has_it(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    talk = Talk(graph, embedder, "Jon", "John")
    talk.tells("John", "I", "job", "nurse")
    assert talk.ask("What does John do for a living?").text == "John works as a nurse."


@pytest.mark.parametrize(
    ("text", "kin"),
    [
        ("Where does Anna's big sister live?", ("big sister",)),
        ("Where does Anna’s brother's wife live?", ("brother", "wife")),
        ("What is the new piano teacher of Anna called?", ("new piano teacher",)),
        ("Anna has a neighbour. Of what age?", ("neighbour",)),
        ("What do Anna's friends call her?", None),
        ("Where is Anna's home?", None),
    ],
)
def test_relatives_in_the_words_of_a_question(text: str, kin: tuple[str, ...] | None) -> None:
    role = role_in(Reading(text, mentions=ANNA.mentions))
    assert (role.kin if role else None) == kin


def test_names_with_hyphens_own_relatives_too() -> None:
    reading = Reading("What does Min-jun's neighbour like?", mentions=(Mention("Min jun", (1,)),))
    role = role_in(reading)
    assert role is not None and role.words == "Min-jun's neighbour"


def test_what_is_asked_for_is_nobodys_relation() -> None:
    reading = Reading("When is Anna's nurse appointment?", mentions=ANNA.mentions)
    assert role_in(reading, "nurse appointment") is None
    assert role_in(reading) is not None


@pytest.mark.parametrize(
    ("asked", "told", "fits"),
    [
        ("sister", "big sister", True),
        ("mum", "mother", True),
        ("sibling", "brother", True),
        ("teacher", "piano teacher", True),
        ("big sister", "little sister", False),
        ("sister", "brother", False),
        ("sister", "sister-in-law", False),
    ],
)
def test_words_for_relations(asked: str, told: str, fits: bool) -> None:
    assert bool(answers(asked, told)) is fits


def test_relations_the_other_way_round() -> None:
    assert inverts("daughter", "mother") and inverts("husband", "wife") and inverts("tenant", "landlady")
    assert not inverts("aunt", "mother") and not inverts("big sister", "brother")


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("How old is the person who works as a nurse?", "job"),
        ("What does whoever lives in Leeds like?", "home"),
        ("Where does the owner of the red bicycle live?", "owns"),
        ("What is the job of the woman who doesn't like snow?", "likes"),
        ("Who is the first person you saw?", None),
        ("Who told you that Anna has a cat?", None),
    ],
)
def test_descriptions(text: str, attribute: str | None) -> None:
    found = descriptions(text)
    assert (found[0].attribute if found else None) == attribute
