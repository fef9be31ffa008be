"""The product where an operator has said who is who: each voice is named after its true speaker when it is first known.

As in a home where people were introduced once. Everything else the product finds out itself, so this shows what is
lost by not knowing names, and stands beside the baselines that are told the speakers.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from robot_memory.evaluation.subject import Key
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Trial
from robot_memory.memory.people.corrections import name_person
from robot_memory.memory.people.journal import Word
from robot_memory.memory.people.people import People
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session


class NamedSubject(MemorySubject):
    """A fresh memory in `folder` whose operator knows everyone's voice."""

    def __init__(self, folder: Path, trial: Trial, forced: bool = False) -> None:
        """`forced`: it must guess where it does not know."""
        super().__init__(folder, name="memory+names+forced" if forced else "memory+names", forced=forced)
        self._models |= {"names": "given by an operator who knows (from the trial)"}
        self._speakers = {clip.key: clip.voices for clip in trial.clips()}
        self._named = set[str]()

    def watch(self, observation: ClipObservation, session: Session) -> None:
        super().watch(observation, session)
        key: Key = observation.session, observation.sequence
        for voice, name in zip(self._entities(key)[1], self._speakers.get(key, ())):
            if voice is not None and name and name not in self._named:
                self._named.add(name)
                with self._store.write() as db:
                    name_person(db, People(db).of_entity(voice).token, name, Word("operator", "", observation.end_ns))


forced = partial(NamedSubject, forced=True)
