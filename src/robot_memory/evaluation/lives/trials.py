"""A life as a trial: its stream, its questions and its truth; garbage is in the stream alone."""

from __future__ import annotations

from functools import partial

from robot_memory.evaluation.lives.asking import A_MONTH, MonthlyQuestion, questions
from robot_memory.evaluation.lives.life import Life
from robot_memory.evaluation.lives.stream import stream
from robot_memory.evaluation.trial import Trial
from robot_memory.evaluation.worlds.oracle import PERFECT, Oracle
from robot_memory.evaluation.worlds.trials import ROLES
from robot_memory.evaluation.worlds.truths import truth


def trial(life: Life, a_month: int = A_MONTH, how: Oracle = PERFECT) -> tuple[Trial, tuple[MonthlyQuestion, ...]]:
    """The trial of a life with `a_month` questions about each month, and which month each question is about."""
    asked = questions(life, a_month)
    clips = partial(stream, life, how)
    models = dict.fromkeys(ROLES, "oracle")
    return Trial(life.name, truth(life.world), tuple(one.question for one in asked), clips, models), asked
