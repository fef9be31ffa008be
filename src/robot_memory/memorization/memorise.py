"""A perceived clip becomes memory, in one transaction: all of it or nothing, and the same clip only once."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace

from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization import identify
from robot_memory.memorization.describer import Describer
from robot_memory.memorization.naming.hearing import hear_names
from robot_memory.memorization.naming.own import introduced
from robot_memory.memorization.saliency.weigh import weigh
from robot_memory.memorization.scene import Appearance, Scene, Utterance, pose_at
from robot_memory.memorization.speech.told import Line
from robot_memory.memorization.stays import stays_before
from robot_memory.memorization.telling import day_of
from robot_memory.memory.budgets import Budget, keep_within
from robot_memory.memory.compression.archive import ArchiveBudget, trim
from robot_memory.memory.compression.online import NodeBudget, compress
from robot_memory.memory.graph import Change, MemoryGraph
from robot_memory.memory.insertion.order import reorder
from robot_memory.memory.people import votes
from robot_memory.memory.people.names import Nearness, nearness
from robot_memory.memory.people.people import People
from robot_memory.memory.people.settling import settle
from robot_memory.memory.reembed import embeddable
from robot_memory.streams.media import SECOND
from robot_memory.streams.observation import ClipObservation
from robot_memory.streams.sessions import Session

CLIPS_BEFORE, TALK_NS = 3, 60 * SECOND  # what was said before a clip and may be answered in it
AS_CALLED = (Nearness.SAME, Nearness.SOUND, Nearness.FIRST_NAME)
LOG = logging.getLogger("robot_memory.memory")


@dataclass(frozen=True)
class Stored:
    """What became of a clip. `memories` says of each whether it is new, or was there and is strengthened; `again` is
    True if the clip was in the store already; `skipped` says why nothing was remembered.
    """

    clip: int
    memories: Mapping[int, bool]
    skipped: str
    again: bool


class Memoriser:
    """Puts clips into the memory graph, one at a time."""

    def __init__(
        self,
        graph: MemoryGraph,
        embedder: TextEmbedder,
        describer: Describer,
        min_enrol_s: float,
        budgets: Mapping[str, Budget] | None = None,
        nodes: NodeBudget = NodeBudget(0),  # noqa: B008
        archive: ArchiveBudget = ArchiveBudget(0, 0),  # noqa: B008
    ) -> None:
        """`budgets`: of "snapshots" and "quotes"; `nodes`: of memories, `archive`: of those archived."""
        self._graph, self._budgets = graph, budgets or {}
        self._nodes, self._archive = nodes, archive
        self._embedder = embedder
        self._describer = describer
        self._min_enrol_s = min_enrol_s

    def memorise(self, observation: ClipObservation, session: Session) -> Stored:
        """Store the clip and all that follows from it. Doing it twice changes nothing."""
        if (known := self._known(observation)) is not None:
            return known
        observation = self._comparable(observation)
        with self._graph.change() as change:
            clip = _add_clip(change.db, observation, session)
            for kind, budget in self._budgets.items():
                keep_within(change.db, kind, budget)
            if observation.skipped:
                return Stored(clip, {}, observation.skipped, again=False)
            scene = self._recognise(change, clip, observation, session.utc_offset_s)
            _vote(change.db, scene)
            hear_names(change.db, scene)
            scene = replace(scene, talk=_talk_before(change.db, scene), named=_Named(change.db))
            memories = self._remember(change, scene)
            _keep_snapshots(change.db, scene)
            weigh(change.db, clip, memories)
            self._compress(change)
        return Stored(clip, memories, "", again=False)

    def _known(self, observation: ClipObservation) -> Stored | None:
        row = (
            self._graph.store.reader()
            .execute(
                "SELECT id, skipped FROM clips WHERE session = ? AND sequence = ?",
                (observation.session, observation.sequence),
            )
            .fetchone()
        )
        return Stored(row["id"], {}, row["skipped"], again=True) if row else None

    def _comparable(self, observation: ClipObservation) -> ClipObservation:
        """The observation without embeddings of models that are not the graph's: they would match at random."""
        ours = {"face_embedding": self._graph.models.face, "speaker_embedding": self._graph.models.voice}
        foreign = {role for role, name in observation.embedders.items() if ours.get(role, name) != name}
        if foreign:
            LOG.warning("clip %d was perceived with other models (%s)", observation.sequence, observation.embedders)
        tracks = () if "face_embedding" in foreign else observation.tracks
        mute = "speaker_embedding" in foreign
        turns = tuple(replace(turn, embedding=None) for turn in observation.turns) if mute else observation.turns
        return replace(observation, tracks=tracks, turns=turns)

    def _recognise(self, change: Change, clip: int, observation: ClipObservation, offset_s: int) -> Scene:
        faces = identify.faces(change, clip, observation.tracks)
        voices = identify.voices(change, clip, observation, self._min_enrol_s)
        for track, face in zip(observation.tracks, faces, strict=True):
            if face is not None:
                change.db.execute(
                    "INSERT INTO sightings(clip, entity, start_ns, end_ns) VALUES (?, ?, ?, ?)",
                    (clip, face, track.start_ns, track.end_ns),
                )
        utterances = []
        for turn, voice in zip(observation.turns, voices, strict=True):
            row = change.db.execute(
                "INSERT INTO turns(clip, entity, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, ?, ?)",
                (clip, voice, turn.start_ns, turn.end_ns, turn.text, turn.confidence),
            ).lastrowid
            assert row is not None
            utterances.append(Utterance(turn, row, voice))
        appearances = tuple(Appearance(track, face) for track, face in zip(observation.tracks, faces, strict=True))
        before = stays_before(change.db, clip, observation)
        return Scene(clip, observation, appearances, tuple(utterances), offset_s=offset_s, before=before)

    def _remember(self, change: Change, scene: Scene) -> dict[int, bool]:
        sentences = self._describer.describe(scene)
        vectors = self._embedder.embed([embeddable(sentence.text) for sentence in sentences])
        remembered = dict[int, bool]()
        for sentence, vector in zip(sentences, vectors, strict=True):
            memory, new = change.remember(scene.clip, sentence, vector)
            remembered[memory] = remembered.get(memory, new)
        return remembered

    def _compress(self, change: Change) -> None:
        """Last in the transaction: by then all that is new is there to be weighed."""
        added = {memory: vector for memory, vector, _ in change.memories}
        done = compress(change.db, self._graph.models.text, added, self._nodes)
        if done.going:
            change.archive(done.going)
        trim(change.db, self._archive)


