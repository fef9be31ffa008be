"""Four cells that say where an error comes from: true against recognised words, true against estimated people.

A labelled clip with its words or its people put right, everything else as perceived.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from robot_memory.evaluation.trial import Clip
from robot_memory.streams.observation import FaceTrack, SpeechTurn, Vector


def cell(words: bool, people: bool) -> Callable[[Clip], Clip]:
    """The change that puts right a clip's words, its people, both or nothing."""

    def change(clip: Clip) -> Clip:
        clip = with_true_words(clip) if words else clip
        return with_true_people(clip) if people else clip

    return change


def with_true_words(clip: Clip) -> Clip:
    """What was really said in place of what was recognised."""
    turns = tuple(
        replace(turn, text=words, confidence=1.0 if words else 0.0)
        for turn, words in zip(clip.observation.turns, clip.words, strict=True)
    )
    return replace(clip, observation=replace(clip.observation, turns=turns))


def with_true_people(clip: Clip) -> Clip:
    """Embeddings that tell everyone apart, after the true names; nobody's tracks and turns stay as they are."""
    seen = clip.observation
    speakers = {who: n for n, who in enumerate(dict.fromkeys(filter(None, clip.voices)), start=1000)}
    tracks = tuple(_known_face(track, who) for track, who in zip(seen.tracks, clip.faces, strict=True))
    turns = tuple(_known_voice(turn, who, speakers) for turn, who in zip(seen.turns, clip.voices, strict=True))
    return replace(clip, observation=replace(seen, tracks=tracks, turns=turns))


def direction(who: str, kind: str, dimension: int) -> Vector:
    """A unit vector of a person's own; those of two people are nearly at right angles."""
    seed = int.from_bytes(hashlib.sha256(f"{kind} {who}".encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).normal(size=dimension)
    unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def _known_face(track: FaceTrack, who: str) -> FaceTrack:
    if not who:
        return track
    return replace(track, embeddings=direction(who, "face", track.embeddings.shape[1])[None])


def _known_voice(turn: SpeechTurn, who: str, speakers: dict[str, int]) -> SpeechTurn:
    if not who or turn.embedding is None:
        return turn
    return replace(turn, voice=speakers[who], embedding=direction(who, "voice", len(turn.embedding)))
