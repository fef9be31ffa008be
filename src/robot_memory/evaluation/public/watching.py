"""Videos and sound straight into perceived clips, one after the other, without a bag in between.

The same recorder and the same senses as on a robot: converting a video to a bag and replaying that perceives the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robot_memory.config import PerceptionSettings, StreamSettings
from robot_memory.evaluation.perceived import closed_clips
from robot_memory.evaluation.public.video import CHUNK, USUAL, Look, Picture, Sound, Video
from robot_memory.evaluation.trial import Clip
from robot_memory.models.manifest import load_profile
from robot_memory.perception.perceive import perceive
from robot_memory.perception.senses import Senses
from robot_memory.streams import bagfiles
from robot_memory.streams.media import SAMPLE_RATE, SECOND, ClipMedia
from robot_memory.streams.recorder import Recorder
from robot_memory.streams.sessions import Session

ROLES = ("face_detection", "face_embedding", "voice_activity", "transcription", "speaker_embedding")


def watch(video: Video, senses: Senses, look: Look = USUAL) -> Iterator[Clip]:
    """The clips of a video as perceived; clip n begins n * 30 s after the video does."""
    return perceived(video.media(look), session_of(video), senses)


def session_of(video: Video) -> Session:
    """One session a file: the same file again is the same session."""
    digest = fingerprint(video.path)
    return Session(digest[:32], str(video.path.absolute()), digest, origin_ns=video.start_ns, lockstep=True)


def perceived(items: Iterable[Picture | Sound], session: Session, senses: Senses) -> Iterator[Clip]:
    settings = PerceptionSettings()
    for media, part in cut(items, session):
        yield Clip(perceive(media, senses.eyes, senses.ears, settings), part)


def cut(items: Iterable[Picture | Sound], session: Session) -> Iterator[tuple[ClipMedia, Session]]:
    """Pictures and sound as closed clips; at most two clips are held."""
    recorder = Recorder(session, StreamSettings())
    return closed_clips(recorder, map(partial(_take, recorder), items))


def chunks(samples: NDArray[np.int16], start_ns: int) -> Iterator[Sound]:
    """Samples as a microphone would send them."""
    for first in range(0, len(samples), CHUNK):
        yield Sound(start_ns + first * SECOND // SAMPLE_RATE, first, samples[first : first + CHUNK])


def perceived_by() -> dict[str, str]:
    """Role -> name of the models behind the senses."""
    profile = load_profile(PerceptionSettings().profile)
    return {role: profile.model(role).name for role in ROLES}


def fingerprint(path: Path) -> str:
    """64 hexadecimal digits from a file's size and its ends."""
    digest = hashlib.sha256(str(path.stat().st_size).encode())
    for end in bagfiles.ends(path):
        digest.update(end)
    return digest.hexdigest()


def _take(recorder: Recorder, item: Picture | Sound) -> None:
    if isinstance(item, Picture):
        jpeg = item.jpeg
        recorder.frame(item.at_ns, lambda: jpeg)
    else:
        recorder.audio(item.at_ns, item.first, SAMPLE_RATE, 1, item.samples)
