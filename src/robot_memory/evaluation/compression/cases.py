"""What compressors are measured on: LoCoMo made redundant, generated worlds, and lives; each a recipe until opened.

All questions are asked at the end, when everything has been compressed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from robot_memory.evaluation.compression.plan import SETS
from robot_memory.evaluation.subject import Found
from robot_memory.evaluation.trial import Question, Trial
from robot_memory.streams.media import SECOND

LOCOMO, WORLDS, LIVES = SETS
WORLD_DAYS = 5
AFTER_NS = 120 * SECOND


@dataclass(frozen=True)
class Case:
    """One trial to compress. `months`: question -> the month it is about; `garbage`: when each line began that nobody
    said; `first`: takes what was found for what it repeats; `profile`: of the models, empty for the default.
    """

    kind: str
    trial: Trial
    profile: str = ""
    months: Mapping[str, str] = field(default_factory=dict)
    garbage: frozenset[int] = frozenset()
    first: Callable[[Found], Found] = lambda found: found


@dataclass(frozen=True)
class Recipe:
    """How a case is made. `most`: questions at most, 0 for all; they are taken at even distances."""

    kind: str
    seed: int
    name: str
    data: Path | None = None
    days: int = 0
    most: int = 0
    profile: str = ""

    def open(self) -> Case:
        """Raises LocomoUnreadable."""
        case = {LOCOMO: _locomo, WORLDS: _world, LIVES: _life}[self.kind](self)
        return replace(case, trial=replace(case.trial, questions=_some(case.trial.questions, self.most)))


def recipes(
    kinds: Sequence[str], data: Path | None, seeds: Sequence[int], days: int, most: int, light: bool
) -> list[Recipe]:
    """A recipe for each conversation of LoCoMo and for each seed of worlds and lives. Raises LocomoUnreadable."""
    found: list[Recipe] = []
    profile = "light" if light else ""
    if LOCOMO in kinds:
        from robot_memory.evaluation.public.locomofile import load

        assert data is not None
        found += [Recipe(LOCOMO, 0, one.id, data, most=most, profile=profile) for one in load(data)]
    for kind in (WORLDS, LIVES):
        if kind in kinds:
            found += [Recipe(kind, seed, f"{kind} {seed}", days=days, most=most, profile=profile) for seed in seeds]
    return found


def _locomo(recipe: Recipe) -> Case:
    from robot_memory.evaluation.compression.redundancy import redundant
    from robot_memory.evaluation.public.locomofile import load

    assert recipe.data is not None
    talk = next(one for one in load(recipe.data) if one.id == recipe.name)
    made = redundant(talk, recipe.seed)
    return Case(LOCOMO, made.trial, recipe.profile, first=made.heard_first)


def _world(recipe: Recipe) -> Case:
    from robot_memory.evaluation.worlds.make import make
    from robot_memory.evaluation.worlds.questions import questions_at
    from robot_memory.evaluation.worlds.trials import of

    world = make(recipe.seed, WORLD_DAYS)
    asked = questions_at(world, world.days[-1].end_ns + AFTER_NS)
    return Case(WORLDS, replace(of(world, 0), questions=asked), recipe.profile)


def _life(recipe: Recipe) -> Case:
    from robot_memory.evaluation.lives.life import Size
    from robot_memory.evaluation.lives.make import make
    from robot_memory.evaluation.lives.trials import trial

    life = make(recipe.seed, Size(days=recipe.days))
    made, asked = trial(life)
    months = {one.question.id: one.month or "habits" for one in asked}
    return Case(LIVES, made, recipe.profile, months, frozenset(one.start_ns for one in life.garbage))


def _some(questions: Sequence[Question], most: int) -> tuple[Question, ...]:
    if not most or len(questions) <= most:
        return tuple(questions)
    step = len(questions) / most
    return tuple(questions[int(n * step)] for n in range(most))
