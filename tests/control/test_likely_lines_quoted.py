"""A line that states what is asked, in words that no grammar reads, is quoted; one that is somebody else's is not."""

from __future__ import annotations

import pytest
from claimed import WEDNESDAY, Talk

from robot_memory.control.answer import Outcome
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph

WARD = "Twelve years I've been working as a nurse and patching up people on ward six."


@pytest.fixture
def talk(graph: MemoryGraph, embedder: TextEmbedder) -> Talk:
    return Talk(graph, embedder, "Anna", "Ben")


def test_a_line_that_states_it_is_quoted_with_who_said_it_and_when(talk: Talk) -> None:
    talk.says("Anna", "The wrench sleeps in the third drawer.")
    answer = talk.ask("Where is the wrench?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.text.startswith("Anna said on Monday at ")
    assert "“The wrench sleeps in the third drawer.”" in answer.text
    assert answer.evidence[0].quote and dict(answer.grounds)["supported"] >= 0.8


@pytest.mark.parametrize(
    "line",
    [
        "Where is the wrench?",
        "If I were you, I would put the wrench in the third drawer.",
        "My brother lays bricks for the council, that is his job.",
        "What a long day it has been.",
    ],
)
def test_what_is_asked_supposed_or_of_somebody_else_is_not(talk: Talk, line: str) -> None:
    talk.says("Anna", line)
    for question in ("Where is the wrench?", "What does Anna do for a living?"):
        assert talk.ask(question).outcome is Outcome.ABSTAINED


def test_a_newer_line_stands_before_an_older_claim(talk: Talk) -> None:
    old = talk.tells("Anna", "wrench", "place", "on the shelf")
    talk.says("Anna", "The wrench sleeps in the third drawer now.", day=WEDNESDAY)
    answer = talk.ask("Where is the wrench?")
    assert "third drawer" in answer.text and answer.evidence[-1].memory == old


def test_an_older_line_does_not(talk: Talk) -> None:
    talk.says("Anna", "The wrench sleeps in the third drawer.")
    talk.tells("Anna", "wrench", "place", "on the shelf", day=WEDNESDAY)
    assert "shelf" in talk.ask("Where is the wrench?").text
