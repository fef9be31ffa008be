"""Times that only memory can tell ("before Anna came"), routines, vague times, and words as they may be repeated."""

from __future__ import annotations

import pytest

from robot_memory.control.clock import Zone
from robot_memory.control.times import span_in

NOW_NS = 1_773_844_200_000_000_000  # Wednesday 18 March 2026, 15:30 in Berlin
BERLIN = Zone("Europe/Berlin")
ANCHORS = {
    "Who was here before Anna came?": ("before", "anna came", "Who was here?"),
    "Before Anna came, who was here?": ("before", "anna came", "who was here?"),
    "Before Anna came who was here?": ("before", "anna came", "who was here?"),
    "What did Ben say after the party?": ("after", "the party", "What did Ben say?"),
    "Who came right after the party?": ("after", "the party", "Who came?"),
    "Who came while Anna cooked, and what did she say?": ("while", "anna cooked", "Who came, and what did she say?"),
    "When Ben came, who was here?": ("when", "ben came", "who was here?"),
    "What did Anna say when Ben came?": ("when", "ben came", "What did Anna say?"),
    "What did Tim do when he was younger?": ("when", "he was younger", "What did Tim do?"),
    "Who has been here since Anna left?": ("since", "anna left", "Who has been here?"),
    "Who was here until Ben left?": ("until", "ben left", "Who was here?"),
    "What did they do during the small party?": ("during", "the small party", "What did they do?"),
    "Who called two days after the party?": ("two days after", "the party", "Who called?"),
    "Who called the day before the party?": ("the day before", "the party", "Who called?"),
    "Who was here before Anna?": ("before", "anna", "Who was here?"),
    "Who was here not before Anna came?": ("after", "anna came", "Who was here?"),
    "Who was here no later than the party?": ("until", "the party", "Who was here?"),
}  # fmt: skip


@pytest.mark.parametrize(("question", "meant"), ANCHORS.items())
def test_an_event_is_an_anchor(question: str, meant: tuple[str, str, str]) -> None:
    span, rest = span_in(question, NOW_NS, BERLIN)
    assert span.anchor == meant[:2]
    assert (span.start_ns, span.end_ns) == (None, None)
    assert rest == meant[2]


def test_an_event_and_a_day_go_together() -> None:
    span, rest = span_in("Who was here during the party on Saturday?", NOW_NS, BERLIN)
    assert span.anchor == ("during", "the party")
    assert span.words == "during the party on Saturday"
    assert BERLIN.at(span.start_ns or 0).isoformat() == "2026-03-14T00:00:00+01:00"
    assert rest == "Who was here?"


@pytest.mark.parametrize(
    "phrase",
    ["every morning", "on Sundays", "each week", "in the mornings", "on a Sunday", "on weekdays", "twice a week"],
)
def test_a_routine_has_no_range(phrase: str) -> None:
    span, rest = span_in(f"Who comes {phrase}?", NOW_NS, BERLIN)
    assert span.routine and (span.start_ns, span.end_ns) == (None, None)
    assert (span.words, rest) == (phrase, "Who comes?")


def test_a_routine_within_a_week_has_that_week() -> None:
    span, _ = span_in("Who was here in the mornings last week?", NOW_NS, BERLIN)
    assert span.routine
    assert BERLIN.at(span.start_ns or 0).isoformat() == "2026-03-09T00:00:00+01:00"


@pytest.mark.parametrize("phrase", ["recently", "lately", "these days"])
def test_people_differ_on_how_long_recently_is(phrase: str) -> None:
    assert span_in(f"Who was here {phrase}?", NOW_NS, BERLIN)[0].vague


