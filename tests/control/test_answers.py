"""Questions about a remembered morning: answered with evidence, or declined; never guessed."""

from __future__ import annotations

import pytest

from robot_memory.control.agent import Agent, Step
from robot_memory.control.answer import Answer, Outcome, Question
from robot_memory.control.policy import ReflexPolicy
from robot_memory.streams.working import WorkingMemory
from told import Story, at


@pytest.fixture
def morning(story: Story) -> Story:
    """Anna comes, says her name twice and talks; Ben comes and says his once; later a stranger, silent."""
    story.clip(
        {"anna": (2, 28)}, [("anna", 3, 6, "Hello, my name is Anna."), ("anna", 8, 12, "I like my tea with lemon.")]
    )
    story.clip(
        {"anna": (30, 40)},
        [("anna", 31, 34, "As I said, I'm Anna."), ("anna", 35, 38, "The keys are in the blue bowl.")],
    )
    story.clip(
        {"ben": (62, 85)}, [("ben", 63, 67, "My name is Ben and I am late."), ("ben", 70, 74, "Anna hates olives.")]
    )
    story.clip({"stranger": (95, 110)})
    return story


def ask(story: Story, text: str, **more: object) -> Answer:
    working = more.pop("working", None) or WorkingMemory()
    agent = Agent(story.graph, story.embedder, ReflexPolicy(), working)  # type: ignore[arg-type]
    limits = {"max_rounds": 5, "budget_s": 10.0} | {
        k: more.pop(k) for k in ("max_rounds", "budget_s", "report", "cancelled") if k in more
    }
    now_ns = more.pop("now_ns", at(200))
    return agent.answer(Question("q", text, now_ns, **more), **limits)  # type: ignore[arg-type]


def test_who_was_here_names_those_it_knows_and_counts_those_it_does_not(morning: Story) -> None:
    answer = ask(morning, "Who was here?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.text == "Anna, someone who said 'Ben' and somebody I don't know by name were here."
    assert {e.source for e in answer.evidence} <= {"seen", "heard"}


def test_a_time_range_cuts(morning: Story) -> None:
    answer = ask(morning, "Who was here in the last minute?")
    assert answer.outcome is Outcome.ABSTAINED
    answer = ask(morning, "Who was here in the last 2 minutes?")
    assert "Ben" in answer.text and "Anna" not in answer.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did you see Anna?", "I saw Anna this morning at 9:30."),
        ("when did you first meet anna", "I first saw Anna this morning at 9:30."),
        ("When was Anna last seen?", "I last saw Anna this morning at 9:30."),
        ("When did you last see person_1?", "I last saw Anna this morning at 9:30."),
        ("When did you see face_1?", "I saw Anna this morning at 9:30."),
    ],
)
def test_when(morning: Story, question: str, expected: str) -> None:
    answer = ask(morning, question)
    assert answer.text == expected
    assert answer.evidence


def test_what_was_said_is_quoted_from_the_speaker_alone(morning: Story) -> None:
    answer = ask(morning, "What did Anna say about olives?")
    assert answer.outcome is Outcome.ABSTAINED  # Ben said that, about her
    answer = ask(morning, "What did Ben say about olives?")
    assert "“Anna hates olives.”" in answer.text
    assert [e.quote for e in answer.evidence] == ["Anna hates olives."]


def test_a_long_day_is_not_cut_short(story: Story) -> None:
    for n in range(230):
        story.clip({"anna": (30 * n + 1, 30 * n + 15)})
    answer = ask(story, "When did you last see person_1?")
    assert answer.text == "I last saw person 1 this morning at 11:24."
    everything = ask(story, "When did you see person_1?")
    assert everything.text == "I saw person 1 this morning from 9:30 to 11:24."
    assert len(everything.evidence) == 50 and "230 memories say so" in everything.message


def test_each_time_is_said_with_its_own_day(story: Story) -> None:
    story.clip({"anna": (1, 20)})
    story.skip_to(24 * 3600)
    story.clip({"anna": (24 * 3600 + 1, 24 * 3600 + 20), "ben": (24 * 3600 + 1, 24 * 3600 + 20)})
    now = at(24 * 3600 + 60)
    expected = {
        "When did you see person_1?": "I saw person 1 yesterday at 9:30, and today at 9:30.",
        "When did you first see person_1?": "I first saw person 1 yesterday morning at 9:30.",
        "When did you last see person_1?": "I last saw person 1 this morning at 9:30.",
    }
    assert {question: ask(story, question, now_ns=now).text for question in expected} == expected


