"""Questions of no known kind: answered from one line that holds all that is asked, else not; guessed if wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from seen_story import DAY_S

from robot_memory.config import PerceptionSettings
from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.answering import open as opened
from robot_memory.control.service import models_of
from robot_memory.control.steps import State, Step
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from robot_memory.memory.storage.store import Store
from robot_memory.models.manifest import load_profile
from robot_memory.streams.working import WorkingMemory
from told import Story, at

WEEK_S, ASKED_S = 7 * DAY_S, 30 * DAY_S
INTRODUCED = [("anna", 1, 4, "Hello, my name is Anna."), ("ben", 6, 9, "Hi Anna. My name is Ben.")]
AGAIN = [("anna", 31, 34, "Yes, I'm Anna, and that's A-N-N-A."), ("ben", 36, 39, "And I'm Ben, that's B-E-N.")]
WEEK = [
    ("anna", 1, 6, "Yesterday I took a pottery class at the old mill, and it was lovely."),
    ("ben", 8, 12, "Great! I climbed the north tower last month with two friends."),
    ("anna", 14, 18, "I left the binoculars in the blue cupboard under the stairs."),
    ("ben", 20, 25, "My brother showed me a juggling trick with four lemons."),
]


class OnlyOpen:
    """A policy that knows no other page."""

    def next(self, state: State) -> Step | Answer:
        return opened.next(state)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[Story]:
    with Store(tmp_path_factory.mktemp("open") / "memory.sqlite") as store:
        told = Story(MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile))), embedder)
        told.clip({}, INTRODUCED)
        told.clip({}, AGAIN)
        told.skip_to(WEEK_S)
        told.clip({}, [(who, WEEK_S + a, WEEK_S + b, words) for who, a, b, words in WEEK])
        yield told


def ask(story: Story, text: str, force: bool = False) -> Answer:
    agent = Agent(story.graph, story.embedder, OnlyOpen(), WorkingMemory(), force)
    return agent.answer(Question("q", text, at(ASKED_S)), max_rounds=5, budget_s=10.0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did Anna take a pottery class?", "8 March 2026."),
        ("When did Ben climb the north tower?", "February 2026."),
        ("Where did Anna leave the binoculars?", "In the blue cupboard under the stairs."),
    ],
)
def test_one_line_that_holds_all_of_it_answers(story: Story, question: str, answer: str) -> None:
    given = ask(story, question)
    assert (given.outcome, given.text) == (Outcome.ANSWERED, answer)
    assert given.evidence[0].quote and given.rounds == 2
    assert 0.5 < given.confidence <= 1


@pytest.mark.parametrize(
    "question",
    [
        "When did Ben take a pottery class?",  # Anna did
        "When did Anna climb the north tower?",  # Ben did
        "When did Anna take a diving class?",
        "Where did Ben leave the violin?",
        "Where did Clara leave the binoculars?",  # nobody is called that
        "Where did Anna find the binoculars before that?",
    ],
)
def test_another_person_or_matter_is_not_answered_unless_a_guess_is_wanted(story: Story, question: str) -> None:
    held_back = ask(story, question)
    assert held_back.outcome is Outcome.ABSTAINED and not held_back.evidence, held_back.text
    assert ask(story, question, force=True).outcome is Outcome.ANSWERED


def test_of_what_and_why_the_nearest_is_told_and_a_phrase_only_as_a_guess(story: Story) -> None:
    question = "What did Ben's brother show him?"
    held_back = ask(story, question)
    assert held_back.outcome is Outcome.ABSTAINED
    guessed = ask(story, question, force=True)
    assert guessed.outcome is Outcome.ANSWERED and "juggling trick" in guessed.text
    assert len(guessed.text.split()) <= 8 and guessed.evidence[0].quote == WEEK[3][3]


def test_whoever_tells_it_of_himself_did_it(story: Story) -> None:
    assert ask(story, "Who took a pottery class?", force=True).text == "Anna."


def test_an_empty_memory_answers_nothing_even_if_a_guess_is_wanted(tmp_path: Path, embedder: TextEmbedder) -> None:
    with Store(tmp_path / "memory.sqlite") as store:
        empty = Story(MemoryGraph(store, models_of(load_profile(PerceptionSettings().profile))), embedder)
        assert ask(empty, "When did the postman come?", force=True).outcome is Outcome.ABSTAINED
