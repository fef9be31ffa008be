"""Who is this? The faces in a picture, or the voices in a recording, by those the robot knows.

Judged by the same rules as what the robot sees and hears itself; nothing is learnt from it and nothing is kept.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import CameraSettings, MicrophoneSettings, PerceptionSettings
from robot_memory.devices import pictures, sound
from robot_memory.devices.sources import Kind, Source, SourceRefused, source
from robot_memory.memory.entities import pairs
from robot_memory.memory.entities.gallery import Gallery
from robot_memory.memory.entities.rule import MatchRule
from robot_memory.memory.people.people import People, Person
from robot_memory.memory.vectors.index import Vector
from robot_memory.models.manifest import load_profile
from robot_memory.perception.senses import open_eyes, open_voices
from robot_memory.perception.speech import TurnDetector
from robot_memory.perception.voices import group_turns
from robot_memory.streams.media import SAMPLE_RATE, Frame

LONGEST_S = 300  # of a recording; a voice is known by a few seconds


@dataclass(frozen=True)
class Recognised:
    """A face or a voice, and whose it is. `person` None: nobody known; `unsure`: somebody known, but it cannot be told
    who. `score`: the cosine of the best.
    """

    what: str
    person: Person | None
    score: float
    unsure: bool = False

    def line(self) -> str:
        """ "face at 120, 80 (64 pixels wide): Grace (person_2), cosine 0.71"."""
        if self.person is not None:
            known = f"{self.person.describe()} ({self.person.token})"
            return f"{self.what}: {known}, cosine {self.score:.2f}"
        who = "somebody I know, but I cannot tell who" if self.unsure else "nobody I know"
        return f"{self.what}: {who}, best cosine {self.score:.2f}"


def recognise(db: sqlite3.Connection, file: Path, settings: PerceptionSettings) -> list[Recognised]:
    """Everyone in a picture or a recording, the largest face first, voices by first word. Raises SourceRefused for a
    file that is neither, SourceLost, ModelMissing or ModelCorrupt.
    """
    known = source(str(file))
    if known.kind is not Kind.FILE:
        raise SourceRefused(f"{file} is no file: give a picture or a recording")
    if file.suffix.lower() in pictures.SUFFIXES:
        return _in_picture(db, known, settings)
    return _in_sound(db, known, settings)


def _in_picture(db: sqlite3.Connection, file: Source, settings: PerceptionSettings) -> list[Recognised]:
    encoded = pictures.still(Path(file.address), CameraSettings())
    view = open_eyes(settings).see(Frame(0, encoded)) if encoded is not None else None
    if view is None or view.thumbnail is None:
        raise SourceRefused(f"{file} is no picture that can be read: give a JPEG or PNG")
    judge = _Judge(db, "face", "face_embedding", settings)
    seen = sorted(view.sightings, key=lambda face: -face.box[2])
    return [
        judge.of(f"face at {face.box[0]:.0f}, {face.box[1]:.0f} ({face.box[2]:.0f} pixels wide)", face.embedding)
        for face in seen
    ]


def _in_sound(db: sqlite3.Connection, file: Source, settings: PerceptionSettings) -> list[Recognised]:
    detector, embedder = open_voices(settings)
    turns = TurnDetector(detector, settings)
    stretches = [one for samples in _mono(file) for one in turns.feed(samples)] + turns.finish()
    embeddings = [embedder.embed(stretch.samples) for stretch in stretches]
    seconds = [len(stretch.samples) / SAMPLE_RATE for stretch in stretches]
    judge = _Judge(db, "voice", "speaker_embedding", settings)
    voices = group_turns(embeddings, seconds, embedder)
    return [judge.voice(embeddings, seconds, voices, number) for number in sorted(set(voices))]


def _mono(file: Source) -> Iterator[NDArray[np.int16]]:
    heard = 0
    for block in sound.blocks(file, MicrophoneSettings(rate=SAMPLE_RATE, channels=1)):
        yield block.samples
        heard += block.count
        if heard > LONGEST_S * SAMPLE_RATE:
            return


class _Judge:
    """Whose an embedding is, by everyone's faces or voices."""

    def __init__(self, db: sqlite3.Connection, kind: str, role: str, settings: PerceptionSettings) -> None:
        model = load_profile(settings.profile).model(role)
        self._db, self._people = db, People(db)
        self._gallery = Gallery(MatchRule.of(model.thresholds))
        self._gallery.load(db, kind, model.name)

    def of(self, what: str, vector: Vector | None, seconds: float = 0.0) -> Recognised:
        if vector is None:
            return Recognised(f"{what}, too small to tell", None, 0.0)
        match = self._gallery.match(
            vector,
            seconds,
            person=lambda entity: pairs.person_of(self._db, entity),
            apart=lambda one, other: pairs.are_apart(self._db, one, other),
        )
        person = None if match.entity is None else self._people.of_entity(match.entity)
        return Recognised(what, person, match.score, match.doubtful)

    def voice(
        self, embeddings: list[Vector | None], seconds: list[float], voices: list[int], number: int
    ) -> Recognised:
        """One voice by all that it says."""
        mine = [n for n, voice in enumerate(voices) if voice == number and embeddings[n] is not None]
        spoken = sum(seconds[n] for n, voice in enumerate(voices) if voice == number)
        what = f"voice {number + 1} ({spoken:.0f} s)"
        if not mine:
            return Recognised(f"{what}, too little to tell", None, 0.0)
        weights = np.array([seconds[n] for n in mine], np.float32)
        vectors = np.stack([vector for n in mine if (vector := embeddings[n]) is not None])
        return self.of(what, self._gallery.pooled(vectors, weights), spoken)
