"""Questions about the last moments: from what is not committed yet, marked so, and from the newest clips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from seen_story import DAY_S, EVENING_S, House, ask, house_at

from robot_memory.control.agent import Agent
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.answering import working as working_page
from robot_memory.control.steps import State, Step
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder
from robot_memory.streams.working import WorkingMemory
from told import at

NOW_S = DAY_S + EVENING_S + 40  # ten seconds after the last clip, in which Ben was in view


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, embedder: TextEmbedder) -> Iterator[House]:
    with house_at(tmp_path_factory.mktemp("house") / "memory.sqlite", embedder) as house:
        yield house


@pytest.fixture
def working() -> WorkingMemory:
    return WorkingMemory()


def test_the_last_words_are_told_but_for_the_question_itself(house: House, working: WorkingMemory) -> None:
    working.hear("story", at(NOW_S - 8), at(NOW_S - 5), "The parcel is under the stairs.")
    working.hear("story", at(NOW_S - 2), at(NOW_S), "What did I just say?")
    answer = ask(house, "What did I just say?", NOW_S, working=working)
    assert answer.outcome is Outcome.ANSWERED and "“The parcel is under the stairs.”" in answer.text
    assert [one.provisional for one in answer.evidence] == [True]


def test_what_nobody_said_just_now_is_not_made_up(house: House, working: WorkingMemory) -> None:
    answer = ask(house, "What did I just say?", NOW_S, working=working)
    assert answer.outcome is Outcome.ABSTAINED and answer.text == "I heard nothing just now."


def test_a_new_face_is_somebody_not_recognised_yet(house: House, working: WorkingMemory) -> None:
    working.see("story", at(NOW_S), at(NOW_S - 3), track=7)
    answer = ask(house, "Who just came in?", NOW_S, working=working)
    assert answer.text.startswith("Somebody whom I have not recognised yet did")
    assert answer.evidence[-1].provisional
    certain = ask(house, "When did you last see Ben?", NOW_S)
    assert answer.confidence < certain.confidence


def test_who_stays_in_view_is_still_known_by_name(house: House, working: WorkingMemory) -> None:
    working.see("story", at(NOW_S), at(DAY_S + EVENING_S + 29.5), track=7)
    answer = ask(house, "Who is here now?", NOW_S, working=working)
    assert answer.text == "Ben is here now."
    assert answer.evidence[-1].provisional


def test_nobody_is_here_when_nobody_is_seen(house: House, working: WorkingMemory) -> None:
    assert ask(house, "Who is here now?", NOW_S + 600, working=working).outcome is Outcome.ABSTAINED


def test_the_newest_clip_tells_who_came_by_name(house: House, working: WorkingMemory) -> None:
    answer = ask(house, "Who just came in?", NOW_S, working=working)
    assert answer.text == "Ben did, this afternoon at 17:30."


class OfLastMoments:
    """Takes every question for one about what was just seen."""

    def next(self, state: State) -> Step | Answer:
        return working_page.next(replace(state, wish=Wish(Kind.WORKING, "seen")))


def test_who_left_is_told_where_nobody_is_in_view_who_may_be_the_same(house: House, working: WorkingMemory) -> None:
    agent = Agent(house.graph, house.embedder, OfLastMoments(), working)
    question = Question("q", "Who just left?", at(NOW_S))
    assert agent.answer(question, 5, 10.0).text == "Ben did, this afternoon at 17:30."
    working.see("story", at(NOW_S), at(NOW_S - 3), track=7)
    assert agent.answer(question, 5, 10.0).outcome is Outcome.ABSTAINED
