"""What counts as right: the judge's rules, one answer after another."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_memory.evaluation.scoring.judge import LONGEST, NormalisedJudge
from robot_memory.evaluation.scoring.wording import phrase
from robot_memory.evaluation.subject import Reply
from robot_memory.evaluation.trial import Expected, Question
from robot_memory.evaluation.truth import Truth

NS = 1_000_000_000


def at(day: int, clock: str) -> int:
    hour, minute, *rest = (int(part) for part in clock.split(":"))
    return int(datetime(2026, 3, day, hour, minute, *rest, tzinfo=timezone.utc).timestamp()) * NS


PEOPLE = ("Luca", "Lucas", "Anna", "Ann", "Ben", "José Ruiz", "Siobhan", "Anne Marie", "Lee Chan", "Lee Brown")
TRUTH = Truth("t", "UTC", at(1, "8:00"), at(3, "20:00"), PEOPLE, (), ())
NOW = at(3, "18:00")  # a Tuesday


def verdict(expected: Expected, answer: str, question: str = "What was it?", outcome: str = "ANSWERED") -> str:
    asked = Question("q", question, NOW, "general", expected)
    return NormalisedJudge().judge(asked, Reply(answer, outcome, 0.9), TRUTH).kind


TEA = Expected("text", ("green tea", "a cup of tea"), traps=("coffee", "black tea"))
NURSE = Expected("text", ("nurse",), earlier=("teacher",))


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        (TEA, "Green tea.", True),
        (TEA, "She said: “I’d like GREEN  TEAS!”", True),
        (TEA, "Two cups of tea, the cup of tea being hers", True),
        (TEA, "tea", False),
        (TEA, "evergreen tea", False),  # borders of words
        (TEA, "green teapot", False),
        (TEA, "Coffee.", False),
        (TEA, "Green tea or coffee.", False),
        (TEA, "Green tea, not coffee.", True),
        (TEA, "Green tea rather than coffee.", True),
        (TEA, "She doesn't like green tea.", False),
        (TEA, "Not coffee but green tea.", True),
        (TEA, "", False),
        (Expected("text", ("tea",), traps=("green tea",)), "Green tea.", False),  # the longer one is meant
        (Expected("text", ("green tea",), traps=("tea",)), "Green tea.", True),
        (Expected("text", ("crème brûlée",)), "Creme brulee", True),
        (Expected("text", ("twenty-one candles",)), "21 candles", True),
        (Expected("text", ("2 hundred and five",)), "205", False),
        (Expected("text", ("205",)), "two hundred and five", True),
        (Expected("text", ("the library",)), "In Anna's library", True),
        (Expected("text", ("strawberries",)), "a strawberry", True),
        (Expected("text", ("Straße",)), "STRASSE", True),
        (NURSE, "A nurse.", True),
        (NURSE, "A nurse now; she was a teacher.", True),
        (NURSE, "She was a teacher and is a nurse.", False),  # what is over, first
        (NURSE, "A teacher.", False),
    ],
)
def test_text(expected: Expected, answer: str, right: bool) -> None:
    assert verdict(expected, answer) == ("right" if right else "wrong")


def test_a_negative_question_may_be_answered_in_its_own_words() -> None:
    olives = Expected("text", ("olives",))
    assert verdict(olives, "Ben does not like olives.", "What does Ben not like?") == "right"
    assert verdict(olives, "He doesn't eat olives.", "What does Ben hate?") == "right"


def names(*values: str, traps: tuple[str, ...] = ()) -> Expected:
    return Expected("names", values, traps=traps)


@pytest.mark.parametrize(
    ("expected", "answer", "question", "right"),
    [
        (names("Anna", "Ben"), "Ben and Anna were there.", "Who was there?", True),
        (names("Anna", "Ben"), "Anna.", "Who was there?", False),
        (names("Anna"), "Anna and Ben.", "Who was there?", False),  # one too many
        (names("Anna"), "Anna, not Ben.", "Who was there?", True),
        (names("Anna"), "Ann.", "Who was there?", False),
        (names("Ann"), "Anna.", "Who was there?", False),
        (names("Ann"), "Ann's here", "Who was there?", True),
        (names("Anne Marie"), "Anne Marie", "Who?", True),
        (names("José Ruiz"), "Jose", "Who?", True),  # nobody else is called so
        (names("Lee Chan"), "Lee", "Who?", False),  # two are
        (names("Lee Chan"), "Lee Brown", "Who?", False),
        (names("Ben"), "Ben was with Anna.", "Who was with Anna?", True),  # the question named her
        (names("Ben", traps=("Anna",)), "Anna or Ben", "Was it Anna or Ben?", False),
        (names("Ben"), "person 4", "Who?", False),
        (names("Luca"), "Lucas", "Who?", False),
        (names("ice skating", "fireworks"), "Ice skating and a firework.", "What?", True),  # things, too
        (names("ice skating"), "Ice.", "What?", False),
        (names("fireworks", traps=("ice skating",)), "Fireworks and ice skating.", "What?", False),
    ],
)
def test_names(expected: Expected, answer: str, question: str, right: bool) -> None:
    assert verdict(expected, answer, question) == ("right" if right else "wrong")


@pytest.mark.parametrize(
    ("value", "answer", "right"),
    [
        ("3", "Three.", True),
        ("3", "She has 3 cats.", True),
        ("3", "Three people: Anna (09:30:02 to 09:30:40), Ben and person 4.", True),
        ("3", "Four.", False),
        ("3", "2 or 3.", False),
        ("3", "3 or 4", False),
        ("3", "Some.", False),
        ("2", "Twice, I think.", True),
        ("0", "Nobody.", True),
        ("0", "No one came.", True),
        ("1", "No one came.", False),
        ("21", "twenty-one", True),
        ("1000", "1,000 times", True),
        ("2.5", "2.5 litres", True),
    ],
)
def test_numbers(value: str, answer: str, right: bool) -> None:
    assert verdict(Expected("number", (value,)), answer, "How many?") == ("right" if right else "wrong")


def test_a_number_of_the_question_is_no_answer() -> None:
    two = Expected("number", ("2",))
    assert verdict(two, "Of the 5 cups 2 were full.", "How many of the five cups were full?") == "right"
    assert verdict(two, "Of the 5 cups.", "How many of the five cups were full?") == "wrong"


@pytest.mark.parametrize(
    ("value", "answer", "right"),
    [
        ("yes", "Yes.", True),
        ("yes", "Yes, she said so.", True),
        ("no", "No, Anna doesn't.", True),
        ("yes", "No.", False),
        ("yes", "Anna likes tea.", True),
        ("no", "Anna does not like tea.", True),
        ("yes", "Anna doesn't like tea.", False),
        ("yes", "I saw Anna at 09:30.", False),
        ("no", "I saw Anna at 09:30.", False),
    ],
)
def test_yes_and_no(value: str, answer: str, right: bool) -> None:
    assert verdict(Expected("yesno", (value,)), answer, "Does Anna like tea?") == ("right" if right else "wrong")


TODAY = Expected("time", span_ns=(at(3, "9:28"), at(3, "9:34")))
YESTERDAY = Expected("time", span_ns=(at(2, "15:10"), at(2, "15:20")))
WHOLE_DAY = Expected("time", span_ns=(at(2, "0:00"), at(3, "0:00")))


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        (TODAY, "At 09:30:02.", True),
        (TODAY, "I saw Anna today at 09:30:02 to 09:30:40.", True),
        (TODAY, "At half past nine this morning.", True),
        (TODAY, "at 9:30 am", True),
        (TODAY, "At 9:30 pm yesterday", False),
        (TODAY, "At 10:30.", False),
        (TODAY, "Yesterday at 09:30.", False),
        (TODAY, "At 08:00, 09:30, 10:00 and 11:00.", False),  # it lists them all
        (TODAY, "From 08:00 to 17:00.", False),  # it says nothing
        (TODAY, "Today.", False),
        (TODAY, "On 3 March at 09:30.", True),
        (TODAY, "2026-03-03 09:30", True),
        (TODAY, "On Tuesday at 09:30.", True),
        (TODAY, "Some time.", False),
        (YESTERDAY, "Yesterday at quarter past three.", True),
        (YESTERDAY, "Yesterday at 15:15", True),
        (YESTERDAY, "on Monday at 3:15 p.m.", True),
        (YESTERDAY, "At 15:15.", False),  # that is today's
        (YESTERDAY, "March 2nd, 15:15", True),
        (WHOLE_DAY, "Yesterday.", True),
        (WHOLE_DAY, "On Monday.", True),
        (WHOLE_DAY, "On 2 March 2026", True),
        (WHOLE_DAY, "one day ago", True),
        (WHOLE_DAY, "Today.", False),
        (WHOLE_DAY, "In March 2026", False),
    ],
)
def test_times(expected: Expected, answer: str, right: bool) -> None:
    assert verdict(expected, answer, "When did Anna come?") == ("right" if right else "wrong")


def test_a_clock_time_is_of_the_day_that_the_question_names() -> None:
    assert verdict(YESTERDAY, "At 15:15.", "When did Anna come yesterday?") == "right"


def test_minutes_ago() -> None:
    lately = Expected("time", span_ns=(NOW - 21 * 60 * NS, NOW - 18 * 60 * NS))
    assert verdict(lately, "Twenty minutes ago.") == "right"
    assert verdict(lately, "Half an hour ago.") == "wrong"


def test_the_zone_is_that_of_the_trial() -> None:
    berlin = Truth("t", "Europe/Berlin", TRUTH.start_ns, TRUTH.end_ns, PEOPLE, (), ())
    asked = Question("q", "When?", NOW, "time", TODAY)  # 09:30 UTC is 10:30 there
    judged = [NormalisedJudge().judge(asked, Reply(f"At {h}:30.", "ANSWERED", 1.0), berlin).kind for h in (9, 10)]
    assert judged == ["wrong", "right"]


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        (NURSE, "She is either a nurse or a pilot.", False),
        (NURSE, "A pilot, or a nurse.", False),
        (NURSE, "Nurse, cook, pilot, miner, judge.", False),
        (NURSE, "A nurse or so I heard.", True),
        (TEA, "Green tea or a cup of tea.", True),  # both are so
        (TEA, "She hates green tea.", False),
        (TEA, "She likes green tea, not just coffee.", False),
        (Expected("number", ("2",)), "Between 2 and 4.", False),
        (Expected("number", ("2",)), "1, 2, 3", False),
        (Expected("number", ("2",)), "More than two.", False),
        (Expected("number", ("2",)), "Not two.", False),
        (Expected("number", ("2",)), "Not three but two.", True),
        (Expected("number", ("2",)), "On 6 January at 3 pm I saw two people.", True),
        (Expected("number", ("2",)), "A couple.", True),
        (TODAY, "At 9:30 in the morning.", True),
        (TODAY, "At half past nine, this morning.", True),
        (TODAY, "At 9:30, some 8 hours ago.", True),  # the vaguer one agrees
        (YESTERDAY, "One day ago at 15:15.", True),
    ],
)
def test_a_choice_is_no_answer_and_nobody_is_punished_for_good_english(
    expected: Expected, answer: str, right: bool
) -> None:
    assert verdict(expected, answer) == ("right" if right else "wrong")


@pytest.mark.parametrize(
    ("value", "answer", "right"),
    [
        ("3", "The meeting is at 3 o'clock.", True),
        ("3", "At three o’clock.", True),
        ("3", "At 3.", True),
        ("3", "On 6 January at 3 o'clock.", True),
        ("3", "At 4 o'clock.", False),
        ("3", "Not at 3 o'clock.", False),
        ("3", "At 3:15.", False),
        ("3", "At 3 o'clock or 4 o'clock.", False),
        ("3", "At 2 o'clock I saw three people.", True),  # a count says more than the hour beside it
        ("2", "At 2 o'clock I saw three people.", False),
        ("2", "At 2 o’clock I saw three people.", False),
    ],
)
def test_an_hour_on_the_clock_is_a_number_where_it_is_the_only_one(value: str, answer: str, right: bool) -> None:
    assert verdict(Expected("number", (value,)), answer) == ("right" if right else "wrong")


def test_an_hour_on_the_clock_is_no_count() -> None:
    assert verdict(Expected("number", ("3",)), "I saw them at 3 o'clock.", "How many people were here?") == "wrong"


def test_what_is_liked_is_no_answer_to_what_is_not() -> None:
    olives = Expected("text", ("olives",), traps=("tea",))
    assert verdict(olives, "Ben likes olives.", "What does Ben not like?") == "wrong"
    assert verdict(olives, "He can't stand olives, though he likes tea.", "What does Ben not like?") == "right"


@pytest.mark.parametrize(
    ("value", "answer", "kind"),
    [
        ("no", "I did not see Ben today.", "right"),
        ("no", "He was not here.", "right"),
        ("no", "He wasn't.", "right"),
        ("yes", "I saw Ben at 9:30.", "right"),
        ("yes", "I did not see Ben.", "wrong"),
        ("yes", "He was here.", "right"),
        ("yes", "I think so.", "right"),
        ("yes", "Yes and no.", "wrong"),
        ("yes", "Yes, but Ben was not here today.", "wrong"),
        ("yes", "I don't know.", "abstained"),
    ],
)
def test_was_he_here(value: str, answer: str, kind: str) -> None:
    asked = Question("q", "Was Ben here today?", NOW, "general", Expected("yesno", (value,)), sight=True)
    assert NormalisedJudge().judge(asked, Reply(answer, "ANSWERED", 0.9), TRUTH).kind == kind


NOBODY_KNOWS = Expected("none")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("I did not see Siobhan this afternoon.", "abstained"),
        ("I haven't seen her.", "abstained"),
        ("Siobhan was not here this afternoon.", "abstained"),
        ("Sorry, I don't know where she was.", "abstained"),
        ("I have no record of that.", "abstained"),
        ("Nobody told me.", "abstained"),
        ("Siobhan never said so.", "abstained"),
        ("There was no mention of it.", "abstained"),
        ("I don't know, perhaps in the kitchen.", "wrong"),
        ("I did not see her anywhere except in the kitchen.", "wrong"),
        ("I did not see Siobhan, but she was in the kitchen.", "wrong"),
        ("I did not see her. She was in the kitchen.", "wrong"),
        ("“I have not seen her.”", "wrong"),  # somebody's words
        ("Not in the kitchen.", "wrong"),
        ("Nobody.", "wrong"),
        ("", "wrong"),
    ],
)
def test_not_to_know_may_be_said_in_words(answer: str, kind: str) -> None:
    assert verdict(NOBODY_KNOWS, answer, "Where was Siobhan this afternoon?") == kind


def test_where_it_can_be_known_not_to_know_is_to_abstain_and_a_denial_is_wrong() -> None:
    kitchen = Expected("text", ("kitchen",))
    assert verdict(kitchen, "I did not see Siobhan.", "Where was Siobhan?") == "abstained"
    assert verdict(kitchen, "Siobhan was not here.", "Where was Siobhan?") == "wrong"


@pytest.mark.parametrize(
    ("expected", "outcome", "kind"),
    [
        (NOBODY_KNOWS, "ABSTAINED", "abstained"),
        (NOBODY_KNOWS, "AMBIGUOUS", "abstained"),
        (NOBODY_KNOWS, "ANSWERED", "wrong"),
        (NOBODY_KNOWS, "TIMED_OUT", "error"),
        (TEA, "ABSTAINED", "abstained"),
        (TEA, "AMBIGUOUS", "abstained"),
        (TEA, "ANSWERED", "right"),
        (TEA, "ERROR", "error"),
        (TEA, "BUSY", "error"),
    ],
)
def test_outcomes(expected: Expected, outcome: str, kind: str) -> None:
    assert verdict(expected, "Green tea.", outcome=outcome) == kind


def test_a_recital_is_no_answer() -> None:
    assert verdict(TEA, "green tea " + "and so on " * (LONGEST // 3 - 1)) == "right"
    assert verdict(TEA, "green tea " + "and so on " * (LONGEST // 3 + 1)) == "wrong"


@given(st.text(max_size=60))
def test_words_stay_the_same_when_taken_again(text: str) -> None:
    once = phrase(text, stemmed=False)
    assert phrase(" ".join(once), stemmed=False) == once


@given(st.text(max_size=80), st.sampled_from(["text", "names", "number", "yesno", "time"]))
def test_nothing_that_can_be_said_upsets_the_judge(answer: str, form: str) -> None:
    expected = TODAY if form == "time" else Expected(form, ("yes",), traps=("no",), earlier=("",))
    assert verdict(expected, answer, answer) in ("right", "wrong")
