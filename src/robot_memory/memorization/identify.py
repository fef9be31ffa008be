"""Tracks and turns of a clip meet the galleries: known, new, or too little to tell.

Two tracks that overlap in time are two people, so the surest match takes an entity first and the rest must look
elsewhere. A voice is judged on all its turns of the clip together.
"""

from __future__ import annotations

import numpy as np

from robot_memory.memory.entities.gallery import Match, centre
from robot_memory.memory.graph import Change
from robot_memory.streams.observation import ClipObservation, FaceTrack

MIN_SIGHTINGS = 3  # a face seen in fewer frames is not enrolled: it may be none


def faces(change: Change, clip: int, tracks: tuple[FaceTrack, ...]) -> list[int | None]:
    """The face entity of each track; new faces are enrolled."""
    gallery = change.graph.galleries["face"]
    found: list[int | None] = [None] * len(tracks)
    centres = [centre(track.embeddings) for track in tracks]
    undecided = set(range(len(tracks)))
    while undecided:
        matches = {n: gallery.match(centres[n], forbidden=_taken(tracks, found, n)) for n in sorted(undecided)}
        best = max(matches, key=lambda n: (matches[n].entity is not None, matches[n].score, -n))
        undecided.remove(best)
        found[best] = _settle(change, clip, tracks[best], matches[best])
    return found


def voices(change: Change, clip: int, observation: ClipObservation, min_enrol_s: float) -> list[int | None]:
    """The voice entity of each turn; a new voice with enough speech is enrolled."""
    gallery = change.graph.galleries["voice"]
    by_speaker: dict[int, int | None] = {}
    for speaker in dict.fromkeys(turn.voice for turn in observation.turns):
        turns = [t for t in observation.turns if t.voice == speaker and t.embedding is not None]
        if not turns:
            continue
        embeddings = np.stack([turn.embedding for turn in turns if turn.embedding is not None])
        lengths = np.array([turn.duration_s for turn in turns], np.float32)
        seconds = float(lengths.sum())
        taken = [entity for entity in by_speaker.values() if entity is not None]
        match = gallery.match(centre(embeddings, lengths), seconds, forbidden=taken)
        entity = match.entity
        if entity is None and seconds >= min_enrol_s:
            entity = change.new_entity("voice", clip)
        if entity is not None and (match.entity is None or match.learn):
            change.learn("voice", entity, embeddings[np.argsort(-lengths, kind="stable")], clip)
        by_speaker[speaker] = entity
    return [by_speaker.get(turn.voice) for turn in observation.turns]


def _settle(change: Change, clip: int, track: FaceTrack, match: Match) -> int | None:
    """The entity of a track, given its best match: that one, a new one, or none where there is too little to tell."""
    entity = match.entity
    if entity is None:
        if len(track.stamps_ns) < MIN_SIGHTINGS:
            return None
        entity = change.new_entity("face", clip)
    if match.entity is None or match.learn:
        change.learn("face", entity, track.embeddings, clip)
    change.db.execute(
        "UPDATE entities SET crop = ?, crop_quality = ? WHERE id = ? AND crop_quality < ?",
        (track.crop, track.quality, entity, track.quality),
    )
    return entity


def _taken(tracks: tuple[FaceTrack, ...], found: list[int | None], n: int) -> set[int]:
    """Entities that track `n` cannot be: they were somewhere else in the picture at the same time."""
    mine = tracks[n]
    return {
        entity
        for entity, track in zip(found, tracks, strict=True)
        if entity is not None and track.start_ns <= mine.end_ns and track.end_ns >= mine.start_ns
    }
