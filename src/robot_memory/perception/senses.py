"""Opens every model of a profile and puts eyes and ears together."""

from __future__ import annotations

from dataclasses import dataclass

from robot_memory.config import PerceptionSettings
from robot_memory.models.manifest import load_profile
from robot_memory.perception.ears import Ears
from robot_memory.perception.faces import Eyes, SFace, YuNet
from robot_memory.perception.runtime import open_session
from robot_memory.perception.speech import Silero
from robot_memory.perception.transcription import Whisper
from robot_memory.perception.voices import GE2E


@dataclass(frozen=True, eq=False)
class Senses:
    """Eyes and ears ready to work. `embedders`: role -> model name; `running`: role -> what computes it;
    `same_face`: the cosine from which two faces are taken for one person.
    """

    eyes: Eyes
    ears: Ears
    embedders: dict[str, str]
    running: dict[str, str]
    same_face: float


def open_senses(settings: PerceptionSettings) -> Senses:
    """The senses of `settings.profile`. Raises ModelMissing or ModelCorrupt before anything is loaded."""
    import cv2

    profile = load_profile(settings.profile)
    face, voice, words = (profile.model(role) for role in ("face_embedding", "speaker_embedding", "transcription"))
    onnx = ("face_detection", "face_embedding", "voice_activity", "speaker_embedding")
    paths = {role: profile.model(role).path() for role in onnx}
    folder = words.complete_folder()
    cv2.setNumThreads(settings.threads)  # for the whole process: OpenCV otherwise takes every core to scale a picture
    sessions = {role: open_session(path, threads=settings.threads) for role, path in paths.items()}
    eyes = Eyes(
        YuNet(sessions["face_detection"], settings.min_face_score),
        SFace(sessions["face_embedding"], face.threshold("accept"), face.name),
        settings,
    )
    ears = Ears(
        Silero(sessions["voice_activity"]),
        Whisper(folder, settings.language, settings.threads),
        GE2E(
            sessions["speaker_embedding"],
            lambda seconds: voice.threshold("group", seconds),
            voice.name,
        ),
        settings,
    )
    running = {role: session.running for role, session in sessions.items()} | {"transcription": "CTranslate2 int8 CPU"}
    return Senses(
        eyes, ears, {"face_embedding": face.name, "speaker_embedding": voice.name}, running, eyes.embedder.accept
    )
