"""The product's memory and controller behind perfect perception: what is wrong here is not the fault of eyes and ears.

`OracleSubject` sees every face, hears every word, and knows everyone by name from the first sight or sound on, also
those whose names are never spoken: it is an upper bound. The product's describer puts it into sentences. `with_facts`
is told every fact as well when it is said, as a frame. So the errors part in three: those of `memory` that `oracle`
does not make are perception's, those `oracle` makes and `oracle+facts` does not are the describer's, the rest is the
controller's (retrieval and answering).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from robot_memory.config import PerceptionSettings
from robot_memory.evaluation.cells import direction
from robot_memory.evaluation.subject import Asked, Claim, Key, Labels, Reply
from robot_memory.evaluation.subjects.memory import MemorySubject
from robot_memory.evaluation.trial import Trial
from robot_memory.evaluation.truth import Appearance, Fact, Said
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memory.insertion.sentence import Frame, Sentence
from robot_memory.memory.people.people import hear_name
from robot_memory.memory.people.settling import new_person
from robot_memory.models.manifest import load_profile
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation, FaceTrack, SpeechTurn
from robot_memory.streams.sessions import Session

VIEWS_NS = SECOND // 5
FEWEST = 3  # views of a track, or the product takes it for no face


class OracleSubject(MemorySubject):
    """A fresh memory in `folder` that is shown the trial's truth. Raises ModelMissing."""

    def __init__(self, folder: Path, trial: Trial, facts: bool = False) -> None:
        super().__init__(folder, name="oracle+facts" if facts else "oracle")
        profile = load_profile(PerceptionSettings().profile)
        self._face_dimension = profile.model("face_embedding").dimension or 128
        self._voice_dimension = profile.model("speaker_embedding").dimension or 256
        # however short a first word is, perfect perception knows whose it is
        self._memoriser = Memoriser(self._graph, self._embedder, self._witness, 0.0)
        self._truth, self._facts = trial.truth, facts
        self._labels = {
            clip.key: Labels(
                tuple(who or None for who in clip.faces),
                tuple(who or None for who in clip.voices),
            )
            for clip in trial.clips()
        }
        self._people: dict[str, int] = {}  # true name -> person
        self._entities_of: dict[int, str] = {}  # face or voice -> true name
        self._models |= {"perception": "oracle"} | ({"facts": "oracle"} if facts else {})

    def watch(self, observation: ClipObservation, session: Session) -> None:
        there = [a for a in self._truth.appearances if _meets(a, observation)]
        said = [one for one in self._truth.lines if observation.start_ns <= one.start_ns < observation.end_ns]
        super().watch(self._true(observation, there, said), session)
        key = observation.session, observation.sequence
        faces, voices = self._witness.entities.get(key, ([], []))
        met = {e: a.who for e, a in zip(faces, there) if e is not None}
        met |= {e: one.who for e, one in zip(voices, said) if e is not None}
        with self._graph.change() as change:
            clip = int(
                change.db.execute("SELECT id FROM clips WHERE session = ? AND sequence = ?", key).fetchone()["id"]
            )
            self._introduce(change.db, met, clip, observation.start_ns)
            for fact, at_ns in self._told_in(observation) if self._facts else ():
                sentence = self._sentence(fact, at_ns)
                change.remember(clip, sentence, self._embedder.embed([sentence.text])[0])

    def ask(self, question: Asked) -> Reply:
        person = self._people.get(question.asker)
        return super().ask(replace(question, asker=f"person_{person}" if person else ""))

    def labels(self) -> Mapping[Key, Labels]:
        """The true names, which are its labels."""
        return {key: self._labels[key] for key in self._watched if key in self._labels}

    def names(self) -> Mapping[str, str]:
        return {name: name for name in self._people}

    def claims(self) -> tuple[Claim, ...]:
        tokens = {f"person_{person}": name for name, person in self._people.items()}
        return tuple(replace(claim, subject=tokens.get(claim.subject, claim.subject)) for claim in super().claims())

    def _true(self, seen: ClipObservation, there: list[Appearance], said: list[Said]) -> ClipObservation:
        """The clip as perfect perception would give it."""
        speakers = list(dict.fromkeys(one.who for one in said))
        turns = tuple(self._turn(one, speakers.index(one.who)) for one in said)
        tracks = tuple(self._track(one, seen) for one in there)
        return replace(seen, tracks=tracks, turns=turns, embedders={}, skipped="")

    def _track(self, one: Appearance, seen: ClipObservation) -> FaceTrack:
        start_ns, end_ns = max(one.start_ns, seen.start_ns), min(one.end_ns, seen.end_ns - 1)
        stamps = np.linspace(start_ns, end_ns, max(FEWEST, (end_ns - start_ns) // VIEWS_NS)).astype(np.int64)
        view = direction(one.who, "face", self._face_dimension)[None]
        return FaceTrack(stamps, one.boxes(stamps).astype(np.float32), view, b"", 1.0)

    def _turn(self, one: Said, voice: int) -> SpeechTurn:
        embedding = direction(one.who, "voice", self._voice_dimension)
        return SpeechTurn(one.start_ns, one.end_ns, one.text, voice, embedding, 1.0, 0.0)

    def _introduce(self, db: sqlite3.Connection, met: Mapping[int, str], clip: int, at_ns: int) -> None:
        """Tell the memory who everyone is, as an operator would, and put right what its votes make of it."""
        for entity, who in met.items():
            if entity not in self._entities_of:
                self._entities_of[entity] = who
                hear_name(db, entity, who, "operator", clip, at_ns)
        for entity, who in self._entities_of.items():
            now = int(db.execute("SELECT person FROM entities WHERE id = ?", (entity,)).fetchone()["person"])
            if who not in self._people:  # a first vote may have joined a voice off screen to a face in view
                self._people[who] = new_person(db) if now in self._people.values() else now
            if now != (person := self._people[who]):
                db.execute("UPDATE entities SET person = ? WHERE id = ?", (person, entity))
                gone = not db.execute("SELECT 1 FROM entities WHERE person = ?", (now,)).fetchone()
                if gone and now not in self._people.values():
                    db.execute("UPDATE persons SET merged_into = ? WHERE id = ?", (person, now))
        # whom a vote joined to a face in view it has also made an alias of that person
        own = ((person,) for person in self._people.values())
        db.executemany("UPDATE persons SET merged_into = NULL WHERE id = ?", own)

    def _told_in(self, seen: ClipObservation) -> list[tuple[Fact, int]]:
        """The facts told in a clip, and when, in order of time."""
        told = [(at_ns, n) for n, fact in enumerate(self._truth.facts) for at_ns in fact.told]
        return [(self._truth.facts[n], at) for at, n in sorted(told) if seen.start_ns <= at < seen.end_ns]

    def _sentence(self, fact: Fact, at_ns: int) -> Sentence:
        entity = next((e for e, who in self._entities_of.items() if who == fact.subject), None)
        token = self._token(entity) if entity is not None else ""
        subject = f"<{token}>" if token else fact.subject
        verb = "is" if fact.polarity > 0 else "is not"
        text = f"The {fact.attribute} of {subject} {verb} {fact.value}."
        if fact.valid_until_ns is not None and fact.valid_until_ns <= at_ns:
            at_ns -= 1  # "I was a teacher, now I am a nurse": told in one breath, but one came before the other
        frame = Frame(subject, fact.attribute, fact.value, fact.polarity)
        return Sentence("semantic", text, at_ns, at_ns, "inferred", {token: 1.0} if token else {}, frame)

    def _token(self, entity: int) -> str:
        kind = self._store.reader().execute("SELECT kind FROM entities WHERE id = ?", (entity,)).fetchone()["kind"]
        return f"{kind}_{entity}"


def _meets(one: Appearance, clip: ClipObservation) -> bool:
    return one.start_ns < clip.end_ns and one.end_ns >= clip.start_ns


with_facts = partial(OracleSubject, facts=True)
