"""A clip's folder: which files it has, and how they are read back.

    clip.json, arrays.npz, crop_<n>.jpg, key_<n>.jpg

Plain JSON, arrays without pickle, pictures as they are: a person can look into a clip with any tool.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from robot_memory.errors import SpoolCorrupt
from robot_memory.streams.media import Pose
from robot_memory.streams.observation import ClipObservation, FaceTrack, Keyframe, SpeechTurn

# what json, numpy and zipfile raise for damaged bytes
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RuntimeError, zipfile.BadZipFile)


def read(place: Path) -> ClipObservation:
    """Read a clip back as it was added. Raises SpoolCorrupt."""
    try:
        head: dict[str, Any] = json.loads((place / "clip.json").read_bytes())
        with np.load(place / "arrays.npz", allow_pickle=False) as arrays:
            tracks = tuple(
                FaceTrack(
                    stamps_ns=arrays[f"stamps_{n}"],
                    boxes=arrays[f"boxes_{n}"],
                    embeddings=arrays[f"faces_{n}"],
                    crop=(place / f"crop_{n}.jpg").read_bytes(),
                    quality=quality,
                )
                for n, quality in enumerate(head.pop("tracks"))
            )
            turns = tuple(
                SpeechTurn(embedding=arrays.get(f"voice_{n}"), **turn) for n, turn in enumerate(head.pop("turns"))
            )
        keyframes = tuple(
            Keyframe(stamp_ns, (place / f"key_{n}.jpg").read_bytes())
            for n, stamp_ns in enumerate(head.pop("keyframes"))
        )
        poses = tuple(_pose(pose) for pose in head.pop("poses"))
        numbers = [head[name] for name in ("sequence", "start_ns", "end_ns", "frames", "undecodable")]
        if not all(type(number) is int and -(2**63) <= number < 2**63 for number in numbers):
            raise ValueError("numbers that are none")
        if (head["session"], f"{head['sequence']:08d}") != (place.parent.name, place.name):
            raise ValueError(f"it is clip {head['sequence']} of session {head['session']}")
        return ClipObservation(tracks=tracks, turns=turns, keyframes=keyframes, poses=poses, **head)
    except UNREADABLE as error:
        raise SpoolCorrupt(f"the clip in {place} cannot be read: {error}") from error


def _pose(fields: dict[str, Any]) -> Pose:
    tuples: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Pose(**tuples)


def files(clip: ClipObservation) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of a clip."""
    head = {
        **{name: getattr(clip, name) for name in _PLAIN},
        "tracks": [float(track.quality) for track in clip.tracks],
        "turns": [{name: getattr(turn, name) for name in _TURN} for turn in clip.turns],
        "keyframes": [key.stamp_ns for key in clip.keyframes],
        "poses": [asdict(pose) for pose in clip.poses],
    }
    yield "clip.json", json.dumps(head, indent=1).encode()
    yield "arrays.npz", _packed(clip)
    for n, track in enumerate(clip.tracks):
        yield f"crop_{n}.jpg", track.crop
    for n, key in enumerate(clip.keyframes):
        yield f"key_{n}.jpg", key.jpeg


_PLAIN = ("session", "sequence", "start_ns", "end_ns", "frames", "undecodable", "audio_s", "embedders", "skipped")
_TURN = ("start_ns", "end_ns", "text", "voice", "confidence", "no_speech")


def _packed(clip: ClipObservation) -> bytes:
    arrays: dict[str, Any] = {}
    for n, track in enumerate(clip.tracks):
        arrays |= {f"stamps_{n}": track.stamps_ns, f"boxes_{n}": track.boxes, f"faces_{n}": track.embeddings}
    arrays |= {f"voice_{n}": turn.embedding for n, turn in enumerate(clip.turns) if turn.embedding is not None}
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()