@pytest.mark.parametrize(("phrase", "ahead"), [("tomorrow", True), ("next week", True), ("today", False)])
def test_plans_lie_ahead(phrase: str, ahead: bool) -> None:
    assert span_in(f"Who comes {phrase}?", NOW_NS, BERLIN)[0].future is ahead


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who was here a fortnight ago?", "a fortnight ago"),
        ("Yesterday at 9, who was here?", "yesterday at 9"),
        ("Tuesday, who was here?", "Tuesday"),
        ("On Monday, who was here in the morning?", "on Monday in the morning"),
        ("Who was here   last\n week?", "last week"),
        ("Who is here right now?", "now"),
    ],
)
def test_words_may_be_repeated_in_an_answer(question: str, words: str) -> None:
    assert span_in(question, NOW_NS, BERLIN)[0].words == words


@pytest.mark.parametrize(
    "question",
    [
        "What did Anna say about yesterday?",
        "What did Anna say about last Christmas?",
        "What does Ben know about last Monday?",
        "Who talked about yesterday?",
        "Is there a story about last Christmas?",
        "Was Anna happy about yesterday?",
    ],
)
def test_a_time_that_is_talked_about_is_a_topic(question: str) -> None:
    span, rest = span_in(question, NOW_NS, BERLIN)
    assert (span.start_ns, span.end_ns, rest) == (None, None, question)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What about this afternoon, who was there then?", "this afternoon"),
        ("How about yesterday?", "yesterday"),
        ("And what about last Monday?", "last Monday"),
        ("What did they talk about yesterday?", "yesterday"),
        ("Who did Anna dream about last night?", "last night"),
    ],
)
def test_a_time_after_another_about_is_a_time(question: str, words: str) -> None:
    span, _ = span_in(question, NOW_NS, BERLIN)
    assert span.words == words and span.start_ns is not None


def test_when_it_was_said_and_what_it_was_about_are_two_times() -> None:
    span, rest = span_in("What did Anna say yesterday about last Christmas?", NOW_NS, BERLIN)
    assert (span.words, rest) == ("yesterday", "What did Anna say about last Christmas?")


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("two weeks before 11 August 2023", "2023-07-25T00:00:00+02:00", "2023-08-01T00:00:00+02:00"),
        ("the week before Christmas", "2025-12-17T00:00:00+01:00", "2025-12-24T00:00:00+01:00"),
        ("an hour before dinner", "2026-03-17T17:00:00+01:00", "2026-03-17T18:00:00+01:00"),
        ("the day after Christmas", "2025-12-27T00:00:00+01:00", "2025-12-28T00:00:00+01:00"),
    ],
)
def test_distances_from_days_need_no_memory(phrase: str, start: str, end: str) -> None:
    span, _ = span_in(f"Who was here {phrase}?", NOW_NS, BERLIN)
    assert BERLIN.at(span.start_ns or 0).isoformat() == start
    assert BERLIN.at((span.end_ns or 0) // 10 * 10).isoformat() == end


@pytest.mark.parametrize(
    ("question", "words", "rest"),
    [
        ("What did we talk about at lunch on Tuesday?", "at lunch on Tuesday", "What did we talk about?"),
        ("Was Ben late on Monday?", "on Monday", "Was Ben late?"),
        ("Who dropped by late last week?", "late last week", "Who dropped by?"),
        ("Did you see May on Monday?", "on Monday", "Did you see May?"),
        ("Did you see Mr. March in March?", "in March", "Did you see Mr. March?"),
        ("Who came in at 9?", "at 9", "Who came in?"),
        ("Who dropped in today?", "today", "Who dropped in?"),
        ("Who came in last week?", "last week", "Who came in?"),
        ("Who came over this morning?", "this morning", "Who came over?"),
        ("Was Anna in last night?", "last night", "Was Anna in?"),
        ("Who is around today?", "today", "Who is around?"),
        ("Who was here over last weekend?", "over last weekend", "Who was here?"),
        ("Who came on Monday first?", "on Monday", "Who came first?"),
        ("Who stayed for a week last Friday?", "last Friday", "Who stayed for a week?"),
    ],
)
def test_only_the_words_of_time_are_taken(question: str, words: str, rest: str) -> None:
    span, left = span_in(question, NOW_NS, BERLIN)
    assert (span.words, left) == (words, rest)
