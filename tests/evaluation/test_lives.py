"""Long lives hold together: the same from a seed, habits that are kept as often as said, months asked by their own
evidence, garbage that nobody said; and what a memory derives is scored against them.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from robot_memory.evaluation.lives.asking import questions
from robot_memory.evaluation.lives.life import Habit, Life, Size
from robot_memory.evaluation.lives.make import LifeImpossible, make
from robot_memory.evaluation.lives.scoring import Derived, garbage_share, score_routines
from robot_memory.evaluation.lives.stream import stream
from robot_memory.evaluation.lives.trials import trial
from robot_memory.evaluation.trial import Clip
from robot_memory.evaluation.truth import Appearance
from robot_memory.evaluation.worlds.truths import truth

TEN = Size(days=10)
QUIET = Size(days=84, guests=0, talks=1, chats=0, visits=1, habits=10, garbage=0.0)  # long enough to count habits in

HASH = """
import hashlib
from robot_memory.evaluation.lives.life import Size
from robot_memory.evaluation.lives.make import make
from robot_memory.evaluation.lives.trials import trial
life = make({seed}, Size(days=3))
one, asked = trial(life, 4)
said = repr(life) + repr(asked)
for clip in one.clips():
    said += repr([(turn.text, turn.start_ns, turn.confidence) for turn in clip.observation.turns]) + repr(clip.faces)
