"""A line that by its meaning states what is asked is quoted, where no claim was read out of it; nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.answering import likely
from robot_memory.control.policy import ReflexPolicy
from robot_memory.language.embedder import TextEmbedder
from robot_memory.streams.working import WorkingMemory
from told import Story, at


@pytest.fixture
def home(story: Story) -> Story:
    story.clip({"anna": (2, 28)}, [("anna", 3, 6, "My name is Anna."), ("anna", 8, 12, "As I said, I'm Anna.")])
    story.clip(
        {"anna": (31, 58)},
        [
            ("anna", 32, 38, "All week long it is me who mends the boilers for the council, that pays the rent."),
            ("anna", 40, 44, "What a long day it has been."),
            ("anna", 46, 50, "Would you hand me the salt, please?"),
        ],
    )
    return story


def ask(story: Story, text: str) -> Answer:
    agent = Agent(story.graph, story.embedder, ReflexPolicy(), WorkingMemory())
    return agent.answer(Question("q", text, at(200)), 5, 30.0)


def test_what_is_not_stated_is_not_quoted(home: Story) -> None:
    for question in ("How old is Anna?", "What did Anna promise?", "When is Anna's dentist appointment?"):
        answer = ask(home, question)
        assert answer.outcome is Outcome.ABSTAINED, answer.text


def test_an_answer_made_of_a_line_quotes_it(home: Story) -> None:
    answer = ask(home, "What does Anna do for a living?")
    assert answer.outcome is Outcome.ABSTAINED or ("boilers" in answer.text and answer.evidence[0].quote)


def test_it_tells_most_lines_apart_that_it_has_not_seen(embedder: TextEmbedder) -> None:
    known = likely.likeness(embedder)
    assert known.right > 0.75  # each line judged by all the others
    lines = ["I earn my money as a tax clerk.", "Pass me the salt, please."]
    job, nothing = known.of(np.asarray(embedder.embed(lines)))
    assert job.attribute == "job" and nothing.attribute == likely.NOTHING
    assert 0 <= job.p <= 1


def test_a_broken_cache_is_made_again(embedder: TextEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    file = likely.cache_file(embedder)
    likely.likeness(embedder)
    before = file.read_bytes()
    try:
        file.write_bytes(b"not vectors")
        monkeypatch.setattr(likely, "_MADE", {})
        assert likely.likeness(embedder).right > 0.75
        assert len(file.read_bytes()) == len(before)
    finally:
        file.write_bytes(before)
