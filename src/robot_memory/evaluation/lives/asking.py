"""The questions of a life, all asked at its end: about each month, and about habits.

A question about a month can be answered by evidence of that month alone, and the rest of the life changes nothing in
its answer. Nearly half of them cannot be answered, as in any world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from robot_memory.evaluation.lives.life import WEEKDAYS, Habit, Life, Month
from robot_memory.evaluation.trial import Expected, Question
from robot_memory.evaluation.truth import Truth
from robot_memory.evaluation.worlds.asking import BY_FACT, ME, Unclear
from robot_memory.evaluation.worlds.bank import load
from robot_memory.evaluation.worlds.dice import dice
from robot_memory.evaluation.worlds.pool import Pool, Posed, answer_of
from robot_memory.evaluation.worlds.questions import AFTER_NS, Chooser, allowed_ways, worded
from robot_memory.evaluation.worlds.record import Record
from robot_memory.evaluation.worlds.referring import refs
from robot_memory.evaluation.worlds.truths import truth

A_MONTH = 20  # questions


@dataclass(frozen=True)
class MonthlyQuestion:
    """A question and the month that its evidence lies in; `month` is empty for a question about habits."""

    month: str
    question: Question


def questions(
    life: Life, a_month: int = A_MONTH, progress: Callable[[float], None] = lambda done: None
) -> tuple[MonthlyQuestion, ...]:
    """The questions about each month, then those about habits."""
    known = truth(life.world)
    at_ns = life.world.days[-1].end_ns + AFTER_NS
    whole = Record(life.world, known, at_ns)
    found: list[MonthlyQuestion] = []
    for n, month in enumerate(life.months):
        posed = _about(life, month, known, whole)
        throw = dice(life.name, "questions", month.name)
        chooser = Chooser(throw)
        chooser.choose(posed, a_month)
        asked = worded(life.world, load(), throw, chooser.chosen)
        found += [MonthlyQuestion(month.name, replace(one, id=f"{life.name}-{month.name}-{one.id}")) for one in asked]
        progress((n + 1) / len(life.months))
    return (*found, *(MonthlyQuestion("", one) for one in about_habits(life)))


class _MonthRecord(Record):
    """What was seen, heard and stated in one month, looked back upon from the end."""

    def __init__(self, life: Life, month: Month, known: Truth, until_ns: int) -> None:
        super().__init__(life.world, known, until_ns)
        days = range(month.first, month.end)
        self.days = [day for day in self.days if day in days]
        self.seen = [one for one in self.seen if one.day in days]
        self.heard = [one for one in self.heard if one.day in days]
        self.stated = [one for one in self.stated if one.line.day in days]
        self.index()


def _about(life: Life, month: Month, known: Truth, whole: Record) -> list[Posed]:
    """What may be asked about a month: the whole life gives the same answer by the same evidence."""
    record = _MonthRecord(life, month, known, whole.until_ns)
    described = {(one.words, one.who) for one in refs(whole)[BY_FACT]}
    pool = Pool(dice(life.name, "pool", month.name), record, whole, allowed_ways(load()))
    return [one for one in pool.posed() if _stands(one, whole, described)]


def _stands(one: Posed, whole: Record, described: set[tuple[str, str]]) -> bool:
    asked = one.ask.subject
    if asked is not None and asked.how == ME:
        return False  # who asks would have to be recognised a year later
    if asked is not None and asked.how == BY_FACT and (asked.words, asked.who) not in described:
        return False
    try:
        return one.answer is None or answer_of(one.kind, whole, one.ask) == one.answer
    except Unclear:
        return False


def about_habits(life: Life) -> tuple[Question, ...]:
    """Who, where and on which days by habit, of habits that stand at the end; and of somebody who has none."""
    at_ns = life.world.days[-1].end_ns + AFTER_NS
    standing = [one for one in life.habits if one.broken is None and _known(life, one)]
    made = [pair for habit in standing for pair in _of(life, habit)]
    with_habits = {habit.who for habit in life.habits}
    idle = [one.name for one in life.world.people if one.kind == "regular" and one.name not in with_habits]
    if idle and standing:
        text = f"At what time does {idle[0]} usually come into the {standing[0].room}?"
        made.append((text, Expected("none")))
    return tuple(
        Question(f"{life.name}-habit-{n:02d}", text, at_ns, "general", expected, (), True)
        for n, (text, expected) in enumerate(made, start=1)
    )


def _known(life: Life, habit: Habit) -> bool:
    """Are the names of the person and of the room told aloud?"""
    return habit.who in life.world.named and habit.room in life.world.rooms_named


def _of(life: Life, habit: Habit) -> Iterator[tuple[str, Expected]]:
    hour = f"{(habit.first_hour - 1) % 12 + 1} {'am' if habit.first_hour < 12 else 'pm'}"
    people = tuple(one.name for one in life.world.people if one.name != habit.who)
    others = tuple(one.name for one in life.world.rooms if one.name != habit.room)
    weekday = WEEKDAYS[habit.weekdays[0]]
    yield f"Who usually comes into the {habit.room} after {hour}?", Expected("names", (habit.who,), traps=people)
    text = f"Which room does {habit.who} usually come into on {weekday}s after {hour}?"
    yield text, Expected("text", (habit.room,), traps=others)
    free = [day for n, day in enumerate(WEEKDAYS) if n not in habit.weekdays]
    if free:
        text = f"Does {habit.who} usually come into the {habit.room} on {free[-1]}s?"
        yield text, Expected("yesno", ("no",))
    yield f"Does {habit.who} usually come into the {habit.room} on {weekday}s?", Expected("yesno", ("yes",))
