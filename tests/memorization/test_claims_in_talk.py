"""Claims that need the words before them: answers to questions, and what "she" and "them" stand for."""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.claims import claims_in
from robot_memory.memorization.speech.told import HEARER, SPEAKER, Line

ANSWERS = (
    ("Do you like olives?", "I hate them.", "likes", "olives", -1),
    ("Do you like olives?", "Yes, I do.", "likes", "olives", 1),
    ("Do you like olives?", "No, not really.", "likes", "olives", -1),
    ("What do you do?", "I'm a nurse.", "job", "nurse", 1),
    ("What do you do for a living?", "A nurse.", "job", "nurse", 1),
    ("Where do you live?", "In Leeds.", "home", "Leeds", 1),
    ("How old are you?", "Forty-two.", "age", "42", 1),
)


@pytest.mark.parametrize(("question", "answer", "attribute", "value", "polarity"), ANSWERS)
def test_an_answer_tells_what_was_asked(question: str, answer: str, attribute: str, value: str, polarity: int) -> None:
    told = claims_in(Line(answer, "voice_2"), [Line(question, "voice_1")])
    assert [(one.subject, one.attribute, one.value, one.polarity) for one in told] == [
        (SPEAKER, attribute, value, polarity)
    ]


def test_she_is_who_was_named_just_before() -> None:
    told = claims_in(Line("My sister Anna came by. She works as a vet."))
    assert ("Anna", "job", "vet") in [(one.subject, one.attribute, one.value) for one in told]


def test_he_is_not_my_sister() -> None:
    told = claims_in(Line("My sister came by. He works as a vet."))
    assert not [one for one in told if one.attribute == "job"]


def test_you_are_the_hearer() -> None:
    (told,) = claims_in(Line("You work as a cook."))
    assert (told.subject, told.value) == (HEARER, "cook")


def test_a_question_to_others_in_the_same_turn_is_not_answered_by_the_speaker_as_you() -> None:
    told = claims_in(Line("Do you like olives? Yes, I love them."))
    assert {one.subject for one in told} == {SPEAKER}


def test_a_claim_keeps_the_words_it_was_made_in() -> None:
    (told,) = claims_in(Line("Well, you know, I live in Leeds."))
    assert "live in Leeds" in told.clause