def test_a_name_heard_once_is_an_unsure_name(morning: Story) -> None:
    sure, unsure = ask(morning, "When did you see Anna?"), ask(morning, "When did you see Ben?")
    assert "someone who said 'Ben'" in unsure.text
    assert unsure.confidence < sure.confidence


@pytest.mark.parametrize(
    "question",
    [
        "When did you see Clara?",
        "What did Anna say about the weather?",
        "What did the stranger say?",
        "Who was here last week?",
        "Who was here yesterday?",
        "What did Anna say on Tuesday?",
        "Who was here before Anna?",
        "What is Anna's favourite colour?",
        "When did you see person_99?",
        "<face_1>",
        "what did ' OR 1=1 -- say?",
        "",
        "Who was here in the last 99999999999999 days?",
    ],
)
def test_what_it_cannot_know_it_does_not_answer(morning: Story, question: str) -> None:
    answer = ask(morning, question)
    assert answer.outcome is Outcome.ABSTAINED, answer.text
    assert answer.message and not answer.evidence


def test_what_was_told_is_answered_with_the_words_in_which_it_was(morning: Story) -> None:
    answer = ask(morning, "Where are the keys?")
    assert answer.outcome is Outcome.ANSWERED and "in the blue bowl" in answer.text
    assert [one.quote for one in answer.evidence] == ["The keys are in the blue bowl."]
    assert 0.5 < answer.confidence <= 1
    assert ask(morning, "What does Anna think of Portugal?").outcome is Outcome.ABSTAINED


def test_two_of_one_name_are_asked_back(morning: Story) -> None:
    for start in (150, 180):
        morning.clip({"other": (start, start + 20)}, [("other", start + 1, start + 5, "My name is Anna.")])
    answer = ask(morning, "When did you see Anna?")
    assert answer.outcome is Outcome.AMBIGUOUS
    assert len(answer.candidates) == 2
    assert ask(morning, f"When did you see {answer.candidates[1]}?").outcome is Outcome.ANSWERED


def test_as_of_knows_only_what_was_recorded_by_then(morning: Story) -> None:
    answer = ask(morning, "Who was here?", as_of_ns=at(60))
    assert "Anna" in answer.text and "Ben" not in answer.text


def test_what_is_not_committed_yet_counts_as_provisional(morning: Story) -> None:
    working = WorkingMemory()
    working.see("story", at(199), at(190), track=1)
    answer = ask(morning, "Who is here now?", working=working)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.evidence[-1].provisional and "not recognised yet" in answer.text


def test_now_is_the_newest_moment(morning: Story) -> None:
    assert ask(morning, "Who is here now?").outcome is Outcome.ABSTAINED  # the stranger left at 09:31:50
    here = ask(morning, "Who is here now?", now_ns=at(110))
    assert here.text == "Somebody I don't know by name is here now."


def test_an_endless_question_is_declined_at_once(morning: Story) -> None:
    answer = ask(morning, "what did x" + " say about y" * 8333 + "?!")
    assert answer.outcome is Outcome.ABSTAINED and "too long" in answer.text


def test_rounds_are_reported_and_limited(morning: Story) -> None:
    steps: list[Step] = []
    answer = ask(morning, "Who was here?", report=steps.append)
    assert [s.action for s in steps] == ["search", "answer"] and answer.rounds == 2
    assert ask(morning, "Who was here?", max_rounds=1).outcome is Outcome.ABSTAINED


def test_cancelled_and_out_of_time(morning: Story) -> None:
    assert ask(morning, "Who was here?", cancelled=lambda: True).outcome is Outcome.CANCELLED
    assert ask(morning, "Who was here?", budget_s=-1.0).outcome is Outcome.TIMED_OUT


def test_an_empty_memory_knows_nobody(story: Story) -> None:
    assert ask(story, "Who was here?").outcome is Outcome.ABSTAINED