print(hashlib.sha256(said.encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def ten() -> Life:
    return make(1, TEN)


@pytest.fixture(scope="module")
def clips(ten: Life) -> list[Clip]:
    return list(stream(ten))


@pytest.fixture(scope="module", params=range(3), ids=lambda seed: f"seed{seed}")
def quiet(request: pytest.FixtureRequest) -> tuple[Life, list[Appearance]]:
    life = make(request.param, QUIET)
    return life, list(truth(life.world).appearances)


def hashed(seed: int, hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", HASH.format(seed=seed)],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_a_seed_gives_the_same_life_always_and_another_seed_another() -> None:
    first, again, other = hashed(4, "1"), hashed(4, "2"), hashed(5, "1")
    assert first == again != other


def test_a_life_that_cannot_be_is_refused_with_what_can() -> None:
    with pytest.raises(LifeImpossible, match="choose 1 to 730"):
        make(1, Size(days=0))
    with pytest.raises(LifeImpossible, match="fewer guests"):
        make(1, Size(days=365, guests=12))
    with pytest.raises(LifeImpossible, match="0 to"):
        make(-1)


def test_clips_are_in_order_and_each_day_is_a_session(ten: Life, clips: list[Clip]) -> None:
    starts = [clip.observation.start_ns for clip in clips]
    assert starts == sorted(set(starts))
    assert len({clip.session.id for clip in clips}) == 10
    assert 10 * 40 <= len(clips) <= 10 * 90


def test_nobody_is_in_two_rooms_at_once(quiet: tuple[Life, list[Appearance]]) -> None:
    life, seen = quiet
    assert all(one.end_ns <= other.start_ns for one, other in zip(life.world.episodes, life.world.episodes[1:]))
    assert {one.who for one in seen} <= {person.name for person in life.world.people if person.seen}


def test_habits_are_kept_as_often_as_their_probability_says_and_not_after_their_end(
    quiet: tuple[Life, list[Appearance]],
) -> None:
    life, seen = quiet
    assert len(life.habits) >= 5
    for habit in life.habits:
        came = _days_of(life, seen, habit)
        due = [day for day in range(QUIET.days) if habit.holds(day, life.weekday(day))]
        kept = sum(day in came for day in due)
        spread = 3.5 * (habit.probability * (1 - habit.probability) * len(due)) ** 0.5
        assert abs(kept - habit.probability * len(due)) <= spread + 1, habit
        if habit.broken is not None:
            after = [day for day in range(habit.broken, QUIET.days) if life.weekday(day) in habit.weekdays]
            assert sum(day in came for day in after) <= 0.25 * len(after) + 1, habit


def test_the_robot_looks_into_the_room_of_a_habit_also_when_nobody_comes(
    quiet: tuple[Life, list[Appearance]],
) -> None:
    life, _ = quiet
    for habit in life.habits:
        looked = {
            one.day
            for one in life.world.episodes
            if one.room == habit.room and habit.first_hour <= life.world.local(one.start_ns).hour < habit.last_hour
        }
        due = [day for day in range(QUIET.days) if life.weekday(day) in habit.weekdays]
        assert sum(day in looked for day in due) >= 0.9 * len(due), habit


def test_somebody_has_no_habit(quiet: tuple[Life, list[Appearance]]) -> None:
    life, _ = quiet
    assert {one.name for one in life.world.people} - {habit.who for habit in life.habits}


def test_a_month_is_asked_about_by_evidence_of_that_month() -> None:
    life = make(2, Size(days=59))
    asked = questions(life, 12)
    assert Counter(one.month for one in asked if one.month) == {"January 2026": 12, "February 2026": 12}
    border_ns = life.world.days[life.months[1].first].start_ns
    for one in asked:
        if one.month:
            first = {moment.start_ns < border_ns for moment in one.question.evidence}
            assert first <= {one.month == "January 2026"}, one.question
    answerable = [one for one in asked if one.month and one.question.answerable]
    assert 0.4 <= len(answerable) / 24 <= 0.7


def test_facts_are_told_in_every_month() -> None:
    life = make(3, Size(days=120))
    told = Counter(life.date(day).month for day in map(_day_of(life), [one.at_ns for one in life.world.tellings]))
    assert all(told[month] >= 20 for month in (1, 2, 3, 4)), told


def test_garbage_is_heard_badly_and_was_never_said(ten: Life, clips: list[Clip]) -> None:
    heard = [(turn, words) for clip in clips for turn, words in zip(clip.observation.turns, clip.words, strict=True)]
    false = [turn for turn, words in heard if not words]
    true = [turn for turn, words in heard if words]
    assert len(false) == len(ten.garbage) > 10
    said = {one.text for one in truth(ten.world).lines}
    assert not {one.text for one in false} & said
    assert max(turn.confidence for turn in false) < 0.7 and min(turn.confidence for turn in true) >= 0.6


def test_two_in_a_hundred_memories_are_garbage(tmp_path: Path) -> None:
    from robot_memory.evaluation.subjects.memory import MemorySubject

    life = make(5, Size(days=2))
    subject = MemorySubject(tmp_path)
    try:
        for clip in stream(life):
            subject.watch(clip.observation, clip.session)
        with subject._store.snapshot() as db:
            assert 0.01 <= garbage_share(db, life) <= 0.03
            assert garbage_share(db, life, (1,)) == 0.0
    finally:
        subject.close()


def test_a_trial_asks_about_months_and_habits(ten: Life) -> None:
    one, asked = trial(ten, 5)
    assert list(one.questions) == [both.question for both in asked]
    assert len({question.id for question in one.questions}) == len(one.questions)
    assert any(not both.month and "usually" in both.question.text for both in asked)


def test_what_a_memory_derives_is_scored_against_the_habits(ten: Life) -> None:
    perfect = [_derived(habit) for habit in ten.habits]
    full = score_routines(perfect, ten)
    assert (full.precision, full.recall) == (1.0, 1.0)
    other_room = [replace(perfect[0], room="somewhere else"), *perfect[1:]]
    wrong = score_routines(other_room, ten)
    assert wrong.precision < 1.0 and wrong.recall < 1.0
    assert score_routines([replace(perfect[0], first_hour=20, last_hour=21)], ten).precision == 0.0
    assert score_routines([replace(perfect[0], who="Nobody")], ten).precision == 0.0
    others = frozenset(range(7)) - frozenset(ten.habits[0].weekdays)
    if others:
        assert score_routines([replace(perfect[0], weekdays=others)], ten).precision == 0.0
    nothing = score_routines([], ten)
    assert (nothing.precision, nothing.recall) == (1.0, 0.0)


def test_a_broken_habit_is_to_be_given_up_within_a_week(ten: Life) -> None:
    broken = replace(ten.habits[0], broken=1)
    life = replace(ten, habits=(broken,))
    held = score_routines([_derived(broken)], life)
    assert (held.precision, held.missed, held.noticed) == (0.0, 1, ())
    noticed = score_routines([replace(_derived(broken), until_day=6)], life)
    assert (noticed.precision, noticed.missed, noticed.noticed) == (1.0, 0, (5,))
    assert score_routines([_derived(broken)], life, until_day=7).precision == 1.0
    given_up = [replace(_derived(ten.habits[1]), until_day=6)]
    assert score_routines(given_up, ten).precision == 0.0


def _derived(habit: Habit) -> Derived:
    return Derived(habit.who, habit.room, habit.first_hour, habit.last_hour, frozenset(habit.weekdays))


def _days_of(life: Life, seen: list[Appearance], habit: Habit) -> set[int]:
    """The days on which the person was seen in the habit's room at its hour."""
    day = _day_of(life)
    return {
        day(one.start_ns)
        for one in seen
        if one.who == habit.who
        and one.place == habit.room
        and habit.first_hour <= life.world.local(one.start_ns).hour < habit.last_hour + 1
    }


def _day_of(life: Life) -> Callable[[int], int]:
    dates = {life.date(day.number): day.number for day in life.world.days}
    return lambda at_ns: dates[life.world.local(at_ns).date()]
