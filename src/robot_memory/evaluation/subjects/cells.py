"""The product with its words, its people, or both put right: beside `memory` itself, the four cells.

What `memory+words` gets right and `memory` does not was lost to speech recognition; what `memory+people` gets right,
to the recognition of faces and voices.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from robot_memory.evaluation.cells import cell
from robot_memory.evaluation.subject import Key
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Trial
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session


class CellSubject(MemorySubject):
    """A fresh memory in `folder` that is given a cell's observations in place of the perceived ones."""

    def __init__(self, folder: Path, trial: Trial, words: bool = False, people: bool = False) -> None:
        right = {"words": words, "people": people}
        super().__init__(folder, name="+".join(["memory", *(what for what, put in right.items() if put)]))
        self._models |= {what: "oracle" for what, put in right.items() if put}
        change = cell(words, people)
        self._instead: dict[Key, ClipObservation] = {clip.key: change(clip).observation for clip in trial.clips()}

    def watch(self, observation: ClipObservation, session: Session) -> None:
        super().watch(self._instead[observation.session, observation.sequence], session)


with_words = partial(CellSubject, words=True)
with_people = partial(CellSubject, people=True)
with_both = partial(CellSubject, words=True, people=True)
