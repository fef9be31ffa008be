"""Whether, who, when: yes and no only where it was told; people by what was told of them; times as they were told."""

from __future__ import annotations

import pytest
from claimed import TUESDAY, WEDNESDAY, Talk

from robot_memory.control.answer import Answer, Outcome
from robot_memory.control.answering.grounds import Grounds, confidence
from robot_memory.control.facts.matching import Match, match
from robot_memory.control.facts.times import parted
from robot_memory.control.wishes.wish import Kind, Wish
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memory.graph import MemoryGraph


@pytest.fixture
def talk(graph: MemoryGraph, embedder: TextEmbedder) -> Talk:
    return Talk(graph, embedder, "Anna", "Ben", "Clara")


def test_yes_no_and_what_nobody_told(talk: Talk) -> None:
    talk.tells("Anna", "I", "likes", "olives")
    talk.tells("Anna", "I", "likes", "snow", polarity=-1)
    assert talk.ask("Does Anna like olives?").text == "Yes, Anna likes olives."
    assert talk.ask("Does Anna like snow?").text == "No, Anna does not like snow."
    untold = talk.ask("Does Anna like jazz?")
    assert (untold.outcome, untold.text) == (Outcome.ABSTAINED, "Nobody told me whether Anna likes jazz.")
    assert talk.ask("Does Ben like olives?").outcome is Outcome.ABSTAINED


def test_another_value_says_no_only_where_there_can_be_but_one(talk: Talk) -> None:
    talk.tells("Anna", "I", "job", "night nurse")
    talk.tells("Anna", "I", "owns", "red bicycle")
    assert talk.ask("Is Anna a pilot?").text == "No, Anna works as a night nurse."
    assert talk.ask("Is Anna a nurse?").text == "Yes, Anna works as a night nurse."
    assert talk.ask("Does Anna have a bicycle?").text == "Yes, Anna has a red bicycle."
    assert talk.ask("Does Anna have a boat?").outcome is Outcome.ABSTAINED


def test_what_has_ended_is_no_longer_so(talk: Talk) -> None:
    talk.tells("Anna", "I", "home", "York")
    talk.tells("Anna", "I", "home", "Leeds", day=TUESDAY)
    answer = talk.ask("Does Anna live in York?")
    assert answer.text == "No, not any more: Anna used to live in York."
    assert len(answer.evidence) == 2
    ever = talk.ask("Did Anna ever live in York?", wish=Wish(Kind.IS_SO, "home", value="York"))
    assert ever.text == "Yes, Anna used to live in York."


def test_who_has_it(talk: Talk) -> None:
    talk.tells("Anna", "I", "home", "Leeds")
    talk.tells("Ben", "I", "home", "Leeds")
    talk.tells("Clara", "I", "home", "York")
    talk.tells("Clara", "I", "owns", "boat", polarity=-1)
    assert talk.ask("Who lives in Leeds?").text == "Anna and Ben live in Leeds."
    assert talk.ask("Who lives in York?", asker="Clara").text == "You live in York."
    assert talk.ask("Who has a boat?").outcome is Outcome.ABSTAINED


def due(talk: Talk, text: str, attribute: str, value: str, kind: Kind = Kind.WHEN_DUE) -> Answer:
    return talk.ask(text, wish=Wish(kind, attribute, value=value))


def test_when_something_is(talk: Talk) -> None:
    talk.tells("Anna", "I", "appointment", "dentist appointment on Thursday at 15:30")
    talk.tells("Anna", "I", "appointment", "eye test on Tuesday at 9:00")
    first = due(talk, "When is Anna's dentist appointment?", "appointment", "dentist appointment")
    assert first.text == "Anna has a dentist appointment on Thursday at 15:30."
    talk.tells("Anna", "I", "appointment", "dentist appointment on Saturday at 10:00", day=WEDNESDAY)
    again = due(talk, "When is Anna's dentist appointment?", "appointment", "dentist appointment")
    assert "Saturday" in again.text and "Thursday" not in again.text and len(again.evidence) == 2
    before = due(talk, "When was Anna's dentist appointment first?", "appointment", "dentist appointment", Kind.BEFORE)
    assert "Thursday" in before.text and "Saturday" not in before.text
    for text, value in (("When is Anna's driving test?", "driving test"), ("When is Ben's eye test?", "eye test")):
        assert due(talk, text, "appointment", value).outcome is Outcome.ABSTAINED


def test_a_plan_tells_when_a_promise_will_be_kept(talk: Talk) -> None:
    talk.tells("Anna", "I", "plan", "fix the gate on Saturday")
    answer = due(talk, "When will Anna fix the gate?", "promise", "fix the gate")
    assert answer.text == "Anna plans to fix the gate on Saturday."


def test_a_plan_without_a_time_tells_no_time(talk: Talk) -> None:
    talk.tells("Anna", "I", "plan", "run a marathon")
    answer = due(talk, "When is Anna going to run a marathon?", "plan", "run a marathon")
    assert answer.outcome is Outcome.ABSTAINED
    assert answer.text == "Nobody told me when Anna will do that. I only heard that Anna plans to run a marathon."


@pytest.mark.parametrize(
    ("asked", "told", "attribute", "fit"),
    [
        ("a nurse", "nurse", "job", Match.SAME),
        ("nurse", "night nurse", "job", Match.KIND),
        ("night nurse", "nurse", "job", Match.WIDER),
        ("nurse", "nursery teacher", "job", Match.NONE),
        ("in Leeds", "in the old mill in Leeds", "home", Match.KIND),
        ("Leeds", "near Leeds", "home", Match.NONE),
        ("cheese", "blue cheese", "likes", Match.KIND),
        ("to swim", "swimming", "likes", Match.SAME),
        ("mowing the lawn", "mow the lawn on Friday", "promise", Match.SAME),
        ("the dentist", "dentist appointment on Friday", "appointment", Match.KIND),
        ("blood test", "hearing test on Friday", "appointment", Match.NONE),
    ],
)
def test_values_that_answer_each_other(asked: str, told: str, attribute: str, fit: Match) -> None:
    assert match(asked, told, attribute) is fit


@pytest.mark.parametrize(
    ("value", "when"),
    [
        ("fix the gate on Friday", "on Friday"),
        ("go swimming twice a week", "twice a week"),
        ("paint the hall on the bank holiday", "on the bank holiday"),
        ("buy a house by the sea", ""),
        ("play chess in the park three times a week", "three times a week"),
    ],
)
def test_doing_and_time_are_parted(value: str, when: str) -> None:
    assert parted(value)[1] == when


def test_every_ground_counts() -> None:
    best = confidence(Grounds(observations=3))
    for worse in (
        Grounds(named=0.5),
        Grounds(asked=0.5),
        Grounds(own=0.0),
        Grounds(heard=0.4),
        Grounds(supported=0.5),
        Grounds(rivals=1.0),
        Grounds(observations=1),
    ):
        assert 0 < confidence(worse) < best < 1


def test_where_a_thing_is_or_was(talk: Talk) -> None:
    talk.tells("Anna", "the torch", "place", "in the drawer")
    assert talk.ask("Is the torch in the drawer?").text == "Yes, the torch is in the drawer."
    assert talk.ask("Is the torch under the sink?").text == "No, the torch is in the drawer."
    assert talk.ask("Is the hammer in the drawer?").outcome is Outcome.ABSTAINED
    talk.tells("Anna", "the torch", "place", "under the sink", day=TUESDAY)
    assert talk.ask("Is the torch in the drawer?").text == "No, not any more: the torch was in the drawer."
