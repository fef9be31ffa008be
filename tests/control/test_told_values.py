"""What somebody does, likes, has, plans: as told last, by whom it counts most, with what was so before."""

from __future__ import annotations

import pytest
from claimed import THURSDAY, TUESDAY, WEDNESDAY, Talk

from robot_memory.control.answer import Answer, Outcome
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph


@pytest.fixture
def talk(graph: MemoryGraph, embedder: TextEmbedder) -> Talk:
    return Talk(graph, embedder, "Anna", "Ben", "Clara")


def silent(answer: Answer) -> bool:
    return answer.outcome is Outcome.ABSTAINED and not answer.evidence


def test_what_was_told_of_oneself_is_told_with_its_memory(talk: Talk) -> None:
    memory = talk.tells("Anna", "I", "job", "nurse")
    answer = talk.ask("What does Anna do for a living?")
    assert answer.text == "Anna works as a nurse."
    assert [one.memory for one in answer.evidence] == [memory]
    assert 0.5 < answer.confidence <= 1


def test_who_asks_is_spoken_to(talk: Talk) -> None:
    talk.tells("Anna", "I", "home", "Leeds")
    assert talk.ask("Where do I live?", asker="Anna").text == "You live in Leeds."
    assert talk.ask("Where do I live?").text.startswith("I don't know who you are")


def test_of_whom_nothing_was_told_nothing_is_said(talk: Talk) -> None:
    talk.tells("Anna", "I", "job", "nurse")
    answer = talk.ask("What does Ben do for a living?")
    assert silent(answer) and answer.text == "Nobody told me what Ben does for a living."
    assert silent(talk.ask("How old is Anna?"))


def test_what_has_changed_is_told_with_what_was_so_before(talk: Talk) -> None:
    old = talk.tells("Anna", "I", "job", "teacher")
    new = talk.tells("Anna", "I", "job", "nurse", day=WEDNESDAY)
    answer = talk.ask("What does Anna do for a living?")
    assert answer.text == "Anna works as a nurse now and used to work as a teacher."
    assert {one.memory for one in answer.evidence} == {old, new}
    assert talk.ask("What did Anna do before?").text == "Anna used to work as a teacher."


def test_a_slip_of_the_tongue_was_never_so(talk: Talk) -> None:
    talk.tells("Anna", "I", "job", "teacher")
    talk.tells("Anna", "I", "job", "nurse")
    assert talk.ask("What does Anna do for a living?").text == "Anna works as a nurse."
    assert silent(talk.ask("What did Anna do before?"))


def test_the_own_word_counts_more_than_what_others_say_later(talk: Talk) -> None:
    talk.tells("Anna", "I", "job", "nurse")
    talk.tells("Ben", "Anna", "job", "pilot", day=TUESDAY)
    answer = talk.ask("What does Anna do for a living?")
    assert answer.text == "Anna works as a nurse."
    assert silent(talk.ask("What did Anna do before?"))  # Ben's mistake is no past


def test_hearsay_says_whose_it_is(talk: Talk) -> None:
    talk.tells("Ben", "Anna", "home", "York")
    answer = talk.ask("Where does Anna live?")
    assert answer.text == "Anna lives in York, Ben says."
    assert talk.ask("Where does Anna live?", asker="Ben").text == "Anna lives in York, you say."
    talk.tells("Clara", "I", "home", "York")
    assert answer.confidence < talk.ask("Where does Clara live?").confidence


def test_several_values_and_those_that_are_not_so(talk: Talk) -> None:
    talk.tells("Anna", "I", "likes", "olives")
    talk.tells("Anna", "I", "likes", "jazz")
    talk.tells("Anna", "I", "likes", "snow", polarity=-1)
    assert talk.ask("What does Anna like?").text == "Anna likes jazz and olives."
    assert talk.ask("What does Anna dislike?").text == "Anna does not like snow."
    talk.tells("Anna", "I", "likes", "olives", polarity=-1, day=TUESDAY)
    assert talk.ask("What does Anna like?").text == "Anna likes jazz."


def test_what_is_told_again_after_it_was_denied_holds(talk: Talk) -> None:
    talk.tells("Anna", "I", "likes", "olives")
    talk.tells("Anna", "I", "likes", "olives", polarity=-1, day=TUESDAY)
    talk.tells("Anna", "I", "likes", "olives", day=WEDNESDAY)
    assert talk.ask("What does Anna like?").text == "Anna likes olives."


def test_an_opinion_is_of_what_the_question_names(talk: Talk) -> None:
    talk.tells("Anna", "I", "opinion", "the cycle lanes are a waste of money")
    assert "waste of money" in talk.ask("What does Anna think of the cycle lanes?").text
    assert silent(talk.ask("What does Anna think of the new logo?"))


def test_how_it_was_at_an_earlier_time(talk: Talk) -> None:
    talk.tells("Anna", "I", "home", "York")
    talk.tells("Anna", "I", "home", "Leeds", day=THURSDAY)
    assert talk.ask("Where did Anna live on Tuesday?").text == "Anna used to live in York."
    assert talk.ask("Where does Anna live?", as_of_day=WEDNESDAY).text == "Anna lives in York."


def test_where_things_are_whoever_told_it(talk: Talk) -> None:
    talk.tells("Anna", "car keys", "place", "in the drawer")
    talk.tells("Ben", "car keys", "place", "on the shelf", day=TUESDAY)
    assert talk.ask("Where are the car keys?").text == "The car keys are on the shelf."
    assert talk.ask("Where are the keys?").text == "The keys are on the shelf."
    assert silent(talk.ask("Where is the umbrella?"))


def test_a_line_that_says_it_is_quoted_where_no_claim_was_read(talk: Talk) -> None:
    talk.says("Anna", "I put the cat carrier behind the reception desk, in case you look for it.")
    talk.says("Ben", "It will rain tomorrow.")
    answer = talk.ask("Where is the cat carrier?", wish=Wish(Kind.VALUE, "place", "cat carrier"))
    assert answer.text.startswith("Anna said")
    assert answer.text.endswith(": “I put the cat carrier behind the reception desk, in case you look for it.”")
    assert silent(talk.ask("Where is the umbrella?", wish=Wish(Kind.VALUE, "place", "umbrella")))
