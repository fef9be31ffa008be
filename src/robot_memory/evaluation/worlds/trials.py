"""A world as a trial: its stream perfectly perceived, its questions and its truth."""

from __future__ import annotations

from functools import partial

from robot_memory.evaluation.trial import Trial
from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.oracle import PERFECT, Oracle, oracle
from robot_memory.evaluation.worlds.questions import COUNT, questions
from robot_memory.evaluation.worlds.truths import truth
from robot_memory.evaluation.worlds.world import World

ROLES = ("face_embedding", "speaker_embedding", "transcription")


def trial(
    seed: int,
    days: int = 3,
    people: int = 6,
    rooms: int = 4,
    count: int = COUNT,
    how: Oracle = PERFECT,
) -> Trial:
    """The trial of a seed's world with `count` questions. Raises WorldImpossible."""
    return of(make(seed, days, people, rooms), count, how)


def of(world: World, count: int = COUNT, how: Oracle = PERFECT) -> Trial:
    """The trial of a world that is made already."""
    models = dict.fromkeys(ROLES, "oracle")
    return Trial(world.name, truth(world), questions(world, count), partial(oracle, world, how), models)
