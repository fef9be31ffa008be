"""Questions about what was said: the speaker's own words, or that they were not heard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from seen_story import DAY_S, House, ask, house_at, told_day

from robot_memory.control.answer import Outcome
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[House]:
    with house_at(tmp_path_factory.mktemp("house") / "memory.sqlite", embedder) as house:
        yield house


ANSWERS = {
    "What did Ben say about the boat trip?": "Ben said “The boat trip was wonderful.” (yesterday morning at 11:30).",
    "What did Anna say today?": "Anna said “We are out of coffee.” (this morning at 9:30).",
    "Who talked about the cycle lanes?": "Anna did, yesterday morning at 11:30.",
    "When did Anna mention the cycle lanes?": "Anna spoke of it yesterday morning at 11:30.",
    "Where did Ben talk about the boat?": "Ben spoke of it in the kitchen, yesterday morning at 11:30.",
    "Who did Anna talk to yesterday?": "Anna talked with Ben yesterday.",
    "Did Anna talk to Ben yesterday?": "Yes, Anna talked with Ben yesterday.",
}


def test_what_was_said_is_told_with_the_moment(house: House) -> None:
    told = {question: ask(house, question) for question in ANSWERS}
    assert {question: answer.text for question, answer in told.items()} == ANSWERS
    for question, answer in told.items():
        assert answer.outcome is Outcome.ANSWERED and all(one.quote for one in answer.evidence), question


@pytest.mark.parametrize(
    "question",
    [
        "What did Anna say about the boat trip?",  # Ben said that
        "When did Ben mention the cycle lanes?",
        "What did Ben say today?",  # he was silent
        "Who talked about the submarine?",
        "Who talked about the boat trip today?",
        "Who talked about the boat trip in the study?",
        "Where did Anna talk about the submarine?",
        "Who did Anna talk to today?",
    ],
)
def test_what_was_not_heard_so_is_not_told(house: House, question: str) -> None:
    answer = ask(house, question)
    assert answer.outcome is Outcome.ABSTAINED, answer.text
    assert not answer.evidence


def test_every_form_of_a_word_is_found(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    told_day(house)
    house.skip_to(DAY_S + 36_000)
    house.clip({}, [("ben", DAY_S + 36_001, DAY_S + 36_006, "I painted the old boat shed at the harbour today.")])
    night = DAY_S + 37_000
    assert ask(house, "Who talked about painting?", now_s=night).text == "Ben did, this evening at 19:30."
    assert "boat trip" not in ask(house, "What did Ben say about boat sheds?", now_s=night).text


def test_a_long_line_is_cut_and_the_whole_of_it_cited(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    told_day(house)
    words = " ".join(["Piano lessons are long"] + ["and long"] * 20)
    house.skip_to(DAY_S + 36_000)
    house.clip({}, [("ben", DAY_S + 36_001, DAY_S + 36_020, words)])
    answer = ask(house, "What did Ben say about piano lessons?", now_s=DAY_S + 37_000)
    assert answer.text.count("long") < 15 and "…”" in answer.text
    assert answer.evidence[0].quote == words
