"""Questions that need eyes, about a remembered day in two rooms: answered from what was in view, or declined."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from seen_story import DAY_S, House, ask, house_at, told_day

from robot_memory.control.answer import Outcome
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph
from told import at


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[House]:
    with house_at(tmp_path_factory.mktemp("house") / "memory.sqlite", embedder) as house:
        yield house


ANSWERS = {
    "Who was here yesterday?": "Anna (9:30 and 11:30) and Ben (10:30 and 11:30) were here yesterday.",
    "Who was here today?": "Anna, Ben and somebody I don't know by name were here today.",
    "Who was in the study yesterday?": "Ben (10:30) was in the study yesterday.",
    "Who was the first to come in yesterday?": "Anna was the first, yesterday morning at 9:30.",
    "Who was here last today?": "Ben was the last, this afternoon at 17:30.",
    "Who was with Anna yesterday?": "Ben was with Anna yesterday.",
    "Where did you last see Ben?": "I last saw Ben in the study, this afternoon at 17:30.",
    "Where was Ben yesterday?": "Ben was in the study and in the kitchen, yesterday at 10:30 and 11:30.",
    "When did you last see Anna?": "I last saw Anna this morning at 9:30.",
    "When did you first see Ben?": "I first saw Ben yesterday morning at 10:30.",
    "When was Ben in the study?": "I saw Ben in the study yesterday at 10:30, and today at 17:30.",
    "Was Ben here today?": "Yes, Ben was here this afternoon at 17:30.",
    "How often did you see Anna?": "I saw Anna 3 times, yesterday at 9:30 and 11:30, and today at 9:30.",
    "How many minutes was Anna here today?": "Anna was here for about 1 minute, this morning at 9:30.",
    "How many people were here yesterday?": "I saw 2 people yesterday: Anna and Ben.",
}


def test_what_was_seen_is_told_in_one_sentence(house: House) -> None:
    told = {question: ask(house, question) for question in ANSWERS}
    assert {question: answer.text for question, answer in told.items()} == ANSWERS
    for question, answer in told.items():
        assert answer.outcome is Outcome.ANSWERED and answer.evidence, question
        assert all(one.source == "seen" for one in answer.evidence), question
        assert 0.5 < answer.confidence <= 1, question


def test_who_said_no_word_is_told_by_name_or_as_somebody(house: House) -> None:
    text = ask(house, "Who came in without a word today?").text
    assert text == "Ben and somebody I don't know by name were here today and said nothing that I heard."
    assert ask(house, "Who came in without a word yesterday?").outcome is Outcome.ABSTAINED


def test_time_may_hang_on_a_talk_or_on_a_coming_and_going(house: House) -> None:
    assert ask(house, "Who was in view when Ben spoke of the boat trip?").text == "Anna was in view then."
    before = ask(house, "Who was here before Ben came today?")
    assert before.text == "Anna and somebody I don't know by name were in view then."
    nothing = ask(house, "Who was in view when Ben spoke of the cycle lanes?")
    assert nothing.outcome is Outcome.ABSTAINED  # it was Anna who did


def test_no_is_said_only_of_a_time_that_was_recorded(house: House) -> None:
    no = ask(house, "Was Ben here this morning?")
    assert no.text == "No, I did not see Ben this morning, only Anna and somebody I don't know by name."
    assert no.outcome is Outcome.ANSWERED and no.evidence
    unknown = ask(house, "Was Anna here last week?")
    assert unknown.outcome is Outcome.ABSTAINED and unknown.text == "I have no memory of anything last week."


def test_a_name_nobody_has_is_denied_only_where_everyone_was_known(house: House) -> None:
    assert ask(house, "Was Clara here yesterday?").text.startswith("No, I did not see anybody called Clara yesterday")
    assert ask(house, "Was Clara here today?").outcome is Outcome.ABSTAINED  # the stranger may be she


def test_whoever_asks_is_spoken_to(house: House) -> None:
    assert ask(house, "When did you last see me?", asker="person_1").text == "I last saw you this morning at 9:30."
    assert ask(house, "When did you last see me?").outcome is Outcome.ABSTAINED


def test_a_place_that_is_not_known_is_not_left_out_of_account(house: House) -> None:
    for question in (
        "Who was in the garage yesterday?",
        "When was Anna in the canteen?",
        "Was Ben in the cellar today?",
    ):
        answer = ask(house, question)
        assert answer.outcome is Outcome.ABSTAINED and "which place" in answer.text, question


def test_somebody_is_meant_by_when_they_were_seen(house: House) -> None:
    answer = ask(house, "When did you last see the person you saw first yesterday?")
    assert answer.text == "I last saw Anna this morning at 9:30."


def test_two_who_came_together_are_both_the_first(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    told_day(house)
    house.skip_to(DAY_S + 36_000)
    house.clip({"anna": (DAY_S + 36_001, DAY_S + 36_020), "ben": (DAY_S + 36_002, DAY_S + 36_020)})
    answer = ask(house, "Who was here last today?", now_s=DAY_S + 37_000)
    assert answer.text == "Anna and Ben were the last, this evening at 19:30."


def test_a_short_absence_does_not_end_a_visit(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    house.clip({"anna": (1, 20)})
    house.clip({"anna": (55, 59)})
    house.skip_to(300)
    house.clip({"anna": (301, 320)})
    answer = ask(house, "How often did you see person_1?", now_s=400)
    assert answer.text.startswith("I saw person 1 twice, today at 9:30 and 9:35")


def test_a_voice_without_a_face_is_heard_not_seen(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    house.clip({}, [("ben", 1, 5, "Hello, my name is Ben."), ("ben", 8, 12, "As I said, I'm Ben.")])
    where = ask(house, "When did you last see Ben?", now_s=60)
    assert where.outcome is Outcome.ABSTAINED
    assert where.text == "I don't know what Ben looks like, but heard them this morning at 9:30."
    here = ask(house, "Was Ben here today?", now_s=60)
    assert here.text == "Yes, I heard Ben this morning at 9:30, but did not see them."


def test_many_visits_are_summed_up_and_few_memories_cited(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    house = House(graph, embedder)
    for n in range(60):
        house.skip_to(n * 300)
        house.clip({"anna": (n * 300 + 1, n * 300 + 20)})
    answer = ask(house, "When did you see person_1?", now_s=60 * 300)
    assert answer.text == "I saw person 1 60 times, the last time this afternoon at 14:25."
    assert len(answer.evidence) == 50 and answer.message.startswith("60 memories say so")


def test_what_is_only_told_later_was_not_seen_by_then(house: House) -> None:
    assert ask(house, "Who was here?", as_of_ns=at(60)).text == "Anna (yesterday morning at 9:30) was here."