class _Named:
    """Whom a name means to those who talk: the one person who is called so, by a token; empty for nobody or several."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._people: People | None = None

    def __call__(self, name: str) -> str:
        self._people = self._people or People(self._db)  # most clips name nobody
        called = [one for one in self._people.called(name) if nearness(name, one.name) in AS_CALLED]
        return called[0].tokens[0] if len(called) == 1 else ""


def _talk_before(db: sqlite3.Connection, scene: Scene) -> tuple[Line, ...]:
    """What was said in the last minute before a clip."""
    start_ns = scene.observation.start_ns
    rows = db.execute(
        "SELECT turns.start_ns, entity, text FROM turns JOIN clips ON clips.id = clip WHERE session = ? AND clip < ? "
        "AND clip >= ? AND turns.start_ns >= ? AND text != '' ORDER BY turns.start_ns, turns.id",
        (scene.observation.session, scene.clip, scene.clip - CLIPS_BEFORE, start_ns - TALK_NS),
    )
    return tuple(
        Line(
            row["text"],
            f"voice_{row['entity']}" if row["entity"] is not None else "",
            row["start_ns"],
            day_of(row["start_ns"], scene.offset_s),
        )
        for row in rows
    )


def _add_clip(db: sqlite3.Connection, observation: ClipObservation, session: Session) -> int:
    db.execute(
        "INSERT OR IGNORE INTO sessions(id, bag_uri, bag_fingerprint, utc_offset_s, zone, boot_id, clock, origin_ns)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            session.bag_uri,
            session.bag_fingerprint,
            session.utc_offset_s,
            session.zone,
            session.boot_id,
            session.clock,
            session.origin_ns,
        ),
    )
    row = db.execute(
        "INSERT INTO clips(session, sequence, start_ns, end_ns, frames, audio_s, skipped) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            observation.sequence,
            observation.start_ns,
            observation.end_ns,
            observation.frames,
            observation.audio_s,
            observation.skipped,
        ),
    )
    assert row.lastrowid is not None
    return row.lastrowid


def _vote(db: sqlite3.Connection, scene: Scene) -> None:
    """One vote a turn, shared by the faces in view while it was spoken; then the persons of the scene follow."""
    for said in scene.utterances:
        if said.voice is not None:
            there = scene.faces_during(said.turn.start_ns, said.turn.end_ns)
            faces = tuple(sorted({one.face for one in there if one.face is not None}))
            unknown = sum(one.face is None for one in there)
            turn = votes.Turn(said.voice, faces, unknown, bool(introduced(said.turn.text)))
            votes.cast(db, turn, scene.clip, said.turn.start_ns, row=said.row)
    met = {one.face for one in scene.appearances} | {said.voice for said in scene.utterances}
    changed = settle(db, sorted(one for one in met if one is not None), scene.clip, scene.observation.end_ns)
    reorder(db, changed)


def _keep_snapshots(db: sqlite3.Connection, scene: Scene) -> None:
    db.executemany(
        "INSERT INTO snapshots(clip, stamp_ns, pose, jpeg) VALUES (?, ?, ?, ?)",
        [(scene.clip, key.stamp_ns, pose_at(scene, key.stamp_ns), key.jpeg) for key in scene.observation.keyframes],
    )
