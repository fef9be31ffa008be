"""A phrase that is about time but not understood is reported whole; a clock without a calendar knows no days."""

from __future__ import annotations

import pytest

from robot_memory.control.clock import Zone
from robot_memory.control.times import UnknownTime, span_in
from robot_memory.streams.media import SECOND

NOW_NS = 1_773_844_200 * SECOND  # Wednesday 18 March 2026, 15:30 in Berlin
NOT_UNDERSTOOD = {
    "Who was here three blue moons ago?": "three blue moons ago",
    "Who was here a long time ago?": "a long time ago",
    "Who was here that day?": "that day",
    "Who was here at the same time?": "at the same time",
    "Who was here the following day?": "the following day",
    "Who came the day before?": "the day before",
    "Who was here on 30 February 2024?": "on 30 February 2024",
    "Who was here on 7/5/2023?": "on 7/5/2023",  # July or May?
    "Who was here at 25:99?": "at 25:99",
    "Who was here at 13 pm?": "at 13 pm",
    "What happened last season?": "last season",
    "Who was here in the last 99999999999999 days?": "in the last 99999999999999 days",
    "Who was here 5000 years ago?": "5000 years ago",
    "Who was here at sunrise?": "at sunrise",
    "Who was here back then?": "back then",
    "Who was here last week in the morning?": "last week in the morning",  # seven mornings
    "Who was here before 9 or after 5?": "before 9 or after 5",  # two ranges
    "Who was here last Thursday the 15th?": "last Thursday the 15th",  # it was the 12th
    "Who was here yesterday the 18th?": "yesterday the 18th",
    "Who was here on Friday the 32nd?": "the 32nd",
    "Who was here on Tuesday the 31st?": "on Tuesday the 31st",
    "Who was here a week on Friday?": "a week on Friday",  # the Friday after next, to the British
    "Who was here a week today?": "a week today",
    "Who was here last Friday week?": "last Friday week",
    "Who was here a year last Christmas?": "a year last Christmas",
    "Last season, who was here?": "Last season",  # as it was written
}
WITHOUT_CALENDAR = ("today", "yesterday", "last Tuesday", "this morning", "since 9", "in May", "at noon", "last week")


@pytest.mark.parametrize(("question", "phrase"), NOT_UNDERSTOOD.items())
def test_the_whole_phrase_is_reported(question: str, phrase: str) -> None:
    with pytest.raises(UnknownTime) as caught:
        span_in(question, NOW_NS, Zone("Europe/Berlin"))
    assert str(caught.value) == phrase
    assert caught.value.hint


@pytest.mark.parametrize("phrase", WITHOUT_CALENDAR)
def test_a_simulation_knows_no_days(phrase: str) -> None:
    with pytest.raises(UnknownTime) as caught:
        span_in(f"Who was here {phrase}?", 500 * SECOND, Zone("Europe/Berlin"))
    assert str(caught.value) == phrase
    assert "last 10 minutes" in caught.value.hint


@pytest.mark.parametrize(
    ("phrase", "start_s", "end_s"),
    [
        ("in the last 5 minutes", 200, 500),
        ("in the last hour", -3100, 500),
        ("2 minutes ago", 350, 410),
        ("just now", 200, 500),
        ("now", 497, 500),
        ("a moment ago", 380, 500),
    ],
)
def test_a_simulation_knows_how_long_ago(phrase: str, start_s: int, end_s: int) -> None:
    span, rest = span_in(f"Who was here {phrase}?", 500 * SECOND, Zone("Europe/Berlin"))
    assert span.start_ns == start_s * SECOND
    assert span.end_ns in (end_s * SECOND, end_s * SECOND + 1)
    assert rest == "Who was here?"
