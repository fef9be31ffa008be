"""How views of a face or voice scatter in the real models: what tells people apart, what all share, and noise.

A perfect likeness is unlike everybody else's (cosines near 0) and like itself (0.95). The real models' views have a
direction in common, and they scatter the more, the smaller the face or the shorter the speech. The tables are cosines
of a view to its person's own centre.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robot_memory.evaluation.cells import direction
from robot_memory.evaluation.worlds.mishaps.rates import Mishaps
from robot_memory.streams.observation import FaceTrack, SpeechTurn, Vector

# SFace on portraits of 40 people, two each, brought to a size, turned by up to 20 degrees, moved by up to 7 pixels,
# darkened, with noise, as JPEG of quality 60: the root of the mean cosine of two views of one picture
FACE_PX = (36.0, 48.0, 64.0, 90.0)
FACE_COSINE = (0.744, 0.814, 0.863, 0.917)
FACE_SHARED = 0.30  # of all faces, against a face's own 1: the cosines of others' views are 0.07, give or take 0.10
# GE2E on six readers of LibriSpeech test-other, ten utterances each, pieces of one length
VOICE_S = (1.2, 2.0, 3.0, 5.0)
VOICE_COSINE = (0.876, 0.896, 0.925, 0.945)
VOICE_SHARED = 1.25  # the cosines of two speakers' centres are 0.61, give or take 0.08: so they lie in few dimensions
VOICE_DIMENSIONS = 28
SPREAD = 0.25  # of the noise between two tracks or turns of one length: log-normal
CHANGED = 1.8  # of a changed voice, against its own 1
SHORTEST_S = 1.0  # the speaker model says nothing about less


def face(track: FaceTrack, mishaps: Mishaps, throw: random.Random, afar: bool = False) -> FaceTrack:
    """The track as SFace would have embedded it. Half of the noise is the track's (its light, its distance), half each
    view's own.
    """
    views, dimension = track.embeddings, track.embeddings.shape[1]
    size = float(np.median(np.minimum(track.boxes[:, 2], track.boxes[:, 3]))) / (2 if afar else 1)
    noise = mishaps.blur * noise_for(size, FACE_PX, FACE_COSINE) * throw.lognormvariate(0.0, SPREAD)
    centre = views + FACE_SHARED * direction("everybody", "face", dimension)
    own = _noise(throw, (len(views), dimension)) + _noise(throw, (1, dimension))
    return replace(track, embeddings=_unit(_unit(centre) + np.float32(noise * 0.5**0.5) * own))


def voice(turn: SpeechTurn, mishaps: Mishaps, throw: random.Random, changed: str = "") -> SpeechTurn:
    """The turn as GE2E would have embedded it. `changed` names what somebody sounds like today; empty: like
    themselves.
    """
    if turn.embedding is None or turn.duration_s < SHORTEST_S:
        return replace(turn, embedding=None)
    dimension = len(turn.embedding)
    own = _telling(turn.embedding)
    if changed:
        own = _unit(own + CHANGED * _telling(direction(changed, "voice", dimension)))
    noise = mishaps.blur * noise_for(turn.duration_s, VOICE_S, VOICE_COSINE) * throw.lognormvariate(0.0, SPREAD)
    centre = _unit(own + VOICE_SHARED * direction("everybody", "voice", dimension))
    return replace(turn, embedding=_unit(centre + np.float32(noise) * _noise(throw, (dimension,))))


def noise_for(size: float, sizes: tuple[float, ...], cosines: tuple[float, ...]) -> float:
    """The length of the noise, against 1 of the centre, that makes a view's cosine to it what the table says; beyond
    its ends as a power of the size, as within.
    """
    lengths = np.log([(1 / cosine**2 - 1) ** 0.5 for cosine in cosines])
    slope, at = np.polyfit(np.log(sizes), lengths, 1)
    return float(np.exp(at + slope * np.log(max(size, 1e-3))))


def _telling(voice: Vector) -> Vector:
    """What tells a voice from others: the part of it in the few dimensions that real voices differ in."""
    kept = voice.copy()
    kept[VOICE_DIMENSIONS:] = 0.0
    return _unit(kept)


def _noise(throw: random.Random, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """[*shape] of about unit length along the last axis."""
    thrown = np.random.Generator(np.random.SFC64(throw.getrandbits(64))).standard_normal(shape)
    return np.asarray(thrown / shape[-1] ** 0.5, np.float32)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each along the last axis at unit length."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / lengths, np.float32)
