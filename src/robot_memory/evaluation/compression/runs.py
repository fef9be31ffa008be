"""Every case with every compressor at every ratio, one after the other; what was measured before an interrupt stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from robot_memory.evaluation.compression.cases import Recipe
from robot_memory.evaluation.compression.contenders import NONE, Contender
from robot_memory.evaluation.compression.filled import CachedEmbedder, embedder_of, fill
from robot_memory.evaluation.compression.measuring import Measured, measure
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.memory.compression.nodes import read_nodes

WHOLE = 0.0


@dataclass(frozen=True)
class Run:
    """One case with one compressor at one ratio of memories gone."""

    kind: str
    case: str
    compressor: str
    ratio: float
    measured: Measured


@dataclass
class Runs:
    """All that was measured. `watched`: case -> clips and seconds; `embedders`: kind -> name."""

    runs: list[Run] = field(default_factory=list)
    watched: dict[str, tuple[int, float]] = field(default_factory=dict)
    embedders: dict[str, str] = field(default_factory=dict)
    questions: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False


def run_all(
    recipes: Sequence[Recipe], contenders: Sequence[Contender], ratios: Sequence[float], show: Callable[[str], None]
) -> Runs:
    """Measure all. An interrupt ends it; what is there is returned."""
    done, embedders = Runs(), dict[str, CachedEmbedder]()
    try:
        for number, recipe in enumerate(recipes, start=1):
            label = f"{recipe.name} ({number} of {len(recipes)})"
            if recipe.profile not in embedders:
                embedders[recipe.profile] = embedder_of(recipe.profile)
            with TemporaryDirectory(prefix="robot-memory-compression-") as folder:
                bench = _Bench(embedders[recipe.profile], Path(folder), label, show)
                bench.measure(recipe, contenders, ratios, done)
    except KeyboardInterrupt:
        done.interrupted = True
    return done


@dataclass(frozen=True)
class _Bench:
    """One case being measured in a folder of its own."""

    embedder: CachedEmbedder
    folder: Path
    label: str
    show: Callable[[str], None]

    def measure(self, recipe: Recipe, contenders: Sequence[Contender], ratios: Sequence[float], done: Runs) -> None:
        self._tell("making it")
        case = recipe.open()
        filled = fill(case, self.folder / "whole", self.embedder, partial(self._part, "watching"))
        done.watched[case.trial.name] = filled.clips, filled.watch_s
        done.embedders[case.kind] = self.embedder.name
        done.questions[case.trial.name] = len(case.trial.questions)
        plans = [(Contender(NONE), WHOLE)] if WHOLE in ratios else []
        plans += [(contender, ratio) for contender in contenders for ratio in ratios if ratio != WHOLE]
        for number, (contender, ratio) in enumerate(plans, start=1):
            asking = partial(self._part, f"{contender.name} at {100 * ratio:.0f} % ({number} of {len(plans)})")
            drop = _Drop(contender, ratio, recipe.seed) if ratio != WHOLE else None
            with TemporaryDirectory(dir=self.folder) as copy:
                measured = measure(filled, Path(copy), drop, asking)
            done.runs.append(Run(case.kind, case.trial.name, contender.name, ratio, measured))

    def _part(self, what: str, share: float) -> None:
        self._tell(f"{what}, {100 * share:.0f} %")

    def _tell(self, what: str) -> None:
        self.show(f"{self.label}: {what}")


@dataclass(frozen=True)
class _Drop:
    contender: Contender
    ratio: float
    seed: int

    def __call__(self, subject: MemorySubject) -> list[int]:
        with subject.graph.store.snapshot() as db:
            nodes = read_nodes(db)
        return self.contender.going(nodes, self.ratio, self.seed)
