"""The part of a sentence that answers: behind what is done, of the kind that is asked for, and no second clause."""

from __future__ import annotations

import pytest

from robot_memory.control.answering.open_asked import Wanted
from robot_memory.control.answering.open_spans import phrases
from robot_memory.control.verification import wording


def wanted(kind: str, words: str, verb: str = "", noun: str = "", origin: bool = False) -> Wanted:
    content = tuple(words.split())
    stems = frozenset(map(wording.stem, content))
    return Wanted(kind, content, stems, wording.stem(verb) if verb else "", noun, origin=origin)


@pytest.mark.parametrize(
    ("sentence", "asks", "phrase"),
    [
        (
            "Researching adoption agencies — it's been a dream.",
            wanted("what", "research", "research"),
            "adoption agencies",
        ),
        ("Under the bed, that's where the label printer is.", wanted("where", "label printer"), "Under the bed"),
        ("My hands were full, so the gloves ended up in the wardrobe.", wanted("where", "gloves"), "in the wardrobe"),
        ("Next to the radiator, that's where the brushes are.", wanted("where", "brushes"), "Next to the radiator"),
        ("It stands for love, faith and strength.", wanted("what", "stand", "stand"), "love, faith and strength"),
    ],
)
def test_the_phrase_is_cut_out_whole(sentence: str, asks: Wanted, phrase: str) -> None:
    best = phrases(sentence, asks)[0]
    assert best.text == phrase and best.fits


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("I've moved to Accra.", wanted("where", "moved", "moved", origin=True)),  # asked: from where
        ("As the boss, she ought to know.", wanted("where", "boss")),
        ("I like the view.", wanted("who", "view")),
    ],
)
def test_a_phrase_of_another_kind_does_not_fit(sentence: str, asks: Wanted) -> None:
    assert not any(phrase.fits for phrase in phrases(sentence, asks))


def test_nothing_but_small_words_has_no_phrase() -> None:
    assert phrases("Oh, it is!", wanted("what", "cake")) == []
    assert phrases("", wanted("what", "cake")) == []
