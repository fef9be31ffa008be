"""What to measure on, by a word of the command line: worlds by their seeds, a bag with its truth, a public set.

A source is only a name and a recipe until it is opened, so that it can be sent to another process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from robot_memory.config import expanded
from robot_memory.errors import RobotMemoryError
from robot_memory.evaluation import questionfile
from robot_memory.evaluation.options import MOST_SEED
from robot_memory.evaluation.trial import Question, Trial
from robot_memory.evaluation.truth import Truth
from robot_memory.streams import bagfiles

if TYPE_CHECKING:
    from robot_memory.evaluation.worlds.mishaps.rates import Mishaps

SEEDS = re.compile(r"[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*")
MOST_SEEDS = 10_000


class SourceUnknown(RobotMemoryError):
    """There is nothing of this name to measure on."""


class Source(Protocol):
    """Something that becomes a trial. Picklable; opens and loads nothing before `open`."""

    @property
    def name(self) -> str: ...

    def open(self) -> Trial: ...


Finder = Callable[[str, Path | None], Sequence[Source]]  # the word and the --data file, to sources


@dataclass(frozen=True)
class WorldSource:
    """A generated world, perfectly perceived but for its mishaps. `later`: asked so many days after its end."""

    seed: int
    mishaps: Mishaps | None = None
    later: float | None = None

    @property
    def name(self) -> str:
        return f"world {self.seed}"

    def open(self) -> Trial:
        from robot_memory.evaluation.worlds.trials import trial

        return _asked(_perceived(trial(self.seed), self.mishaps), self.later)


@dataclass(frozen=True)
class WorldFolder:
    """A world that `world make` wrote, with the questions that lie in its folder, which may be somebody's own."""

    folder: Path
    questions: Path | None = None
    mishaps: Mishaps | None = None
    later: float | None = None

    @property
    def name(self) -> str:
        return f"world {self.folder.name}"

    def open(self) -> Trial:
        """Raises WorldUnreadable or ScriptInvalid."""
        from robot_memory.evaluation.worlds import files, trials

        trial = _perceived(trials.of(files.load(self.folder)), self.mishaps)
        path = self.questions or self.folder / questionfile.FILE
        if self.questions or path.exists():
            trial = replace(trial, questions=questionfile.read(path, trial.truth.start_ns))
        return _asked(trial, self.later)


@dataclass(frozen=True)
class BagSource:
    """A bag with `truth.json` beside it, as the product's own models perceive it. `questions`: by default
    `questions.yaml` or `questions.json` beside the bag; a bag without any is measured by its persons and facts.
    """

    bag: Path
    questions: Path | None = None

    @property
    def name(self) -> str:
        return f"bag {self.bag.name}"

    def open(self) -> Trial:
        """Raises SourceUnknown if there is no truth, TruthUnreadable or ScriptInvalid."""
        from robot_memory.config import PerceptionSettings
        from robot_memory.evaluation import perceived
        from robot_memory.models.manifest import load_profile

        if self.bag.suffix in (".yaml", ".yml"):
            raise SourceUnknown(f"{self.bag}: that is a script: robot-memory world render makes a bag of it")
        truth = perceived.truth_of(self.bag)
        if truth is None:
            raise SourceUnknown(
                f"{self.bag}: there is no truth.json beside the bag, so nothing to score by: robot-memory world render "
                "writes one, docs/stories.md shows its form"
            )
        profile = load_profile(PerceptionSettings().profile)
        models = {model.role: model.name for model in profile.models}
        clips = perceived.clips_of(self.bag, truth, truth.zone)
        return Trial(self.name, truth, self._asked(truth), clips, models)

    def _asked(self, truth: Truth) -> tuple[Question, ...]:
        path = self.questions or questionfile.beside(self.bag)
        return questionfile.read(path, truth.start_ns) if path else ()


