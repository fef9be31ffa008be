"""A time that was said reads so that it means the same on any later day."""

from __future__ import annotations

import pytest

from robot_memory.memorization.speech.dates import times_in, together
from robot_memory.memorization.speech.told import Line

WEDNESDAY = 20516  # 4 March 2026, in days since 1970


def _times(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.words) for one in times_in(text, Line(text, day=WEDNESDAY))]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I have a haircut tomorrow at three", "on Thursday 5 March at three"),
        ("At half past three on Friday I am due", "on Friday at half past three"),
        ("Friday, three sharp", "on Friday at three"),
        ("it is on Monday, ten to nine", "on Monday at ten to nine"),
        ("next Friday at 3 pm we meet", "next Friday (13 March) at 3 pm"),
        ("a week on Tuesday", "a week on Tuesday (17 March)"),
        ("I'll do it tonight", "on Wednesday 4 March in the evening"),
        ("the day after tomorrow", "on Friday 6 March"),
        ("in three days", "on Saturday 7 March"),
        ("I am due on the twelfth", "on the twelfth (12 March)"),
        ("on the second", "on the second (2 April)"),
        ("on 3 May at 15:30", "on 3 May at 15:30"),
        ("Monday the 9th of March", "on Monday the 9th of March"),
        ("May 14th at noon", "on May 14th at noon"),
        ("the dentist moved me to Thursday at three", "on Thursday at three"),
        ("by Sunday", "by Sunday"),
        ("tomorrow morning", "on Thursday 5 March in the morning"),
        ("we eat at seven", "at seven"),
    ],
)
def test_a_day_or_an_hour(said: str, words: str) -> None:
    (found,) = _times(said)
    assert found[0] in ("day", "clock") and found[1] == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("next month I am going", "next month (April 2026)"),
        ("next weekend", "next weekend (14 March)"),
        ("next year", "next year (2027)"),
        ("in a fortnight", "in a fortnight (around 18 March)"),
        ("in two months", "in two months (May 2026)"),
        ("this autumn", "this autumn (2026)"),
        ("in May we walk the coast path", "in May"),
        ("come spring", "in spring"),
        ("at the end of April", "at the end of April"),
        ("before New Year", "before New Year"),
        ("when the exams are over", "when the exams are over"),
        ("at Easter", "at Easter"),
    ],
)
def test_a_longer_time(said: str, words: str) -> None:
    assert _times(said) == [("span", words)]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I go swimming on Mondays and Thursdays", "on Mondays and Thursdays"),
        ("every Wednesday at lunchtime I run", "every Wednesday at lunchtime"),
        ("three times a week I lift", "three times a week"),
        ("on weekdays at seven I rise", "on weekdays at seven"),
        ("every evening after dinner I read", "every evening after dinner"),
        ("every second weekend", "every second weekend"),
        ("on a Saturday I bake", "every Saturday"),
        ("most evenings", "most evenings"),
        ("the first Monday of the month", "on the first Monday of the month"),
    ],
)
def test_what_comes_again(said: str, words: str) -> None:
    assert _times(said) == [("recurring", words)]


@pytest.mark.parametrize("said", ["I saw her last week", "yesterday it rained", "we met two years ago"])
def test_what_is_gone_by(said: str) -> None:
    assert [kind for kind, _ in _times(said)] == ["past"]


@pytest.mark.parametrize(
    "said", ["at one point I march to the shop", "on the third floor", "I may go", "one of two", "at one with nature"]
)
def test_no_time(said: str) -> None:
    assert not _times(said)


def test_a_day_and_an_hour_that_stand_apart_are_one_time() -> None:
    times = times_in("On Friday I am away, it is at three", Line("", day=WEDNESDAY))
    when = together(times)
    assert when is not None and when.words == "on Friday at three"


def test_two_days_are_no_time() -> None:
    assert together(times_in("on Friday or maybe on Monday", Line("", day=WEDNESDAY))) is None
