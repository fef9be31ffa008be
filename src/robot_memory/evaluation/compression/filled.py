"""A memory that has watched a whole trial, ready to be copied and compressed in many ways.

Vectors are made once for each text: what is said every day is embedded on the first.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation.compression.cases import Case
from robot_memory.evaluation.scoring.identities import VOICE, Item, label_of
from robot_memory.evaluation.subject import Labels
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.language.embedder import TextEmbedder
from robot_memory.language.opening import open_text_embedder
from robot_memory.models.manifest import load_profile

FILE = "memory.sqlite"


class CachedEmbedder:
    """A TextEmbedder that makes each text's vector once."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([self._known[text] for text in texts])


@dataclass(frozen=True)
class Filled:
    """`askers`: true name -> the memory's own label of a person, as known at the end."""

    case: Case
    file: Path
    embedder: TextEmbedder
    askers: Mapping[str, str]
    clips: int
    watch_s: float

    def copy(self, folder: Path) -> MemorySubject:
        """A memory of the same in another folder. Its owner closes it."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.file, folder / FILE)
        return MemorySubject(folder, profile=self.case.profile, embedder=self.embedder)


def embedder_of(profile: str) -> CachedEmbedder:
    """The text embedder of a profile, empty for the default. Raises ModelMissing."""
    models = load_profile(profile or PerceptionSettings().profile)
    return CachedEmbedder(open_text_embedder(models.model("text_embedding")))


def fill(case: Case, folder: Path, embedder: TextEmbedder, progress: Callable[[float], None]) -> Filled:
    """Let a fresh memory in `folder` watch the whole case."""
    folder.mkdir(parents=True, exist_ok=True)
    subject, known, turns = MemorySubject(folder, profile=case.profile, embedder=embedder), case.trial.truth, []
    begun, clips = time.perf_counter(), 0
    try:
        for clip in case.trial.clips():
            seen = clip.observation
            subject.watch(seen, clip.session)
            turns.append((clip.key, [(turn.start_ns, who) for turn, who in zip(seen.turns, clip.voices, strict=True)]))
            clips += 1
            progress(min(1.0, (seen.end_ns - known.start_ns) / max(1, known.end_ns - known.start_ns)))
        watch_s = time.perf_counter() - begun
        labels, items = subject.labels(), list[Item]()
        for key, its_turns in turns:
            own = labels.get(key, Labels((), ())).voices
            items += [Item(at, VOICE, who, own[n] if n < len(own) else None) for n, (at, who) in enumerate(its_turns)]
    finally:
        subject.close()
    askers = {who: label_of(items, who) for who in sorted({item.who for item in items} - {""})}
    return Filled(case, folder / FILE, embedder, askers, clips, watch_s)