def _locomo(what: str, data: Path | None) -> Sequence[Source]:
    from robot_memory.evaluation.public import locomo

    if data is None:
        raise SourceUnknown(f"{what} needs its data: --data FILE.json, as published with LoCoMo")
    return locomo.sources(data)


# Public sets register here: word -> Finder. Seeds, worlds in folders and bags need no entry.
SOURCES: dict[str, Finder] = {"locomo": _locomo}


def kind(what: str) -> str:
    """Which sort of thing a word means: seeds, world, bag, or a set of SOURCES. Raises SourceUnknown."""
    if what in SOURCES:
        return what
    if SEEDS.fullmatch(what):
        return "seeds"
    path = expanded(what)
    if what.strip() and (path / "world.json").exists() and not (path / "metadata.yaml").exists():
        return "world"
    if what.strip() and _bags_in(path):
        return "bags"
    if what.strip() and path.exists():
        return "bag"
    known = "".join(f", {name}" for name in sorted(SOURCES))
    raise SourceUnknown(
        f"{what!r} is nothing to measure on: write seeds of worlds (7, 0-19, 1,4), a world's folder, a bag, "
        f"a folder of bags{known}"
    )


def sources(
    what: str, data: Path | None = None, mishaps: Mishaps | None = None, later: float | None = None
) -> list[Source]:
    """The sources that a word means: "7", "0-19", "1,4,8-10", a world's folder, a bag or a folder of them, or a
    set of SOURCES. `mishaps` befall worlds alone: a bag and a set have their own. `later`: worlds are asked so many
    days after their end.

    Raises SourceUnknown, also where the questions of a world or a bag are not there, or what the set's own file lacks.
    """
    found = kind(what)
    if finder := SOURCES.get(found):
        return list(finder(what, data))
    if found == "seeds":
        return [WorldSource(seed, mishaps, later) for seed in seeds(what)]
    if data is not None and not data.is_file():
        raise SourceUnknown(f"--data {data}: there is no such file — give the questions about {what}")
    path = expanded(what)
    if found == "bags":
        return [BagSource(one) for one in _bags_in(path)]
    return [WorldFolder(path, data, mishaps, later) if found == "world" else BagSource(path, data)]


def _perceived(trial: Trial, mishaps: Mishaps | None) -> Trial:
    from robot_memory.evaluation.worlds.mishaps.spoil import spoiled

    return spoiled(trial, mishaps) if mishaps else trial


def _asked(trial: Trial, later: float | None) -> Trial:
    from robot_memory.evaluation.worlds.later import asked_later

    return trial if later is None else asked_later(trial, later)


def _bags_in(path: Path) -> list[Path]:
    """The bags right below a folder that is none itself."""
    if not path.is_dir() or _is_bag(path):
        return []
    return [one for one in sorted(path.iterdir()) if one.is_dir() and _is_bag(one)]


def _is_bag(folder: Path) -> bool:
    return (folder / bagfiles.METADATA).exists() or any(bagfiles.is_storage(one) for one in folder.iterdir())


def seeds(what: str) -> list[int]:
    """The seeds of "7", "0-19" or "1,4,8-10", each once. Raises SourceUnknown."""
    if not SEEDS.fullmatch(what):
        raise SourceUnknown(f"{what[:40]!r} are no seeds: write them as in 7, 0-19 or 1,4,8-10")
    found: list[int] = []
    for part in what.split(","):
        first, _, last = part.partition("-")
        if max(len(first), len(last)) > len(str(MOST_SEED)) or int(last or first) > MOST_SEED:
            raise SourceUnknown(f"seeds {part[:40]}: a seed is a whole number from 0 to {MOST_SEED}")
        low, high = int(first), int(last or first)
        if not low <= high < low + MOST_SEEDS:
            raise SourceUnknown(f"seeds {part}: write the lower first, at most {MOST_SEEDS:,} of them")
        found += range(low, high + 1)
    return list(dict.fromkeys(found))
