"""One closed clip in, one observation out: a pure function of the media, so that a replay perceives the same.

Same media, same models, same machine: the same observation, bit for bit. What the live lanes have already seen or
transcribed is remembered by Eyes and Ears and only makes it faster.
"""

from __future__ import annotations

from collections.abc import Callable

from robot_memory.config import PerceptionSettings
from robot_memory.perception import keyframes
from robot_memory.perception.ears import Ears, Names, no_names
from robot_memory.perception.faces import Eyes
from robot_memory.perception.tracking import Tracker
from robot_memory.streams.media import SAMPLE_RATE, ClipMedia, Frame
from robot_memory.streams.observation import ClipObservation, FaceTrack, Keyframe

__all__ = ["Ears", "Eyes", "perceive"]


def perceive(
    media: ClipMedia,
    eyes: Eyes,
    ears: Ears,
    settings: PerceptionSettings,
    checkpoint: Callable[[], None] = lambda: None,
    names: Names = no_names,
) -> ClipObservation:
    """What was seen and heard in the clip.

    `checkpoint` is called before every frame, second of audio and turn: there a lower lane waits for a higher one.
    What it raises (Cancelled) ends the work and passes through. `names` are known and help the transcriber: where a
    replay has to perceive the same, it is given none.
    """
    tracks, kept, undecodable = _watch(media.frames, eyes, settings, checkpoint)
    turns = ears.listen(media.audio, checkpoint, names)
    return ClipObservation(
        session=media.session,
        sequence=media.sequence,
        start_ns=media.start_ns,
        end_ns=media.end_ns,
        tracks=tracks,
        turns=turns,
        poses=media.poses,
        keyframes=kept,
        frames=len(media.frames),
        undecodable=undecodable,
        audio_s=sum(len(span.samples) for span in media.audio) / SAMPLE_RATE,
        embedders={"face_embedding": eyes.embedder.name, "speaker_embedding": ears.embedder.name},
    )


def _watch(
    frames: tuple[Frame, ...], eyes: Eyes, settings: PerceptionSettings, checkpoint: Callable[[], None]
) -> tuple[tuple[FaceTrack, ...], tuple[Keyframe, ...], int]:
    """Tracks, keyframes and the number of frames that could not be decoded."""
    tracker = Tracker(settings, eyes.embedder.accept)
    scenes: list[tuple[Frame, keyframes.Thumbnail]] = []
    for frame in frames:
        checkpoint()
        view = eyes.see(frame)
        if view.thumbnail is not None:
            scenes.append((frame, view.thumbnail))
            tracker.add(frame.stamp_ns, view.sightings)
    kept = [keyframe for frame in keyframes.choose(scenes) if (keyframe := keyframes.keep(frame)) is not None]
    return tracker.finish(), tuple(kept), len(frames) - len(scenes)
