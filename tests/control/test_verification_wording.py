"""Words are met in any form; names, dates and function words carry nothing; pronouns tell who is meant."""

from __future__ import annotations

import pytest

from robot_memory.control.verification import wording
from robot_memory.control.verification.attribution import own_part


@pytest.mark.parametrize(
    "forms",
    [
        "paint paints painted painting paintings painter painters",
        "study studies studied",
        "swim swims swam swum swimming swimmer",
        "dance dances danced dancing dancer",
        "bake bakes baked baking baker",
        "buy bought buying",
        "child children",
        "story stories",
        "live lives lived living",
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({wording.stem(word) for word in forms.split()}) == 1


def test_different_words_keep_different_stems() -> None:
    words = "bus business glass class lake lion king ring thing sing bed red tea team car cart"
    assert len({wording.stem(word) for word in words.split()}) == len(words.split())


def test_content_is_what_a_question_is_about() -> None:
    question = "What kind of paintings did Anna-Lena’s brother sell in May 2023, and isn't he a dentist?"
    assert wording.content(question, ["Anna-Lena"]) == ("paintings", "brother", "sell", "dentist")


def test_sentences_are_split_and_scraps_left_out() -> None:
    assert wording.sentences("Wow!! I love it. Do you? … \n Yes") == ("Wow!!", "I love it.", "Do you?", "Yes")


def test_a_question_is_put_as_the_person_would_put_it() -> None:
    assert wording.neutral("Did Jo like Joanna's cake?", ["Jo", "Joanna"]) == "Did I like my cake?"


def test_who_is_meant_follows_from_the_pronouns() -> None:
    order = ["Do you paint?", "For walking or running?", "Three times a week.", "We paint.", "I paint."]
    parts = [own_part(one) for one in order]
    assert parts == sorted(parts) and parts[0] < 0.5 < parts[2]
