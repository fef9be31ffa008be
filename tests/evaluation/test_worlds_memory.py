"""The memory takes a world's stream as it takes a robot's, and finds one face for each person who was seen."""

from __future__ import annotations

from collections import defaultdict

from robot_memory.evaluation.worlds.make import make
from robot_memory.evaluation.worlds.oracle import Oracle, oracle
from robot_memory.language.embedder import TextEmbedder
from robot_memory.memorization.describer import TranscriptDescriber
from robot_memory.memorization.memorise import Memoriser
from robot_memory.memory.graph import MemoryGraph


def test_one_face_for_each_person_seen(graph: MemoryGraph, embedder: TextEmbedder) -> None:
    world = make(7, days=2, people=6, rooms=3)
    claimed = {"face_embedding": graph.models.face, "speaker_embedding": graph.models.voice}
    memoriser = Memoriser(graph, embedder, TranscriptDescriber(), min_enrol_s=3.0)
    faces: dict[str, set[int]] = defaultdict(set)
    whose: dict[int, set[str]] = defaultdict(set)
    turns = tracks = kept = 0
    for clip in oracle(world, Oracle(embedders=claimed)):
        stored = memoriser.memorise(clip.observation, clip.session)
        assert not stored.again and not stored.skipped
        rows = _faces(graph, stored.clip)
        if len(rows) == len(clip.faces):  # else a track at a border was too short to tell
            for entity, who in zip(rows, clip.faces, strict=True):
                faces[who].add(entity)
                whose[entity].add(who)
        tracks += len(clip.faces)
        kept += len(rows)
        turns += len(clip.words)
    seen = {person.name for person in world.people if person.seen}
    assert set(faces) == seen
    assert all(len(entities) == 1 for entities in faces.values()), faces
    assert all(len(names) == 1 for names in whose.values()), whose
    assert kept >= 0.95 * tracks
    assert graph.store.reader().execute("SELECT count(*) FROM turns").fetchone()[0] == turns


def _faces(graph: MemoryGraph, clip: int) -> list[int]:
    """The faces of a clip's tracks, in the order of the tracks."""
    rows = graph.store.reader().execute("SELECT entity FROM sightings WHERE clip = ? ORDER BY rowid", (clip,))
    return [row["entity"] for row in rows]
